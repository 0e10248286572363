package io.orrery.scenarios.fidelity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.models.Catalog;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small open-loop run, as LLMServingSim writes it. */
class RequestRunTest {
  @TempDir Path folder;

  private Path run(String second) throws IOException {
    Files.writeString(
        folder.resolve("small.meta.json"),
        """
        {"model": "Qwen/Qwen3-32B", "vllm_version": "0.19.0",
         "engine_kwargs": {"tensor_parallel_size": 2, "max_num_seqs": 128, "max_num_batched_tokens": 2048},
         "dataset_path": "workloads/two.jsonl",
         "kv_cache": {"num_gpu_blocks": 9000, "gpu_memory_utilization": 0.9}}
        """);
    Files.writeString(
        folder.resolve("small.config.json"),
        """
        {"link_bw": 16, "link_latency": 20000,
         "nodes": [{"instances": [{"hardware": "RTXPRO6000"}]}]}
        """);
    Files.writeString(
        folder.resolve("two.mooncake16.jsonl"),
        """
        {"timestamp": 100, "input_length": 40, "output_length": 5, "hash_ids": [0, 1, 2]}
        {"timestamp": 400, "input_length": 33, "output_length": 3, "hash_ids": [3, 4, 5]}
        """);
    Path file = folder.resolve("small" + RequestRun.SUFFIX);
    Files.write(
        file,
        List.of(
            "{\"request_id\": \"a\", \"input_toks\": 40, \"output_toks\": 5, \"arrival_time\": 1000.5,"
                + " \"queued_ts\": 7.0, \"scheduled_ts\": 7.0, \"first_token_ts\": 7.1,"
                + " \"last_token_ts\": 7.5}",
            second));
    return file;
  }

  private static final String SECOND =
      "{\"request_id\": \"b\", \"input_toks\": 33, \"output_toks\": 3, \"arrival_time\": 1000.8,"
          + " \"queued_ts\": 7.4, \"scheduled_ts\": 7.4, \"first_token_ts\": 7.6,"
          + " \"last_token_ts\": 7.8}";

  /**
   * The first request is queued at once, so its clocks agree: arrival 0, first token at 0.1 s. The
   * second arrives at 0.3 s, and gets its first token at 0.6 s.
   */
  @Test
  void timesAreOfOneClock() throws IOException {
    RequestRun run = RequestRun.read(run(SECOND));
    assertThat(run.gpu()).isEqualTo("rtx-pro-6000");
    assertThat(run.linkBytesPerSecond()).isEqualTo(16e9);
    assertThat(run.linkLatencyMicros()).isEqualTo(20);
    Told told = run.measured(0, 2);
    assertThat(told.ttftMillis()).isCloseTo(200, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(told.tpotMillis()).isCloseTo(100, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(told.endToEndMillis()).isCloseTo(500, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(told.tokensPerSecond()).isCloseTo(10, org.assertj.core.data.Offset.offset(1e-6));
  }

  @Test
  void aRunIsJudgedAsShippedAndByItsFirstHalf() throws IOException {
    FidelityRun run = new FidelityRun(Catalog.bundled(), StepTimeChoice.LAW, 1);
    run.add(run(SECOND), configuration -> configuration.engine().equals("vllm"));
    FidelityResult result = run.run(replayed -> {});
    assertThat(result.rows()).hasSize(2);
    assertThat(result.rows().get(0).configuration().requests()).isEqualTo("1-2");
    assertThat(result.rows().get(1).configuration().requests()).isEqualTo("2-2");
    assertThat(result.rows().get(1).judgement()).isEqualTo(Judgement.FIRST_HALF);
    assertThat(result.quantiles()).hasSize(9);
    FidelityResult.Quantile median = result.quantiles().get(0);
    assertThat(median.metric()).isEqualTo(Metric.TTFT);
    assertThat(median.measured()).isCloseTo(100, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(result.pools()).hasSize(1);
    assertThat(result.pools().get(0).measuredBlocks()).isEqualTo(9000);
    assertThat(result.pools().get(0).toldBlocks()).isBetween(20_000L, 40_000L);
  }

  @Test
  void badInputIsNamed() throws IOException {
    Path file = run(SECOND.replace("7.6", "\"soon\""));
    assertThatThrownBy(() -> RequestRun.read(file))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(file + ":2: first_token_ts: found \"soon\", expected a number");
    Path other = run(SECOND.replace("33", "34"));
    assertThatThrownBy(() -> RequestRun.read(other))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(":2: input_toks, output_toks: found 34, 3, expected 33, 3");
    Files.delete(folder.resolve("small.meta.json"));
    assertThatThrownBy(() -> RequestRun.read(other))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("small.meta.json: found no such file");
  }
}
