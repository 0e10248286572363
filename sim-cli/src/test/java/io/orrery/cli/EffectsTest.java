package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The shipped scenarios under {@code scenarios/effects} show what they say. */
class EffectsTest {
  @Test
  void twiceTheWorkersLowerTheHitsUnlessSessionsAreKept() {
    Summaries runs = Summaries.of("scenarios/effects/doubling-workers.yaml");

    assertThat(hits(runs, "8-spread")).isLessThan(0.9 * hits(runs, "4-spread"));
    assertThat(runs.number("8-spread", "/ttft_ms/p50"))
        .as("median time to first token with twice the workers")
        .isGreaterThan(runs.number("4-spread", "/ttft_ms/p50"));
    assertThat(hits(runs, "8-kept")).isGreaterThanOrEqualTo(hits(runs, "4-kept"));
    assertThat(hits(runs, "4-kept")).isGreaterThan(hits(runs, "4-spread"));
  }

  @Test
  void theQuickstartShowsWhatTheRouterMakes() {
    Summaries runs = Summaries.of("scenarios/quickstart.yaml");

    assertThat(hits(runs, "session-affinity")).isGreaterThan(2 * hits(runs, "load-based"));
    assertThat(hits(runs, "kv-aware")).isGreaterThan(1.5 * hits(runs, "load-based"));
    for (JsonNode summary : runs.byName().values()) {
      assertThat(summary.at("/hit_rate/tokens").doubleValue())
          .isLessThanOrEqualTo(summary.at("/hit_rate/bound").doubleValue());
      assertThat(summary.at("/requests/completed").intValue()).isEqualTo(5_745);
    }
  }

  /** Kernels as measured never beat the datasheet. */
  @Test
  void lawsAreSlowerThanTheRoofline() {
    String[] few = {"--set", "trace.lanes.limit=20", "--set", "trace.lanes.count=4"};
    Summaries law = Summaries.of("scenarios/quickstart.yaml", few);
    Summaries roofline =
        Summaries.of(
            "scenarios/quickstart.yaml",
            few[0],
            few[1],
            few[2],
            few[3],
            "--set",
            "stepTime.model=roofline");
    for (String name : roofline.byName().keySet()) {
      for (String metric : new String[] {"/tpot_ms/p50", "/ttft_ms/p50"}) {
        assertThat(law.number(name, metric))
            .as(name + metric)
            .isGreaterThan(roofline.number(name, metric));
      }
    }
  }

  private static double hits(Summaries runs, String name) {
    return runs.number(name, "/hit_rate/tokens");
  }
}
