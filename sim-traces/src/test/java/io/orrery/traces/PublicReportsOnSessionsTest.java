package io.orrery.traces;

import static io.orrery.traces.ReportRows.arrivalSeconds;
import static io.orrery.traces.ReportRows.arrivals;
import static io.orrery.traces.ReportRows.assertFails;
import static io.orrery.traces.ReportRows.chat;
import static io.orrery.traces.ReportRows.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small inputs that other tools were reported to read wrong, about who waits for whom: parents,
 * sub-agents, delays and requests that overlap. Each names the report.
 */
class PublicReportsOnSessionsTest {
  @TempDir Path folder;

  /** ai-dynamo/aiperf#723: a cycle of parents hung the loader. */
  @Tag("report-2")
  @Test
  void aCycleOfParents() {
    assertFails(
        "the cycle",
        "parent_chat_id: found 100, which 101 comes before, expected parents without a cycle",
        chat(100, 101, "0", 9),
        chat(101, 100, "1", 9));
    assertFails(
        "its own parent",
        "parent_chat_id: found 5, which 5 comes before, expected parents without a cycle",
        chat(5, 5, "0", 9));
    Trace orphan = TraceText.read(chat(9, 8, "61.2", 16));
    assertThat(orphan.provenance().counters())
        .containsEntry("rows whose parent is not in the trace, taken as a chat's beginning", 1L);
  }

  /** A parent that stands behind its child, since files need not be sorted. */
  @Test
  void aParentBehindItsChild() {
    Trace trace = TraceText.read(chat(2, 1, "5", 20), chat(1, -1, "0", 10));

    assertThat(trace.sessionCount()).isEqualTo(1);
    assertThat(trace.requestId(0)).isEqualTo("1");
    assertThat(EdgeText.of(trace, "2")).isEqualTo("DISPATCH 1 +5000 ms, COMPLETION 1 +0 ms");
  }

  /** ai-dynamo/aisimulate#234: a fork that waits for what waits for it. */
  @Tag("report-7")
  @Test
  void aDependencyCycle() {
    assertFails(
        "a cycle",
        "waits for: found itself through other requests, expected waiting without a cycle",
        "{\"request_id\": \"a\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"b\"], \"hash_ids\": []}",
        "{\"request_id\": \"b\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"a\"], \"hash_ids\": []}");
    assertFails(
        "a missing request",
        "waits for: found \"z\", expected a request of this trace",
        "{\"request_id\": \"a\", \"input_length\": 5, \"output_length\": 1, \"wait_for\": [\"z\"], \"hash_ids\": []}");
  }

