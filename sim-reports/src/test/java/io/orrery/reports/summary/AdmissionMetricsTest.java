package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.AdmissionSettings;
import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.Simulation;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdmissionMetricsTest {
  private static Summary summary(Trace trace, PoolSettings pool, AdmissionSettings admission) {
    BlockView view = BlockView.of(trace, pool.scheduler().blockSize());
    SimulationSettings settings =
        new SimulationSettings(
                new DispatchSettings.ClosedLoop(new Arrivals.Recorded()),
                List.of(pool),
                RoutingPolicies.named("round-robin"),
                Map.of(),
                1,
                RouterSettings.IDEAL,
                Long.MAX_VALUE,
                1)
            .with(admission);
    RunResult result = new Simulation(trace, view, settings).run();
    return Metrics.summarise(new RunFacts(trace, view, result, new Slo(10_000_000, 100)));
  }

  private static Trace twoAtOnce() {
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

  /** One at a time: a1 runs from 0 to 20 ms, b1 waits for it and runs from 20 to 40 ms. */
  @Test
  void whoWaitsIsCountedForAsLongAsItWaits() {
    AdmissionSettings one =
        new AdmissionSettings(AdmissionPolicies.named("max-concurrency"), Map.of("limit", "1"));
    Summary summary = summary(twoAtOnce(), Runs.pool(1, 4, 8, 32), one);

    assertThat(summary.get("pause_ms.max")).hasValue(20);
    assertThat(summary.get("pause_ms.mean")).hasValue(10);
    assertThat(summary.get("pause_ms.count")).hasValue(2);
    assertThat(summary.get("queue_wait_ms.max")).hasValue(0);
    assertThat(summary.get("ttft_ms.max")).hasValue(30);
    assertThat(summary.get("concurrency.paused.mean")).hasValue(0.5);
    assertThat(summary.get("concurrency.active.mean")).hasValue(1.5);
    assertThat(summary.get("admission.held")).hasValue(1);
    assertThat(summary.get("admission.overruled")).hasValue(0);
    assertThat(summary.get("admission.pauses")).isEmpty();
    assertThat(summary.get("admission.believed_tokens.max")).isEmpty();
  }

  @Test
  void withoutAdmissionNothingIsSaidOfIt() {
    Summary summary = summary(twoAtOnce(), Runs.pool(1, 4, 8, 32), AdmissionSettings.NONE);
    assertThat(summary.values().keySet())
        .noneMatch(key -> key.startsWith("admission.") || key.startsWith("pause_ms"))
        .noneMatch(key -> key.startsWith("concurrency.paused"));
  }

  /**
   * Blocks of 4 tokens. At 10 ms, the only tick, both requests have run one step: prompt and first
   * token are 9 tokens each in the ledger. In truth each holds two blocks, since the third is taken
   * with the step that starts after the tick.
   */
  @Test
  void whatThePolicyBelievesStandsBesideWhatIsTrue() {
    AdmissionSettings policy =
        new AdmissionSettings(
            AdmissionPolicies.named("dynamo-native"),
            Map.of("schedulerInterval", "10 ms", "bufferPerProgram", "0"));
    Summary summary = summary(twoAtOnce(), Runs.pool(1, 4, 8, 32), policy);

    assertThat(summary.get("admission.believed_tokens.count")).hasValue(1);
    assertThat(summary.get("admission.believed_tokens.max")).hasValue(18);
    assertThat(summary.get("admission.believed_running_tokens.max")).hasValue(18);
    assertThat(summary.get("admission.running_tokens.max")).hasValue(16);
  }
}
