package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code cache.reference: infinite-cache} beside a pool that is much too small. */
class InfiniteCacheTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"vllm-2026-07", "vllm-2026-05", "trtllm-2026-07", "sglang-2026-07"})
  void nothingIsEvictedAndNoRunIsBetterServed(String preset) throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    Path file =
        Files.writeString(
            folder.resolve("two.yaml"),
            """
            trace: {files: small.jsonl, blockSize: 64}
            cluster: {pools: [{workers: 1}]}
            engine: {preset: %s, blockSize: 64, kvBlocks: 24}
            variants:
              - {name: small, set: {routing.policy: round-robin}}
              - {name: infinite-cache, set: {cache.reference: infinite-cache}}
            """
                .formatted(preset));
    Orrery.Outcome outcome = Orrery.run("run", file.toString(), "--json").succeeded();
    JsonNode runs = new ObjectMapper().readTree(outcome.out()).path("runs");
    JsonNode small = runs.path(0).path("summary");
    JsonNode infinite = runs.path(1).path("summary");

    assertThat(small.path("ledger_tokens").path("evicted").asLong()).isPositive();
    assertThat(infinite.path("ledger_tokens").path("evicted").asLong()).isZero();
    assertThat(infinite.path("ledger_tokens").path("queue_evicted").asLong()).isZero();
    assertThat(infinite.path("preemptions").asLong()).isZero();
    assertThat(infinite.path("hit_rate").path("tokens").asDouble())
        .isGreaterThan(small.path("hit_rate").path("tokens").asDouble())
        .isLessThanOrEqualTo(infinite.path("hit_rate").path("bound").asDouble());
    assertThat(infinite.path("requests").path("completed"))
        .isEqualTo(small.path("requests").path("completed"));
    assertThat(infinite.path("headroom").has("kv_pool_tokens")).isFalse();
    assertThat(outcome.err()).contains("infinite-cache is a reference");
  }
}