  /**
   * ai-dynamo/aiperf#1396 and ai-dynamo/dynamo#14355: the basis of sub-agent times, marker by
   * marker.
   */
  @Tag("report-3")
  @Tag("report-4")
  @Tag("report-null-duration")
  @Test
  void subAgentTimesOfBothKindsInOneFolder() throws IOException {
    String absolute =
        WekaReaderTest.session(
            "absolute",
            WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":10"),
            WekaReaderTest.agent(
                20, "a", "\"duration_ms\":null", WekaReaderTest.request(25, 64, "9", "\"out\":1")));
    String relative =
        WekaReaderTest.session(
            "relative",
            WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":10"),
            WekaReaderTest.agent(
                20, "a", "\"duration_ms\":null", WekaReaderTest.request(5, 64, "9", "\"out\":1")));
    Files.writeString(folder.resolve("1.json"), absolute);
    Files.writeString(folder.resolve("2.json"), relative);

    Trace trace = TraceReaders.read(folder);

    assertThat(arrivalSeconds(trace)).containsExactly(0L, 25L, 0L, 25L);
    assertThat(trace.provenance().counters())
        .containsEntry("sub-agents with times on their parent's clock", 1L)
        .containsEntry("sub-agents with times relative to their own start", 1L);
    Files.writeString(
        folder.resolve("3.json"),
        relative.replace("\"t\":5", "\"t\":NaN").replace("relative", "c"));
    assertThatThrownBy(() -> TraceReaders.read(folder))
        .hasMessageStartingWith(folder.resolve("3.json") + ":1: t: found NaN");
  }

  /** ai-dynamo/aisimulate#115: absent, null and zero api_time are three things. */
  @Tag("report-6")
  @Test
  void aRecordedDurationOfZeroIsNotAMissingOne() {
    Trace trace =
        TraceText.read(
            WekaReaderTest.session(
                "zero",
                WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":0"),
                WekaReaderTest.request(7, 64, "1", "\"out\":1")),
            WekaReaderTest.session(
                "null",
                WekaReaderTest.request(0, 64, "1", "\"out\":1,\"api_time\":null"),
                WekaReaderTest.request(7, 64, "1", "\"out\":1")));

    assertThat(trace.recordedTotalNanos(0)).isZero();
    assertThat(trace.recordedTotalNanos(2)).isEqualTo(Trace.NO_TIME);
    assertThat(EdgeText.of(trace, "zero#1")).isEqualTo("COMPLETION zero#0 +7000 ms");
    assertThat(EdgeText.of(trace, "null#1"))
        .isEqualTo("DISPATCH null#0 +7000 ms, COMPLETION null#0 +0 ms");
  }

  /** ai-dynamo/aiperf#1231: the residual wait between a child's end and its parent's next call. */
  @Tag("report-22")
  @Test
  void theWaitAfterAChildIsKept() {
    Trace trace =
        TraceText.read(
            record("p1", "p", null, 0, 1000),
            record("c1", "c", "p", 1500, 3000),
            record("p2", "p", null, 184_430, 185_000));

    assertThat(EdgeText.of(trace, "p2"))
        .isEqualTo("COMPLETION p1 +181430 ms, COMPLETION c1 +181430 ms");
  }

  /** inference-sim#1478: a start-to-start gap is no think time. */
  @Tag("report-23")
  @Test
  void aGapBetweenStartsIsNoWait() {
    Trace trace =
        TraceText.read(
            "{\"session_id\": \"s\", \"timestamp\": 0, \"input_length\": 9, \"output_length\": 1}",
            "{\"session_id\": \"s\", \"timestamp\": 700, \"input_length\": 19, \"output_length\": 1}");

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("DISPATCH s#0 +700 ms, COMPLETION s#0 +0 ms");
  }

  /**
   * perf_analyzer#301: a session that mixes delays and stamps; a row with neither is no silent
   * skip.
   */
  @Tag("report-32")
  @Test
  void delaysAndStampsInOneSession() {
    String turn = "{\"session_id\": \"s\", %s\"input_length\": 9, \"output_length\": 1}";
    Trace trace =
        TraceText.read(
            turn.formatted("\"timestamp\": 0, "),
            turn.formatted("\"delay\": 250, "),
            turn.formatted("\"timestamp\": 900, "),
            turn.formatted("\"timestamp\": 990, \"delay\": 5, "));

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("COMPLETION s#0 +250 ms");
    assertThat(EdgeText.of(trace, "s#2")).isEqualTo("DISPATCH s#0 +900 ms, COMPLETION s#1 +0 ms");
    assertThat(EdgeText.of(trace, "s#3")).isEqualTo("COMPLETION s#2 +5 ms");
    assertFails(
        "neither",
        "timestamp: found nothing, expected a time in ms, or a delay",
        turn.formatted("\"timestamp\": 0, "),
        turn.formatted(""));
  }

  /** ai-dynamo/dynamo#13897: requests that overlapped keep their recorded starts. */
  @Tag("report-28")
  @Test
  void overlappingRequestsOfOneSession() {
    Trace trace =
        TraceText.read(record("a", "s", null, 0, 5000), record("b", "s", null, 2000, 3000));

    assertThat(arrivals(trace)).containsExactly(0, 2_000_000_000L);
    assertThat(trace.provenance().counters())
        .containsEntry(
            "requests received before the turn before them had ended; they wait for it", 1L);
  }

  /**
   * ai-dynamo/dynamo#14799 and #10944: a request without an end record; rows with and without
   * context.
   */
  @Tag("report-29")
  @Tag("report-30")
  @Test
  void eventsOfRequestsThatNeverEnded() {
    Trace trace =
        TraceText.read(
            record("a", "s", null, 0, 100),
            "{\"event_type\":\"tool_end\",\"agent_context\":{\"session_id\":\"gone\"},\"tool\":{\"tool_class\":\"x\",\"started_at_unix_ms\":5}}",
            record("b", null, null, 50, 100));

    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.provenance().counters())
        .containsEntry("tools that no request of the trace called", 1L);
  }
}
