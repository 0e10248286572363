package io.orrery.engine.reference;

import io.orrery.engine.clock.Phase;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Events as objects, in the order (time, round, phase, entity). */
final class ReferenceClock {
  private record Event(long time, int round, Phase phase, long entity, Runnable action) {}

  /** Instants of a run that is small enough to be stepped. */
  private static final int MOST_INSTANTS = 30_000;

  /**
   * The run does not end soon. With priorities, two requests that arrived at one instant can
   * preempt each other for ever, in vLLM as here.
   */
  static final class EndlessRunException extends RuntimeException {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::time)
              .thenComparingInt(Event::round)
              .thenComparing(Event::phase)
              .thenComparingLong(Event::entity));
  private long now;
  private int round;
  private int phase = -1;
  private boolean working;
  private int instants;

  long now() {
    return now;
  }

  void at(long time, Phase eventPhase, long entity, Runnable action) {
    int eventRound = 0;
    if (working && time == now) {
      eventRound = eventPhase.ordinal() > phase ? round : round + 1;
    }
    events.add(new Event(time, eventRound, eventPhase, entity, action));
  }

  /**
   * Works off every instant up to the limit.
   *
   * @param afterInstant is run when nothing more happens at an instant
   * @return the time of the last instant, or the limit if something was still to come
   */
  long run(long limit, Runnable afterInstant) {
    while (!events.isEmpty()) {
      if (events.peek().time() > limit) {
        return limit;
      }
      now = events.peek().time();
      if (++instants > MOST_INSTANTS) {
        throw new EndlessRunException();
      }
      working = true;
      round = 0;
      phase = -1;
      while (!events.isEmpty() && events.peek().time() == now) {
        Event event = events.poll();
        round = event.round();
        phase = event.phase().ordinal();
        event.action().run();
      }
      working = false;
      afterInstant.run();
    }
    return now;
  }
}
