package io.orrery.traces;

import static io.orrery.traces.WekaReaderTest.agent;
import static io.orrery.traces.WekaReaderTest.ids;
import static io.orrery.traces.WekaReaderTest.request;
import static io.orrery.traces.WekaReaderTest.session;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Think times that cannot be: none that passed since the end of a request is longer than the time
 * since its start.
 */
class WekaWaitsTest {
  @TempDir Path folder;

  private static final String NOT_USED =
      "waits longer than the time since the turn before them began, not used";
  private static final String START_TO_START = "turns released by a start-to-start gap";

  /**
   * The shape of the public corpus. Request 0 ends at 4 s; requests 1 and 2 have no end; the think
   * times of 2 and 3 count from those 4 s on: 16 s at 20 s, 23 s at 27 s. Request 3 ends at 30 s.
   *
   * <pre>
   * start     0      10     20     27     35
   * api_time  4      -      -      3
   * think            6      16     23     5
   * </pre>
   */
  @Test
  void afterRequestsWithoutAnEndTheStartsKeepTheirDistance() {
    Trace trace =
        TraceText.read(
            session(
                "s",
                turn(0, "\"api_time\":4"),
                turn(10, "\"think_time\":6"),
                turn(20, "\"think_time\":16"),
                turn(27, "\"think_time\":23,\"api_time\":3"),
                turn(35, "\"think_time\":5")));

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("COMPLETION s#0 +6000 ms");
    assertThat(EdgeText.of(trace, "s#2")).isEqualTo("DISPATCH s#1 +10000 ms, COMPLETION s#1 +0 ms");
    assertThat(EdgeText.of(trace, "s#3")).isEqualTo("DISPATCH s#2 +7000 ms, COMPLETION s#2 +0 ms");
    assertThat(EdgeText.of(trace, "s#4")).isEqualTo("COMPLETION s#3 +5000 ms");
    assertThat(trace.provenance().counters())
        .containsEntry(NOT_USED, 2L)
        .containsEntry(START_TO_START, 2L);
  }

  /** Starts are floored to seconds: 10.0 and 15.0 may have been 10.0 and 15.9. */
  @ParameterizedTest
  @CsvSource({
    "4.75, COMPLETION s#0 +4750 ms, 0",
    "5, COMPLETION s#0 +5000 ms, 0",
    "5.999, COMPLETION s#0 +5999 ms, 0",
    "6, 'DISPATCH s#0 +5000 ms, COMPLETION s#0 +0 ms', 1"
  })
  void aWaitThatTheTicksCanExplainIsKept(String think, String edges, long notUsed) {
    Trace trace =
        TraceText.read(
            session("s", turn(10, "\"stop\":\"\""), turn(15, "\"think_time\":" + think)));

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo(edges);
    assertThat(trace.provenance().counters().getOrDefault(NOT_USED, 0L)).isEqualTo(notUsed);
  }

  /** From 2 s to 10 s are 8 s, so 9 s are none that passed after an end at 5 s; 5 s are left. */
  @Test
  void whereTheEndIsKnownTheGapCountsFromIt() {
    Trace trace =
        TraceText.read(
            session("s", turn(2, "\"api_time\":3"), turn(10, "\"think_time\":9,\"api_time\":1")));

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("COMPLETION s#0 +5000 ms");
    assertThat(trace.provenance().counters())
        .containsEntry(NOT_USED, 1L)
        .doesNotContainKey(START_TO_START);
  }

  /**
   * Inside a sub-agent, whatever its times count from. The parent goes on at 60 s, after the
   * sub-agent's end at 50 s: its think time is not used there, and not counted as one that cannot
   * be.
   */
  @ParameterizedTest
  @CsvSource({"0, relative to their own start", "20, on their parent's clock"})
  void subAgents(double basis, String told) {
    Trace trace =
        TraceText.read(
            session(
                "p",
                turn(0, "\"api_time\":19"),
                agent(
                    50,
                    "a",
                    "\"duration_ms\":30000",
                    turn(basis, "\"api_time\":2"),
                    turn(basis + 5, "\"think_time\":3"),
                    turn(basis + 9, "\"think_time\":7")),
                turn(60, "\"think_time\":61")));

    assertThat(EdgeText.of(trace, "p/a#1")).isEqualTo("COMPLETION p/a#0 +3000 ms");
    assertThat(EdgeText.of(trace, "p/a#2"))
        .isEqualTo("DISPATCH p/a#1 +4000 ms, COMPLETION p/a#1 +0 ms");
    assertThat(EdgeText.of(trace, "p#1"))
        .isEqualTo("COMPLETION p#0 +10000 ms, COMPLETION p/a#2 +10000 ms");
    assertThat(trace.provenance().counters())
        .containsEntry(NOT_USED, 1L)
        .containsEntry("sub-agents with times " + told, 1L);
  }

  /**
   * Without a duration a sub-agent ends with its last request, and that one has no end: it began at
   * 10 s, and the parent went on at 40 s.
   */
  @Test
  void aSubAgentWhoseEndIsNotKnownIsWaitedForAndKeepsItsDistance() {
    Trace trace =
        TraceText.read(
            session(
                "p",
                turn(0, "\"api_time\":3"),
                agent(
                    4,
                    "a",
                    "\"status\":\"completed\"",
                    turn(0, "\"api_time\":2"),
                    turn(6, "\"stop\":\"\"")),
                turn(40, "\"think_time\":37")));

    assertThat(EdgeText.of(trace, "p#1"))
        .isEqualTo("COMPLETION p#0 +37000 ms, DISPATCH p/a#1 +30000 ms, COMPLETION p/a#1 +0 ms");
  }

  @Test
  void convertedToWekaAndBackTheTurnsWaitForTheSame() throws IOException {
    Trace trace =
        TraceText.read(
            session(
                "s",
                turn(0, "\"api_time\":4"),
                turn(10, "\"think_time\":6"),
                turn(20, "\"think_time\":16")));
    Path file = folder.resolve("waits.jsonl");

    TraceWriters.of(TraceFormat.WEKA).orElseThrow().write(trace, file);

    Trace back = TraceReaders.read(file);
    assertThat(back.digest()).isEqualTo(trace.digest());
    assertThat(back.provenance().counters()).containsEntry(START_TO_START, 1L);
  }

  private static String turn(double t, String rest) {
    return request(t, 64, ids(1, 1), "\"out\":1," + rest);
  }
}
