package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MooncakeReaderTest {
  @Test
  void rowsWithoutSessionsStartAtTheirTimestamps() {
    Trace trace =
        TraceText.read(
            "{\"timestamp\": 27000, \"input_length\": 1200, \"output_length\": 52, \"hash_ids\": [46, 47, 99]}",
            "{\"timestamp\": 27482.5, \"input_length\": 1024, \"output_length\": 1, \"hash_ids\": [46, 48]}");

    assertThat(trace.blockSize()).isEqualTo(512);
    assertThat(trace.sharedClock()).isTrue();
    assertThat(trace.requestCount()).isEqualTo(2);
    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.arrivalNanos(0)).isZero();
    assertThat(trace.arrivalNanos(1)).isEqualTo(482_500_000);
    assertThat(trace.inputTokens(0)).isEqualTo(1200);
    assertThat(trace.outputTokens(0)).isEqualTo(52);
    // 1,200 tokens: two full blocks and a partial one
    assertThat(trace.identifiedBlocks(0)).isEqualTo(2);
    assertThat(trace.partialBlock(0)).isEqualTo(2);
    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0][3]");
    assertThat(trace.partialBlock(1)).isEqualTo(-1);
    assertThat(trace.requestId(1)).isEqualTo("session-1#0");
    assertThat(trace.provenance().counters()).isEmpty();
    assertThat(trace.provenance().timeUnit()).isEqualTo("ms");
  }

  @Test
  void aTurnWithADelayStartsThatLongAfterTheTurnBeforeItCompletes() {
    Trace trace =
        TraceText.read(
            "{\"session_id\": \"a\", \"request_id\": \"x\", \"timestamp\": 1000, \"input_length\": 2048, \"output_length\": 128, \"hash_ids\": [1, 2, 3, 4]}",
            "{\"session_id\": \"b\", \"timestamp\": 1100, \"input_length\": 9, \"output_length\": 1, \"hash_ids\": [9], \"priority\": 3}",
            "{\"session_id\": \"a\", \"delay\": 250, \"input_length\": 2300, \"output_length\": 64, \"hash_ids\": [1, 2, 3, 4, 5]}");

    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(EdgeText.of(trace, "a#1")).isEqualTo("COMPLETION x +250 ms");
    assertThat(trace.arrivalNanos(2)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.priority(1)).isEqualTo(3);
    assertThat(trace.priority(0)).isZero();
    // 2,048 + 128 - 1 tokens touch five blocks, of which the next turn identifies four
    assertThat(trace.namedBlocks(0)).isEqualTo(4);
  }

  @Test
  void aTurnWithATimestampOnlyKeepsTheRecordedSpacingButWaitsForTheTurnBeforeIt() {
    Trace trace =
        TraceText.read(
            "{\"session_id\": 7, \"timestamp\": 0, \"input_length\": 9, \"output_length\": 1}",
            "{\"session_id\": 7, \"timestamp\": 400, \"input_length\": 9, \"output_length\": 1}",
            "{\"session_id\": 7, \"timestamp\": 600, \"delay_ms\": 5, \"input_length\": 9, \"output_length\": 1}",
            "{\"session_id\": 7, \"delay\": 8, \"input_length\": 9, \"output_length\": 1}",
            "{\"session_id\": 7, \"timestamp\": 900, \"input_length\": 9, \"output_length\": 1}");

    assertThat(EdgeText.of(trace, "7#1")).isEqualTo("DISPATCH 7#0 +400 ms, COMPLETION 7#0 +0 ms");
    assertThat(EdgeText.of(trace, "7#2")).isEqualTo("COMPLETION 7#1 +5 ms");
    assertThat(EdgeText.of(trace, "7#3")).isEqualTo("COMPLETION 7#2 +8 ms");
    // the row before has no stamp: the spacing counts from the last one that has
    assertThat(EdgeText.of(trace, "7#4")).isEqualTo("DISPATCH 7#2 +300 ms, COMPLETION 7#3 +0 ms");
    assertThat(trace.provenance().counters())
        .containsEntry("turns released by a start-to-start gap", 2L)
        .containsEntry("requests without block hashes", 5L);
  }

  @Test
  void acceptsOtherNamesExtraKeysAndCountsWhatIsOdd() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withBlockSize(16),
            "{\"created_time\": 5, \"input_tokens\": 33, \"output_tokens\": 0, \"hash_ids\": [1, 2], \"group_id\": {\"a\": [1]}}",
            "{\"timestamp\": 3, \"input_length\": 33, \"output_length\": 4.0, \"hash_ids\": [1]}",
            "{\"timestamp\": 4, \"input_length\": 33, \"output_length\": 4, \"hash_ids\": null}",
            "{\"session_id\": \"s\", \"delay\": 9, \"timestamp\": 6, \"input_length\": 33, \"output_length\": 4}");

    assertThat(trace.blockSize()).isEqualTo(16);
    assertThat(trace.inputTokens(2)).isEqualTo(33);
    assertThat(trace.outputTokens(2)).isEqualTo(1);
    assertThat(trace.arrivalNanos(0)).isZero();
    assertThat(trace.provenance().counters())
        .containsEntry("prompts without a hash for their partial last block", 1L)
        .containsEntry("prompts with fewer hashes than full blocks, the rest unidentified", 1L)
        .containsEntry("requests without block hashes", 2L)
        .containsEntry("requests without output, replayed as one token", 1L)
        .containsEntry("rows out of time order, sorted", 2L)
        .containsEntry("delays in the first row of a session, without effect", 1L)
        .hasSize(6);
  }

  @Test
  void unsortedRowsAreSortedAndEqualStampsKeepTheirOrder() {
    Trace trace =
        TraceText.read(
            "{\"request_id\": \"c\", \"timestamp\": 20, \"input_length\": 1, \"output_length\": 1}",
            "{\"request_id\": \"a\", \"timestamp\": 10, \"input_length\": 1, \"output_length\": 1}",
            "{\"request_id\": \"d\", \"timestamp\": 20, \"input_length\": 1, \"output_length\": 1}",
            "{\"request_id\": \"b\", \"timestamp\": 10, \"input_length\": 1, \"output_length\": 1}");

    assertThat(
            new String[] {
              trace.requestId(0), trace.requestId(1), trace.requestId(2), trace.requestId(3)
            })
        .containsExactly("a", "b", "c", "d");
    assertThat(trace.provenance().counters()).containsEntry("rows out of time order, sorted", 2L);
  }

  @Test
  void rowsThatLookLikeIncrementsGetANote() {
    Trace trace =
        TraceText.read(
            TraceOptions.defaults().withFormat(TraceFormat.MOONCAKE),
            "{\"session_id\": \"s\", \"timestamp\": 0.0, \"input_length\": 1024, \"output_length\": 9, \"hash_ids\": [0, 1]}",
            "{\"session_id\": \"s\", \"delay\": 2347.4, \"input_length\": 499, \"output_length\": 5, \"hash_ids\": [2]}");

    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("COMPLETION s#0 +2347.4 ms");
    assertThat(trace.provenance().notes())
        .containsExactly(
            "No turn continues the prompt of the turn before it: if these rows are increments (mooncake-delta), the"
                + " prompts must be summed up first.");
  }
}
