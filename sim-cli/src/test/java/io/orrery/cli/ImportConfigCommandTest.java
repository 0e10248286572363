package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportConfigCommandTest {
  @TempDir private Path folder;

  private Outcome imported(String text) throws IOException {
    return Orrery.run(
        "import-config", Files.writeString(folder.resolve("config"), text).toString());
  }

  /** What is printed is a scenario that loads. */
  private void loads(String keys) throws IOException {
    Path scenario = folder.resolve("scenario.yaml");
    String trace = Path.of("traces/quickstart.jsonl.gz").toAbsolutePath().toString();
    Files.writeString(scenario, "trace: {files: ['" + trace + "'], lanes: {limit: 2}}\n" + keys);
    Orrery.run("validate", scenario.toString()).succeeded();
  }

  @Test
  void vllmServe() throws IOException {
    Outcome outcome =
        imported(
                """
            #!/bin/sh
            export FOO=1  # not ours
            vllm serve Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8 \\
              --tensor-parallel-size 2 --gpu-memory-utilization=0.9 --max-num-seqs 256 \\
              --max-model-len 64K --kv-cache-dtype fp8 --no-enable-prefix-caching \\
              --port 8000 --speculative-config '{"method": "mtp"}' --enforce-eager
            """)
            .succeeded();
    assertThat(outcome.out())
        .contains("model: qwen3-coder-30b-a3b\n")
        .contains("tensorParallel: 2\n")
        .contains("gpuMemoryUtilization: 0.9\n")
        .contains("weights: fp8\n")
        .contains("kv: fp8\n")
        .contains("maxSequences: 256\n")
        .contains("maxModelLength: 65536\n")
        .contains("prefixCaching: false\n");
    assertThat(outcome.err())
        .contains("--speculative-config {\"method\": \"mtp\"}: has no counterpart here")
        .contains("--enforce-eager: has no counterpart here")
        .doesNotContain("--port");
    loads(outcome.out());
  }

  @Test
  void dynamoRouter() throws IOException {
    Outcome outcome =
        imported(
                """
            python -m dynamo.frontend --router-mode kv --router-temperature 0.5 \\
              --router-overlap-score-credit 2 --no-router-kv-events --router-ttl-secs 60 \\
              --router-queue-threshold 4 --router-queue-policy wspt --router-replica-sync \\
              --active-decode-blocks-threshold 0.9 --kv-cache-block-size 64 --http-port 8000 --busy
            """)
            .succeeded();
    assertThat(outcome.out())
        .isEqualTo(
            """
            engine:
              blockSize: 64
            routing:
              policy: dynamo-2026-07
              temperature: 0.5
              overlapScoreCredit: 2
              index: approximate
              approximateTtl: 60 s
              queue:
                threshold: 4
                order: wspt
              replicaDelay: 0 s
              busyBlocks: 0.9
            """);
    assertThat(outcome.err())
        .isEqualTo("orrery: dynamo --busy: has no counterpart here, left out.\n");
    loads(outcome.out());
    Outcome affinity =
        imported("dynamo.router --router-session-affinity-ttl-secs 600 --router-temperature 1")
            .succeeded();
    assertThat(affinity.out()).isEqualTo("routing:\n  ttl: 600 s\n  policy: session-affinity\n");
    assertThat(affinity.err()).contains("the KV router's arguments are left out");
    loads(affinity.out());
  }

  @Test
  void llmdScheduler() throws IOException {
    Outcome outcome =
        imported(
                """
            apiVersion: inference.networking.x-k8s.io/v1alpha1
            kind: EndpointPickerConfig
            plugins:
            - type: queue-scorer
            - type: kv-cache-utilization-scorer
            - type: prefix-cache-scorer
              name: prefix
              parameters: {maxPrefixBlocksToMatch: 512, lruCapacityPerServer: 31250}
            - type: lora-affinity-scorer
            - type: max-score-picker
            schedulingProfiles:
            - name: default
              plugins:
              - {pluginRef: queue-scorer, weight: 2}
              - {pluginRef: kv-cache-utilization-scorer, weight: 1.5}
              - {pluginRef: prefix, weight: 3}
              - {pluginRef: lora-affinity-scorer}
              - {pluginRef: max-score-picker}
            """)
            .succeeded();
    assertThat(outcome.out())
        .isEqualTo(
            """
            routing:
              policy: scorers
              maxPrefixBlocks: 512
              prefixWeight: 3
              queueWeight: 2
              kvWeight: 1.5
              runningWeight: 0
              metricsInterval: 50 ms
            """);
    assertThat(outcome.err())
        .contains("prefix-cache-scorer lruCapacityPerServer: has no counterpart here")
        .contains("lora-affinity-scorer: has no counterpart here")
        .doesNotContain("max-score-picker");
    loads(outcome.out());
  }

  @Test
  void whatIsNoneOfTheseIsRefused() throws IOException {
    Outcome outcome = imported("hello world\n");
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("expected a command \"vllm serve\"");
    assertThat(Orrery.run("import-config", "nowhere").status()).isEqualTo(2);
  }
}
