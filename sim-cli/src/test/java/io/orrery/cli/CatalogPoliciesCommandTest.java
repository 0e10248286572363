package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogPoliciesCommandTest {
  @TempDir private Path folder;

  private static JsonNode json(String... args) {
    return Orrery.run(args).json();
  }

  @Test
  void jsonHasEveryPolicyWithItsParameters() throws IOException {
    JsonNode document = json("catalog", "policies", "--json");
    assertThat(document.at("/routing").size()).isGreaterThanOrEqualTo(21);
    assertThat(document.at("/admission").size()).isGreaterThanOrEqualTo(7);
    for (String kind : List.of("/routing", "/admission")) {
      for (JsonNode policy : document.at(kind)) {
        assertThat(policy.at("/name").asText()).isNotBlank();
        assertThat(policy.at("/summary").asText()).endsWith(".");
        for (JsonNode parameter : policy.at("/parameters")) {
          assertThat(parameter.at("/default").asText()).isNotBlank();
          assertThat(parameter.at("/summary").asText()).endsWith(".");
        }
      }
    }
  }

  @Test
  void oneIsShownWithItsParametersAndAnUnknownOneWithTheNearest() throws IOException {
    assertThat(Orrery.run("catalog", "policies", "session-affinity").succeeded().out())
        .startsWith("routing.policy: session-affinity\n")
        .contains("  ttl: 1 h   [a duration");
    assertThat(json("catalog", "policies", "session-affinity", "--json").at("/admission"))
        .isEmpty();
    assertThat(Orrery.run("catalog", "policies", "kv-awre"))
        .satisfies(
            outcome -> {
              assertThat(outcome.status()).isEqualTo(2);
              assertThat(outcome.err()).contains("did you mean kv-aware?");
            });
  }

  /** Twelve sessions of the quickstart trace under every name. */
  @Test
  void everyRoutingPolicyRunsWithItsDefaults() throws IOException {
    StringBuilder scenario = new StringBuilder();
    scenario
        .append("trace: {files: ['")
        .append(Path.of("traces/quickstart.jsonl.gz").toAbsolutePath())
        .append("'], dispatch: lanes, lanes: {count: 6, limit: 12}}\n")
        .append("cluster: {pools: [{workers: 3}]}\nengine: {blockSize: 64}\nvariants:\n");
    List<String> names = new ArrayList<>();
    json("catalog", "policies", "--json")
        .at("/routing")
        .forEach(policy -> names.add(policy.at("/name").asText()));
    for (String name : names) {
      scenario.append("  - {name: ").append(name).append(", set: {routing.policy: ");
      scenario.append(name).append("}}\n");
    }
    Path file = Files.writeString(folder.resolve("all.yaml"), scenario);
    JsonNode runs = json("run", file.toString(), "--json").at("/runs");
    assertThat(runs).hasSize(names.size());
    long requests = runs.get(0).at("/summary/requests/dispatched").longValue();
    for (JsonNode run : runs) {
      assertThat(run.at("/summary/requests/completed").longValue())
          .as(run.at("/name").asText())
          .isEqualTo(requests)
          .isPositive();
    }
  }
}
