package io.orrery.reports.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.summary.Runs;
import io.orrery.traces.Trace;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** One request a second, each with a span, two parts and three steps of 10 ms. */
class TimelineRecorderTest {
  private record Told(List<String> events, OptionalLong fullAtNanos) {}

  private static Told timeline(TimelineWindow window, long mostEvents) {
    Trace trace = Runs.oneASecond(40);
    StringWriter out = new StringWriter();
    TimelineRecorder recorder = new TimelineRecorder(trace, 1, "run", 0, window, mostEvents, out);
    RunResult result = Runs.heard(trace, recorder);
    recorder.close(result.endNanos());
    return new Told(out.toString().lines().toList(), recorder.fullAtNanos());
  }

  private static TimelineWindow all() {
    return new TimelineWindow(0, Long.MAX_VALUE, 1);
  }

  /** What begins later is left out; what has begun is told to its end. */
  @Test
  void aTimelineEndsWhereItIsFull() {
    Told whole = timeline(all(), Long.MAX_VALUE);
    Told part = timeline(all(), 100);

    assertThat(whole.fullAtNanos()).isEmpty();
    long fullAt = part.fullAtNanos().orElseThrow();
    assertThat(fullAt).isBetween(5_000_000_000L, 15_000_000_000L);
    assertThat(part.events()).hasSizeBetween(101, 110);
    // Commas stand between events, so that the last one differs.
    int told = part.events().size() - 1;
    assertThat(part.events().subList(0, told)).isEqualTo(whole.events().subList(0, told));
    String firstLeftOut = "\"r" + (fullAt / 1_000_000_000 + 1) + "\"";
    assertThat(part.events()).noneMatch(event -> event.contains(firstLeftOut));
    assertThat(whole.events()).anyMatch(event -> event.contains(firstLeftOut));
  }

  @Test
  void aTimelineThatJustFitsIsWhole() {
    Told whole = timeline(all(), Long.MAX_VALUE);
    Told fitting = timeline(all(), whole.events().size());

    assertThat(fitting.events()).isEqualTo(whole.events());
    assertThat(fitting.fullAtNanos()).isEmpty();
  }

  /** Requests that are sent after the window are not even kept. */
  @Test
  void aWindowShowsWhatReachesIntoIt() {
    Told part = timeline(new TimelineWindow(3_000_000_000L, 4_500_000_000L, 1), Long.MAX_VALUE);

    assertThat(part.events().stream().filter(event -> event.contains("\"session\"")))
        .hasSize(2)
        .allMatch(event -> event.contains("\"r3\"") || event.contains("\"r4\""));
  }
}
