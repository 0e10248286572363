package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Waits that a file says, or that follow from ends, where the starts contradict them. */
class RecordedWaitsTest {
  private static final String NOT_USED =
      "waits longer than the time since the turn before them began, not used";
  private static final String START_TO_START = "turns released by a start-to-start gap";

  /**
   * 10 s from start to start: a wait of 12 s is none. With a recorded end at 4 s, 6 s are left;
   * without, the starts keep their distance.
   */
  @Test
  void aMappedWaitThatCannotBe() {
    TraceOptions columns =
        TraceOptions.defaults()
            .withColumns(
                ColumnMapping.parse(
                    "session=user,timestamp=ts:s,end=end:s,wait=idle:s,input=i,output=o"));
    Trace trace =
        TraceText.read(
            columns,
            "user,ts,end,idle,i,o",
            "a,0,4,,8,1",
            "a,10,14,12,8,1",
            "b,0,,,8,1",
            "b,10,,12,8,1",
            "c,0,,,8,1",
            "c,10,,10.5,8,1");

    assertThat(EdgeText.of(trace, "a#1")).isEqualTo("COMPLETION a#0 +6000 ms");
    assertThat(EdgeText.of(trace, "b#1")).isEqualTo("DISPATCH b#0 +10000 ms, COMPLETION b#0 +0 ms");
    assertThat(EdgeText.of(trace, "c#1")).isEqualTo("COMPLETION c#0 +10500 ms");
    assertThat(trace.provenance().counters())
        .containsEntry(NOT_USED, 2L)
        .containsEntry(START_TO_START, 1L);
  }

  @Test
  void aThinkTimeOfBlisThatCannotBe() {
    Trace trace =
        TraceText.read(
            "request_id,session_id,round_index,input_tokens,output_tokens,arrival_time_us,"
                + "send_time_us,first_chunk_time_us,last_chunk_time_us,think_time_us,status",
            "0,s,0,100,50,0,0,1000,3000000,0,ok",
            "1,s,1,100,50,9000000,9000000,0,0,6000000,ok",
            "2,s,2,100,50,12000000,12000000,0,0,9000000,ok");

    assertThat(EdgeText.of(trace, "1")).isEqualTo("COMPLETION 0 +6000 ms");
    assertThat(EdgeText.of(trace, "2")).isEqualTo("DISPATCH 1 +3000 ms, COMPLETION 1 +0 ms");
    assertThat(trace.provenance().counters()).containsEntry(NOT_USED, 1L);
  }

  /** A round of which only what went in is dated has no end. */
  @Test
  void aRoundWithoutOutputInTimeHasNoEnd() {
    String round =
        "{\"session_id\": \"s\", \"round_index\": %d, \"input_tokens_total\": 64, \"output_tokens\": 4,"
            + " \"timing_events\": [{\"event_type\": \"%s\", \"timestamp\": \"2026-08-25T00:00:0%dZ\"}]}";
    Trace trace =
        TraceText.read(
            round.formatted(0, "user_message", 0),
            round.formatted(1, "assistant_message", 3),
            round.formatted(2, "tool_result", 8));

    assertThat(trace.recordedTotalNanos(0)).isEqualTo(Trace.NO_TIME);
    assertThat(EdgeText.of(trace, "s#1")).isEqualTo("DISPATCH s#0 +3000 ms, COMPLETION s#0 +0 ms");
    // what came out is an end, even if nobody knows the start
    assertThat(EdgeText.of(trace, "s#2")).isEqualTo("COMPLETION s#1 +5000 ms");
  }
}
