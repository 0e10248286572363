package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellsOnSparkTest {
  @TempDir Path folder;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    Samples.trace(folder.resolve("small.jsonl"));
    scenario =
        Files.writeString(
                folder.resolve("small.yaml"),
                """
                trace: {files: small.jsonl, blockSize: 64}
                engine: {blockSize: 64, kvBlocks: 120}
                cluster: {pools: [{workers: 2}]}
                variants:
                  - {name: first, set: {routing.policy: fails-at-first}}
                  - {name: kv, set: {routing.policy: kv-aware}}
                """)
            .toString();
  }

  @Test
  void theFleetIsTheLocalOneByteForByte() {
    String one = Orrery.run("cells", scenario, "--cells", "4", "--json").succeeded().out();
    assertThat(Orrery.run("cells", scenario, "--cells", "4", "--json", "--threads", "3").out())
        .isEqualTo(one);
    int failures = FailsAtFirst.FAILURES.get();
    assertThat(Orrery.onSpark("cells", scenario, "--cells", "4", "--json").succeeded().out())
        .isEqualTo(one);
    assertThat(FailsAtFirst.FAILURES.get())
        .as("tasks that were tried again")
        .isGreaterThan(failures);
  }

  @Test
  void oneCellIsTheRunItself() throws IOException {
    ObjectMapper json = new ObjectMapper();
    JsonNode run = json.readTree(Orrery.run("run", scenario, "--json").succeeded().out());
    JsonNode fleet =
        json.readTree(
            Orrery.onSpark("cells", scenario, "--cells", "1", "--json").succeeded().out());
    JsonNode first = fleet.path("variants").path(0).path("summary");
    JsonNode whole = run.path("runs").path(0).path("summary");
    assertThat(first.path("requests")).isEqualTo(whole.path("requests")).isNotEmpty();
    assertThat(first.path("ttft_ms")).isEqualTo(whole.path("ttft_ms")).isNotEmpty();
    assertThat(first.path("hit_rate").path("tokens"))
        .isEqualTo(whole.path("hit_rate").path("tokens"));
    assertThat(first.path("cost").path("usd")).isEqualTo(whole.path("cost").path("usd"));
  }

  @Test
  void requestsAndTokensAddUpHoweverManyCellsThereAre() throws IOException {
    ObjectMapper json = new ObjectMapper();
    for (String cells : new String[] {"1", "3", "40"}) {
      String text = Orrery.run("cells", scenario, "--cells", cells, "--json").succeeded().out();
      JsonNode fleet = json.readTree(text).path("variants").path(1);
      assertThat(fleet.path("summary").path("requests").path("completed").asInt()).isEqualTo(40);
      assertThat(fleet.path("summary").path("sessions").path("count").asInt()).isEqualTo(10);
      assertThat(fleet.path("simulated").asInt() + fleet.path("empty").size())
          .isEqualTo(Integer.parseInt(cells));
    }
  }
}
