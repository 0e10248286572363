package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shipped scenarios under {@code scenarios/effects} show what they say. */
class EffectsTest {
  @Test
  void twiceTheWorkersLowerTheHitsUnlessSessionsAreKept() throws IOException {
    Map<String, JsonNode> runs = summaries("scenarios/effects/doubling-workers.yaml");

    assertThat(hits(runs, "8-spread")).isLessThan(0.9 * hits(runs, "4-spread"));
    assertThat(runs.get("8-spread").at("/ttft_ms/p50").doubleValue())
        .as("median time to first token with twice the workers")
        .isGreaterThan(runs.get("4-spread").at("/ttft_ms/p50").doubleValue());
    assertThat(hits(runs, "8-kept")).isGreaterThanOrEqualTo(hits(runs, "4-kept"));
    assertThat(hits(runs, "4-kept")).isGreaterThan(hits(runs, "4-spread"));
  }

  @Test
  void theQuickstartShowsWhatTheRouterMakes() throws IOException {
    Map<String, JsonNode> runs = summaries("scenarios/quickstart.yaml");

    assertThat(hits(runs, "session-affinity")).isGreaterThan(2 * hits(runs, "load-based"));
    assertThat(hits(runs, "kv-aware")).isGreaterThan(1.5 * hits(runs, "load-based"));
    for (JsonNode summary : runs.values()) {
      assertThat(summary.at("/hit_rate/tokens").doubleValue())
          .isLessThanOrEqualTo(summary.at("/hit_rate/bound").doubleValue());
      assertThat(summary.at("/requests/completed").intValue()).isEqualTo(5_745);
    }
  }

  /** Kernels as measured never beat the datasheet. */
  @Test
  void lawsAreSlowerThanTheRoofline() throws IOException {
    String[] few = {"--set", "trace.lanes.limit=20", "--set", "trace.lanes.count=4"};
    Map<String, JsonNode> law = summaries("scenarios/quickstart.yaml", few);
    Map<String, JsonNode> roofline =
        summaries(
            "scenarios/quickstart.yaml",
            few[0],
            few[1],
            few[2],
            few[3],
            "--set",
            "stepTime.model=roofline");
    for (String name : roofline.keySet()) {
      for (String metric : new String[] {"/tpot_ms/p50", "/ttft_ms/p50"}) {
        assertThat(law.get(name).at(metric).doubleValue())
            .as(name + metric)
            .isGreaterThan(roofline.get(name).at(metric).doubleValue());
      }
    }
  }

  private static double hits(Map<String, JsonNode> runs, String name) {
    return runs.get(name).at("/hit_rate/tokens").doubleValue();
  }

  private static Map<String, JsonNode> summaries(String scenario, String... more)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", scenario, "--json"));
    arguments.addAll(List.of(more));
    JsonNode document = Orrery.run(arguments.toArray(String[]::new)).json();
    Map<String, JsonNode> out = new LinkedHashMap<>();
    document.at("/runs").forEach(run -> out.put(run.at("/name").asText(), run.at("/summary")));
    return out;
  }
}
