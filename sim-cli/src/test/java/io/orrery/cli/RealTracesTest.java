package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Public traces, from file to summary. */
class RealTracesTest {
  private static Path trace(String name) {
    Path file = Path.of(System.getProperty("orrery.data", "no-such-folder")).resolve(name);
    assumeTrue(Files.exists(file), "skipped: needs " + name + " (-Dorrery.data=DIR)");
    return file;
  }

  private static JsonNode run(String... args) {
    return Orrery.run(args).json();
  }

  /**
   * Mooncake's conversations at its own block size. An unlimited cache finds 36.64 % of the blocks;
   * the bound is that in tokens, where a prompt's last block never counts.
   */
  @Test
  void mooncakeConversations() throws IOException {
    JsonNode document =
        run(
            "run",
            "--trace",
            trace("traces/mooncake/conversation_trace.jsonl").toString(),
            "--set",
            "cluster.pools.main.workers=8",
            "--set",
            "engine.blockSize=512",
            "--set",
            "stepTime.model=polynomial",
            "--json");

    assertThat(document.at("/traces/0/requests").intValue()).isEqualTo(12_031);
    JsonNode summary = document.at("/runs/0/summary");
    assertThat(summary.at("/requests/completed").intValue()).isEqualTo(12_031);
    assertThat(summary.at("/hit_rate/bound").doubleValue()).isBetween(0.36, 0.3736);
    assertAddsUp(summary, 8);
  }

  /** Sessions of Claude Code, each with a clock of its own, on 16 workers in lanes. */
  @Test
  void claudeCodeSessions() throws IOException {
    JsonNode document =
        run(
            "run",
            "--trace",
            trace("traces/claude-code/claude-code-40.jsonl.gz").toString(),
            "--set",
            "cluster.pools.main={workers: 4, gpu: b200, model: minimax-m2, tensorParallel: 2,"
                + " precision: {weights: nvfp4, kv: fp8}}",
            "--set",
            "engine.blockSize=64",
            "--set",
            "routing.policy=kv-aware",
            "--json");

    assertThat(document.at("/assumptions").toString()).contains("Dispatch is by lanes", "32 lanes");
    JsonNode summary = document.at("/runs/0/summary");
    int dispatched = summary.at("/requests/dispatched").intValue();
    assertThat(dispatched).isEqualTo(document.at("/traces/0/requests").intValue());
    assertThat(summary.at("/requests/completed").intValue())
        .isEqualTo(dispatched - summary.at("/requests/rejected").intValue());
    assertThat(summary.at("/sessions/completed")).isEqualTo(summary.at("/sessions/count"));
    assertThat(summary.at("/concurrency/live/max").intValue()).isEqualTo(32);
    assertThat(summary.at("/hit_rate/tokens").doubleValue()).isBetween(0.5, 1.0);
    assertAddsUp(summary, 8);
  }

  private static void assertAddsUp(JsonNode summary, int gpus) {
    assertThat(sum(summary.get("ledger_tokens")))
        .isEqualByComparingTo(new BigDecimal(summary.at("/tokens/input").asText()));
    assertThat(summary.at("/ledger_tokens/unreachable").longValue()).isZero();
    assertThat(sum(summary.get("gpu_seconds")))
        .isEqualByComparingTo(
            new BigDecimal(summary.get("simulated_s").asText()).multiply(BigDecimal.valueOf(gpus)));
    assertThat(summary.at("/hit_rate/tokens").doubleValue())
        .isLessThanOrEqualTo(summary.at("/hit_rate/bound").doubleValue());
  }

  private static BigDecimal sum(JsonNode parts) {
    BigDecimal sum = BigDecimal.ZERO;
    for (JsonNode part : parts) {
      sum = sum.add(new BigDecimal(part.asText()));
    }
    return sum;
  }
}
