package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What vLLM's and SGLang's benchmarks write. */
class BenchmarkReaderTest {
  /** Sent 0.5 s apart; the second one failed, the third one came without being streamed. */
  private static final String VLLM =
      """
      {"date": "20260901-101010", "backend": "openai", "model_id": "m", "request_rate": "inf", "duration": 12.3, "completed": 3, "failed": 1, "request_throughput": 1.0, "mean_ttft_ms": NaN, \
      "input_lens": [100, 200, 300, 400], "output_lens": [3, 0, 5, 1], "ttfts": [0.25, 0.0, 1.5, 0.125], "itls": [[0.5, 0.25], [], [], []], "latencies": [1.0625, 0.0, 1.5, 0.125], \
      "start_times": [163221.25, 163221.5, 163221.75, 163222.25], "generated_texts": ["a", "", "b", "c"], "errors": ["", "Traceback (most recent call last)", "", ""]}
      """;

  @Test
  void aRunOfVllm() {
    Trace trace = TraceText.read(VLLM);

    assertThat(trace.requestCount()).isEqualTo(3);
    assertThat(trace.sharedClock()).isTrue();
    assertThat(trace.arrivalNanos(0)).isZero();
    assertThat(trace.arrivalNanos(1)).isEqualTo(500_000_000);
    assertThat(trace.arrivalNanos(2)).isEqualTo(1_000_000_000);
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(250_000_000);
    // as measured, not 0.25 + 0.5 + 0.25
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(1_062_500_000);
    assertThat(trace.provenance().counters()).containsEntry("failed requests, left out", 1L);
  }

  /** Five tokens without a time between them: 1.5 s is when the last one was there. */
  @Test
  void anOutputInOnePieceHasNoTimeToItsFirstToken() {
    Trace trace = TraceText.read(VLLM);

    assertThat(trace.outputTokens(1)).isEqualTo(5);
    assertThat(trace.recordedTtftNanos(1)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(1_500_000_000);
    // one token has no time between tokens anyway
    assertThat(trace.recordedTtftNanos(2)).isEqualTo(125_000_000);
    assertThat(trace.provenance().counters())
        .containsEntry("outputs that came in one piece, whose first token has no time", 1L);
  }

  /** Older files: the total is the first token's time and those between tokens. */
  @Test
  void withoutLatenciesTimesAreSummedUp() {
    Trace trace = TraceText.read(VLLM.replace("latencies", "unused"));

    assertThat(trace.recordedTotalNanos(0)).isEqualTo(1_000_000_000);
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(1_500_000_000);
  }

  /** SGLang writes Infinity for a rate without limit, and no starts. */
  @Test
  void aRunOfSglang() {
    Trace trace =
        TraceText.read(
            "{\"backend\": \"sglang\", \"request_rate\": Infinity, \"duration\": 3.5, \"completed\": 2,"
                + " \"input_lens\": [100, 200], \"output_lens\": [2, 3], \"ttfts\": [0.5, 0.25],"
                + " \"itls\": [[0.5], [0.25, 0.5]], \"errors\": [\"\", \"\"]}");

    assertThat(trace.sharedClock()).isFalse();
    assertThat(trace.recordedTtftNanos(1)).isEqualTo(250_000_000);
    assertThat(trace.recordedTotalNanos(1)).isEqualTo(1_000_000_000);
  }

  @Test
  void resultsWithoutTheListsOfRequestsSayWhatToAskFor() {
    assertThatThrownBy(
            () ->
                TraceText.read(
                    "{\"backend\": \"vllm\", \"duration\": 3.5, \"completed\": 2, \"total_input_tokens\": 9,"
                        + " \"request_throughput\": 1.0, \"latencies\": [1.0, 2.0]}"))
        .hasMessage(
            "trace.jsonl:1: trace format: found a benchmark's results without its requests, expected"
                + " those with input_lens and output_lens (vllm bench serve --save-detailed,"
                + " sglang.bench_serving --output-details)");
  }

  /** Runs that were appended to one file are not one load. */
  @Test
  void aSecondRunIsRefused() {
    assertThatThrownBy(() -> TraceText.read(VLLM + VLLM))
        .hasMessage("trace.jsonl:2: found a second run, expected the results of one run");
  }
}
