package io.orrery.engine.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.Draws;
import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private final EventQueue queue = new EventQueue(10);

  @Test
  void orderIsTimeThenPhaseThenEntity() {
    queue.add(20, Phase.STEP_END, 0);
    queue.add(10, Phase.DISPATCH, 1);
    queue.add(10, Phase.STEP_END, 7);
    queue.add(10, Phase.STEP_END, 3);
    queue.add(10, Phase.TELEMETRY, 0);

    assertThat(queue.nextTime()).isEqualTo(10);
    queue.begin(10);
    assertThat(drain()).containsExactly("STEP_END 3", "STEP_END 7", "DISPATCH 1", "TELEMETRY 0");
    queue.begin(20);
    assertThat(drain()).containsExactly("STEP_END 0");
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.nextTime()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void anEventForThePresentJoinsThisRoundOnlyIfItsPhaseIsStillToCome() {
    queue.add(5, Phase.DISPATCH, 1);
    queue.add(5, Phase.TELEMETRY, 2);
    queue.begin(5);
    assertThat(queue.poll()).isEqualTo(1);
    // From a dispatch: a step end, another dispatch and a scaling of the same instant.
    queue.add(5, Phase.STEP_END, 9);
    queue.add(5, Phase.DISPATCH, 8);
    queue.add(5, Phase.SCALING, 7);
    assertThat(drain()).containsExactly("TELEMETRY 2", "SCALING 7", "STEP_END 9", "DISPATCH 8");
  }

  @Test
  void aStepEndIsMovedAndNotLeftBehind() {
    queue.stepEnds(4, 10);
    queue.stepEnds(2, 10);
    queue.stepEnds(3, 5);
    queue.add(5, Phase.DISPATCH, 1);
    assertThat(queue.nextTime()).isEqualTo(5);
    queue.begin(5);
    assertThat(drain()).containsExactly("STEP_END 3", "DISPATCH 1");

    queue.stepEnds(4, 8);
    queue.stepDoesNotEnd(2);
    assertThat(queue.nextTime()).isEqualTo(8);
    queue.begin(8);
    assertThat(drain()).containsExactly("STEP_END 4");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void stepsThatEndAtOnceDoSoInTheOrderOfTheirWorkers() {
    for (int worker = 9; worker >= 0; worker -= 3) {
      queue.stepEnds(worker, 7);
    }
    queue.begin(7);
    assertThat(drain()).containsExactly("STEP_END 0", "STEP_END 3", "STEP_END 6", "STEP_END 9");
  }

  @Test
  void aStepThatTakesNoTimeIsRefused() {
    queue.begin(10);
    assertThatThrownBy(() -> queue.stepEnds(0, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("step ends at 10 ns, the present is 10");
  }

  @Test
  void thePastIsRefused() {
    queue.begin(10);
    assertThatThrownBy(() -> queue.add(9, Phase.DISPATCH, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("event at 9 ns lies before the present, 10 ns");
  }

  @Test
  void timesBeyondTheClockAreRefused() {
    long overflown = Long.MIN_VALUE + 4; // what a sum beyond the clock wraps around to
    assertThatThrownBy(() -> queue.add(overflown, Phase.STEP_END, 0))
        .isInstanceOf(SimulatedTimeException.class)
        .hasMessageStartingWith("simulated time passes 2^63 ns");
  }

  @Test
  void anInstantThatNeverEndsIsALivelock() {
    queue.add(1, Phase.DISPATCH, 0);
    queue.begin(1);
    assertThatThrownBy(
            () -> {
              while (queue.poll() >= 0) {
                queue.add(1, Phase.DISPATCH, 0);
              }
            })
        .isInstanceOf(NoProgressException.class)
        .hasMessageContaining("rounds of events at 1 ns");
  }

  @Test
  void orderDoesNotDependOnInsertion() {
    record Event(long time, Phase phase, long entity) {}
    Draws draws = new Draws(1, "events");
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      events.add(
          new Event(
              draws.below(50, i, 0),
              Phase.values()[draws.below(Phase.values().length, i, 1)],
              draws.below(1_000_000, i, 2)));
    }
    events.forEach(e -> queue.add(e.time, e.phase, e.entity));
    List<String> found = new ArrayList<>();
    while (!queue.isEmpty()) {
      queue.begin(queue.nextTime());
      found.addAll(drain());
    }
    List<String> expected =
        events.stream()
            .sorted(
                Comparator.comparingLong(Event::time)
                    .thenComparing(Event::phase)
                    .thenComparingLong(Event::entity))
            .map(e -> e.phase + " " + e.entity)
            .toList();
    assertThat(found).isEqualTo(expected);
  }

  private List<String> drain() {
    List<String> out = new ArrayList<>();
    long entity;
    while ((entity = queue.poll()) >= 0) {
      out.add(queue.phase() + " " + entity);
    }
    return out;
  }
}
