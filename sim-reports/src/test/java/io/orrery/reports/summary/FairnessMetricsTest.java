package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import org.junit.jupiter.api.Test;

/** Fairness and cost, worked out by hand; every step takes 10 ms. */
class FairnessMetricsTest {
  private static final Slo SLO = new Slo(50_000_000, 50);

  /** Two requests that arrive together, each 8 tokens in and 2 out: 3 blocks of 4 each. */
  private static Trace twins() {
    return Trace.builder(4)
        .session("a")
        .request("a1")
        .input(8)
        .output(2)
        .blocks(1, 2)
        .arrival(0)
        .session("b")
        .request("b1")
        .input(8)
        .output(2)
        .blocks(3, 4)
        .arrival(0)
        .build();
  }

  @Test
  void whoIsNotHeldUpIsNotSlowedDown() {
    Summary summary =
        Runs.summary(Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    assertThat(summary.get("fairness.slowdown.max")).hasValue(1);
    assertThat(summary.get("fairness.jain")).hasValue(1);
    assertThat(summary.get("fairness.slowdown.count")).hasValue(2);
  }

  @Test
  void whoWaitsForAnotherTakesTwiceAsLong() {
    // 3 blocks: one request at a time. a ends at 20 ms, b at 40 ms; alone both take 20 ms.
    Summary summary = Runs.summary(twins(), Runs.pool(1, 4, 3, 12), "round-robin", SLO);

    assertThat(summary.get("fairness.slowdown.max")).hasValue(2);
    assertThat(summary.get("fairness.slowdown.mean")).hasValue(1.5);
    // (1 + 2)^2 / (2 (1 + 4))
    assertThat(summary.get("fairness.jain")).hasValue(0.9);
  }

  @Test
  void withoutTheClusterNothingIsKnown() {
    Trace trace = twins();
    RunResult result = Runs.run(trace, Runs.pool(1, 4, 8, 16), "round-robin", Long.MAX_VALUE);
    Summary summary = Metrics.summarise(new RunFacts(trace, BlockView.of(trace, 4), result, SLO));

    assertThat(summary.get("fairness.jain")).isEmpty();
    assertThat(summary.get("cost.usd")).isEmpty();
    assertThat(summary.get("cost.kwh")).isEmpty();
  }

  @Test
  void allGpusArePaidForAsLongAsTheRunLasts() {
    // One worker of two GPUs for 1.03 s at 36 dollars an hour and 7.2 kW, 28 tokens in, 6 out.
    Summary summary =
        Runs.summary(Runs.twoSessionsTrace(), Runs.pool(1, 4, 8, 32), "round-robin", SLO);

    assertThat(summary.get("cost.gpu_hours", 0)).isCloseTo(2 * 1.03 / 3600, within(1e-9));
    assertThat(summary.get("cost.usd", 0)).isCloseTo(0.0103, within(1e-9));
    assertThat(summary.get("cost.kwh", 0)).isCloseTo(7.2 * 1.03 / 3600, within(1e-9));
    assertThat(summary.get("cost.usd_per_session", 0)).isCloseTo(0.00515, within(1e-9));
    assertThat(summary.get("cost.usd_per_million_output_tokens", 0))
        .isCloseTo(10300 / 6.0, within(1e-3));
    assertThat(summary.get("cost.usd_per_million_input_tokens", 0))
        .isCloseTo(10300 / 28.0, within(1e-3));
  }
}
