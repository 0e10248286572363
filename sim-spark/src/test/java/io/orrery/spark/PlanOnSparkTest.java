package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.spark.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanOnSparkTest {
  @TempDir Path folder;

  @Test
  void theAnswerIsTheLocalOneByteForByte() throws IOException {
    Samples.trace(folder.resolve("small.jsonl"));
    String scenario =
        Files.writeString(
                folder.resolve("plan.yaml"),
                """
                trace: {files: small.jsonl, blockSize: 64, lanes: {count: 12}, dispatch: lanes}
                cluster: {pools: [{workers: 2, gpu: h100}]}
                engine: {blockSize: 64}
                slo: {ttft: 400 ms, tokensPerSecondPerUser: 40}
                plan: {seeds: 2, window: 20 s, sizes: {from: 1, to: 64}}
                variants:
                  - {name: random, set: {routing.policy: random}}
                  - {name: kv, set: {routing.policy: kv-aware}}
                """)
            .toString();
    Path local = folder.resolve("local");
    Path spark = folder.resolve("spark");

    Outcome here = Orrery.run("plan", scenario, "-o", local.toString());
    Outcome there = Orrery.onSpark("plan", scenario, "-o", spark.toString());

    assertThat(there.status()).as(there.err()).isEqualTo(here.status()).isLessThan(2);
    assertThat(there.out()).isEqualTo(here.out());
    for (String name : List.of("points.jsonl", "plan.json", "report.json", "report.md")) {
      assertThat(spark.resolve(name)).hasSameTextualContentAs(local.resolve(name));
    }
    String nowhere =
        Files.writeString(
                folder.resolve("bad.yaml"),
                Files.readString(Path.of(scenario)).replace("gpu: h100", "gpu: abacus"))
            .toString();
    assertThat(Orrery.onSpark("plan", nowhere)).isEqualTo(Orrery.run("plan", nowhere));
  }
}
