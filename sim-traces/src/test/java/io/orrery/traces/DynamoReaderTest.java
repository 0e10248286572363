package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DynamoReaderTest {
  @Test
  void readsTheDocumentedRecordBareAndWrapped() {
    String bare =
        """
        {"schema":"dynamo.request.trace.v1","event_type":"request_end","event_time_unix_ms":1777312801000,
         "event_source":"dynamo","agent_context":{"session_id":"s"},
         "request":{"request_id":"r","x_request_id":"llm-call-42","model":"m","input_tokens":128,"output_tokens":16,
          "cached_tokens":112,"request_received_ms":1777312800000,"ttft_ms":82.4,"total_time_ms":1000.1,
          "worker":{"prefill_worker_id":0},
          "replay":{"trace_block_size":64,"input_length":128,"input_sequence_hashes":[14879255164371896291,274632075616497421]},
          "finish_reason_metadata":{"finish_reason":"tool_calls","tool_calls":[{"choice_index":0}]}}}""";
    String tool =
        "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"tool_end\",\"session_id\":\"s\",\"tool\":{\"status\":\"succeeded\"}}";
    for (boolean wrapped : new boolean[] {false, true}) {
      Trace trace =
          wrapped
              ? TraceText.read(
                  "{\"timestamp\":1234,\"event\":" + bare + "}",
                  "{\"timestamp\":1235,\"event\":" + tool + "}")
              : TraceText.read(bare, tool);

      assertThat(trace.requestCount()).isEqualTo(1);
      assertThat(trace.blockSize()).isEqualTo(64);
      assertThat(trace.requestId(0)).isEqualTo("r");
      assertThat(trace.sessionId(0)).isEqualTo("s");
      assertThat(trace.arrivalNanos(0)).isZero();
      assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
      assertThat(trace.recordedTtftNanos(0)).isEqualTo(82_400_000);
      assertThat(trace.recordedTotalNanos(0)).isEqualTo(1_000_100_000);
      assertThat(trace.recordedCachedTokens(0)).isEqualTo(112);
      assertThat(trace.provenance().counters())
          .containsEntry("tool_end events without a session, a tool or a time, not joined", 1L);
    }
  }

  @Tag("report-unsigned-hashes")
  @Test
  void hashesAreUnsignedAndBelongToAModel() {
    Trace trace =
        TraceText.read(
            record("a", 0, 10, "", "m", 64, "18446744073709551615"),
            record("b", 20, 30, "", "m", 64, "18446744073709551615"),
            record("c", 40, 50, "", "other", 64, "18446744073709551615"));

    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0]");
    assertThat(RunText.prompt(trace, 2)).isEqualTo("[1]");
  }

  @Tag("report-completion-order")
  @Test
  void recordsInCompletionOrderAreSortedByReceipt() {
    Trace trace =
        TraceText.read(
            record("short", 500, 600, "", "m", 64, "1"),
            record("long", 100, 900, "", "m", 64, "1"));

    assertThat(trace.requestId(0)).isEqualTo("long");
    assertThat(trace.arrivalNanos(1)).isEqualTo(400_000_000);
  }

  @Test
  void requestsOfOneSessionRunInOrderWithEndToStartGaps() {
    Trace trace =
        TraceText.read(
            record("a2", 1500, 1800, "\"session_id\":\"s\"", "m", 128, "1,2"),
            record("a1", 0, 1000, "\"session_id\":\"s\"", "m", 64, "1"),
            record("a3", 1700, 2000, "\"session_id\":\"s\"", "m", 128, "1,2"));

    assertThat(trace.sessionCount()).isEqualTo(1);
    assertThat(trace.requestId(trace.request(0, 1))).isEqualTo("a2");
    assertThat(EdgeText.of(trace, "a1")).isEmpty();
    assertThat(EdgeText.of(trace, "a2")).isEqualTo("COMPLETION a1 +500 ms");
    // a3 was received before a2 had ended
    assertThat(EdgeText.of(trace, "a3")).isEqualTo("COMPLETION a2 +0 ms");
    assertThat(trace.provenance().counters())
        .containsEntry(
            "requests received before the turn before them had ended; they wait for it", 1L);
  }

  /**
   * Parent: p1 0..1000, p2 3000..3500. Child c: 1200..2000 and 2100..2600. The child starts 200 ms
   * after p1; p2 waits for both p1 and the child's last request, 400 ms after the later of them.
   */
  @Test
  void aChildStartsAfterTheParentsLastEndedRequestAndTheNextOneWaitsForIt() {
    String child = "\"session_id\":\"c\",\"parent_session_id\":\"p\"";
    Trace trace =
        TraceText.read(
            record("p1", 0, 1000, "\"session_id\":\"p\"", "m", 64, "1"),
            record("c1", 1200, 2000, child, "m", 64, "5"),
            record("c2", 2100, 2600, child, "m", 128, "5,6"),
            record("p2", 3000, 3500, "\"session_id\":\"p\"", "m", 64, "1"));

    assertThat(trace.parentSession(1)).isZero();
    assertThat(EdgeText.of(trace, "c1")).isEqualTo("COMPLETION p1 +200 ms");
    assertThat(EdgeText.of(trace, "c2")).isEqualTo("COMPLETION c1 +100 ms");
    assertThat(EdgeText.of(trace, "p2")).isEqualTo("COMPLETION p1 +400 ms, COMPLETION c2 +400 ms");
  }

  @Test
  void aChildOfARunningRequestStartsOnItsDispatchAndABackgroundChildIsNotWaitedFor() {
    Trace trace =
        TraceText.read(
            record(
                "c1", 300, 9000, "\"session_id\":\"c\",\"parent_session_id\":\"p\"", "m", 64, "5"),
            record("p1", 0, 1000, "\"session_id\":\"p\"", "m", 64, "1"),
            record("p2", 3000, 3500, "\"session_id\":\"p\"", "m", 64, "1"));

    assertThat(EdgeText.of(trace, "c1")).isEqualTo("DISPATCH p1 +300 ms");
    assertThat(EdgeText.of(trace, "p2")).isEqualTo("COMPLETION p1 +2000 ms");
    assertThat(trace.provenance().counters())
        .containsEntry("child sessions that nobody waits for", 1L);
  }

  @Test
  void aParentThatIsNotThereMakesARootSessionAndIsCounted() {
    Trace trace =
        TraceText.read(
            record(
                "r",
                0,
                10,
                "\"session_id\":\"c\",\"parent_session_id\":\"planner\"",
                "m",
                64,
                "1"));

    assertThat(trace.parentSession(0)).isEqualTo(-1);
    assertThat(trace.provenance().counters())
        .containsEntry("sessions whose parent is not in the trace, taken as root sessions", 1L);
    assertThat(trace.provenance().notes())
        .containsExactly(
            "Sessions whose parent is not in the trace are root sessions; the first is \"c\", whose parent would be"
                + " \"planner\".");
  }

  @Test
  void recordedCompletionHashesNameTheCompletionBlocks() {
    // 100 + 60 tokens in blocks of 64: the recorded list holds blocks 0, 1 (100 is in it) and the
    // partial 2
    Trace trace =
        TraceText.read(
            """
            {"event_type":"request_end","event_time_unix_ms":10,
             "request":{"request_id":"a","output_tokens":60,"request_received_ms":0,
             "replay":{"trace_block_size":64,"input_length":100,"input_sequence_hashes":[11,99],
             "completion_sequence_hashes":[11,22,33]}}}""",
            record("b", 20, 30, "", "", 128, "11,22"));

    assertThat(trace.identifiedBlocks(0)).isEqualTo(1);
    assertThat(trace.namedBlocks(0)).isEqualTo(2);
    int b = EdgeText.indexOf(trace, "b");
    assertThat(RunText.prompt(trace, b))
        .isEqualTo(RunText.prompt(trace, 0) + RunText.completion(trace, 0));
    assertThat(trace.provenance().counters())
        .containsEntry("prompts with a hash for their partial last block", 1L);
  }

  @Test
  void withoutAnEndTheSpacingOfTheStartsIsKept() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withBlockSize(64),
            "{\"event_type\":\"request_end\",\"agent_context\":{\"session_id\":\"s\"},\"request\":{\"request_received_ms\":100,\"input_tokens\":5,\"output_tokens\":1}}",
            "{\"event_type\":\"request_end\",\"agent_context\":{\"session_id\":\"s\"},\"request\":{\"request_received_ms\":350,\"input_tokens\":5,\"output_tokens\":1}}");

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("DISPATCH s#0 +250 ms, COMPLETION s#0 +0 ms");
    assertThat(trace.provenance().counters())
        .containsEntry("requests without block hashes", 2L)
        .containsEntry("turns released by a start-to-start gap", 1L);
  }

  /** The router counts tokens of its own, or none: the replay's length is what was prompted. */
  @Test
  void anInputOfZeroTokensDoesNotCountWhereTheReplayHasALength() {
    String record = record("a", 0, 10, "", "m", 64, "1");
    String zero = record.replace("\"output_tokens\":4", "\"output_tokens\":4,\"input_tokens\":0");

    assertThat(TraceText.read(zero).inputTokens(0)).isEqualTo(64);
    assertThatThrownBy(
            () ->
                TraceText.read(
                    "{\"event_type\":\"request_end\",\"request\":{\"request_received_ms\":5,\"output_tokens\":1,\"input_tokens\":0}}"))
        .hasMessage(
            "trace.jsonl:1: input_tokens: found 0, expected at least one token, or"
                + " replay.input_length");
  }

  /** Its start, or its end less its duration, or when its event was written. */
  @Test
  void aToolStartsBeforeItsEnd() {
    String tool =
        "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"%s\",\"event_time_unix_ms\":%d,"
            + "\"agent_context\":{\"session_id\":\"s\"},\"tool\":{\"tool_call_id\":\"c\",\"tool_class\":\"%s\"%s}}";
    long zero = 1_777_312_800_000L;
    Trace trace =
        TraceText.read(
            record("a1", 0, 1000, "\"session_id\":\"s\"", "m", 64, "1"),
            tool.formatted(
                "tool_end", zero + 1500, "read", ",\"started_at_unix_ms\":" + (zero + 1010)),
            tool.formatted(
                "tool_error",
                zero + 9000,
                "shell",
                ",\"ended_at_unix_ms\":" + (zero + 2500) + ",\"duration_ms\":1400.5"),
            tool.formatted("tool_end", zero + 1900, "search", ""),
            record("a2", 2000, 3000, "\"session_id\":\"s\"", "m", 64, "1"),
            tool.formatted("tool_end", zero + 3100, "fetch", ",\"duration_ms\":50"));

    assertThat(trace.recordedTools(0)).isEqualTo("read,shell,search");
    assertThat(trace.recordedTools(1)).isEqualTo("fetch");
  }

  /**
   * Parent: p1 0..1000, p2 1100..1500, p3 3000..3500. Child: 1600..2000. By the times p2 called it;
   * the file says p1 did, whose output p2 did not wait for, and p3 took the result.
   */
  @Test
  void whoCalledAChildAndTookItsResultCountsWhereItIsSaid() {
    String tool =
        "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"tool_end\",\"event_time_unix_ms\":1777312802500,"
            + "\"agent_context\":{\"session_id\":\"p\"},\"tool\":{\"tool_call_id\":\"c\",\"tool_class\":\"Task\",\"claude\":{"
            + "\"source_request_id\":\"p1\",\"consumer_request_id\":\"%s\",\"child_session_id\":\"c\",\"execution_mode\":\"background\"}}}";
    String[] records = {
      record("p1", 0, 1000, "\"session_id\":\"p\"", "m", 64, "1"),
      record("p2", 1100, 1500, "\"session_id\":\"p\"", "m", 64, "1"),
      record("c1", 1600, 2000, "\"session_id\":\"c\",\"parent_session_id\":\"p\"", "m", 64, "5"),
      record("p3", 3000, 3500, "\"session_id\":\"p\"", "m", 64, "1"),
      tool.formatted("p3")
    };
    Trace said = TraceText.read(records);

    assertThat(EdgeText.of(said, "c1")).isEqualTo("COMPLETION p1 +600 ms");
    assertThat(EdgeText.of(said, "p3")).isEqualTo("COMPLETION p2 +1000 ms, COMPLETION c1 +1000 ms");

    records[4] = tool.formatted("p1");
    Trace impossible = TraceText.read(records);

    assertThat(EdgeText.of(impossible, "c1")).isEqualTo("COMPLETION p2 +100 ms");
    assertThat(EdgeText.of(impossible, "p3")).isEqualTo("COMPLETION p2 +1500 ms");
    assertThat(impossible.provenance().counters())
        .containsEntry("calls of child sessions by requests that cannot have made them", 1L);
  }

  /** The older trace, as its sink wraps it, with the block hashes that its last versions have. */
  @Test
  void theOlderAgentTraceIsToldAlsoWhereASinkHasWrappedIt() {
    String record =
        record("a", 0, 1000, "\"session_id\":\"run\",\"trajectory_id\":\"run:x\"", "m", 128, "1,2")
            .replace("request.trace", "agent.trace");
    for (String text : List.of(record, "{\"timestamp\":7,\"event\":" + record + "}")) {
      Trace trace = TraceText.read(text);

      assertThat(trace.provenance().format()).isEqualTo("dynamo-agent");
      assertThat(trace.sessionId(0)).isEqualTo("run:x");
      assertThat(trace.blockSize()).isEqualTo(64);
      assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
      assertThat(trace.blocksKnown()).isTrue();
    }
  }

  private static String record(
      String id, long received, long end, String context, String model, int input, String hashes) {
    return "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"request_end\",\"event_time_unix_ms\":"
        + (1_777_312_800_000L + end)
        + (context.isEmpty() ? "" : ",\"agent_context\":{" + context + "}")
        + ",\"request\":{\"request_id\":\""
        + id
        + "\",\"model\":\""
        + model
        + "\",\"output_tokens\":4,\"request_received_ms\":"
        + (1_777_312_800_000L + received)
        + ",\"replay\":{\"trace_block_size\":64,\"input_length\":"
        + input
        + ",\"input_sequence_hashes\":["
        + hashes
        + "]}}}";
  }
}
