package io.orrery.scenarios.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.plan.Plan.Find;
import io.orrery.scenarios.text.ScenarioException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanReaderTest {
  private static Plan read(String yaml) {
    return PlanReader.read(
        ScenarioLoader.layersOf(
            "trace: {files: t.jsonl}\n" + yaml, "p.yaml", Path.of(""), CommandLineSettings.none()),
        null);
  }

  @Test
  void withoutASectionTheVariantsAreHeldAgainstTheSlo() {
    Plan plan =
        read(
            """
            slo: {ttft: 3 s, tokensPerSecondPerUser: 20}
            seed: 5
            variants:
              - {name: a, set: {routing.policy: random}}
              - {name: b, set: {cluster.pools.main.workers: 4}}
            """);
    assertThat(plan.find()).isEqualTo(Find.CONCURRENCY);
    assertThat(plan.slo().ttftP95Millis()).isEqualTo(3000);
    assertThat(plan.slo().tokensPerSecond()).isEqualTo(20);
    assertThat(plan.slo().sessionP95Seconds()).isEmpty();
    assertThat(plan.candidates().size()).isEqualTo(2);
    assertThat(plan.seeds()).containsExactly(5L, 6L);
    assertThat(plan.start(plan.candidates().point(1))).isEqualTo(32);
    Variant variant = plan.variant(plan.candidates().point(1), 70, 6);
    assertThat(variant.spec().trace().lanes().count()).hasValue(70);
    assertThat(variant.spec().trace().lanes().recycle()).isTrue();
    assertThat(variant.spec().seed()).isEqualTo(6);
    assertThat(variant.spec().simulatedTimeNanos()).hasValue(1_800_000_000_000L);
  }

  @Test
  void everythingMayBeWritten() {
    Plan plan =
        read(
            """
            plan:
              find: gpus
              slo: {ttftP95: 500 ms, tokensPerSecondPerUser: 30, sessionCompletionP95: 5 min}
              candidates:
                grid:
                  cluster.pools[0].gpu: [b200, h100, h20]
              sizes: {from: 2, to: 40}
              tolerance: 0.05
              seeds: 3
              window: 1 h
            """);
    assertThat(plan.find()).isEqualTo(Find.GPUS);
    assertThat(plan.slo().sessionP95Seconds()).hasValue(300);
    assertThat(plan.candidates().point(2).name()).isEqualTo("gpu=h20");
    assertThat(plan.min()).isEqualTo(2);
    assertThat(plan.max()).isEqualTo(40);
    assertThat(plan.seeds()).hasSize(3);
    assertThat(plan.variant(plan.candidates().point(0), 9, 1).spec().workers()).isEqualTo(9);
  }

  private static void refused(String plan, String message) {
    assertThatThrownBy(() -> read(plan))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatIsWrongIsNamedWithItsLine() {
    refused("plan: {fnd: gpus}", "p.yaml:2: plan.fnd: found an unknown key, expected one of find");
    refused(
        "plan: {find: gpu}", "p.yaml:2: plan.find: found gpu, expected one of concurrency, gpus");
    refused(
        "plan: {slo: {ttft: 2 s}}", "plan.slo.ttft: found an unknown key, expected one of ttftP95");
    refused("plan: {slo: {ttftP95: 2}}", "plan.slo.ttftP95: found 2, expected a duration");
    refused("plan: {candidates: {grid: {sed: [1]}}}", "p.yaml:2: sed: found an unknown key");
    refused("plan: {candidates: {}}", "plan.candidates: found an empty mapping");
    refused("plan: {sizes: {from: 9, to: 3}}", "plan.sizes.to: found 3, expected at least 9");
    refused("plan: {seeds: 0}", "plan.seeds: found 0, expected a whole number from 1 to 1000");
    refused(
        "plan: {tolerance: 2}", "plan.tolerance: found 2, expected a number above 0 and up to 1");
    refused(
        "plan: {slo: {sessionCompletionP95: 20 min}}",
        "plan.window: found 30 min, expected at least three times slo.sessionCompletionP95");
    refused(
        "cluster: {pools: [{name: a}, {name: b}]}\nplan: {find: gpus}",
        "plan.find: found gpus with 2 pools, expected concurrency, or one pool");
  }

  /** Otherwise candidates would be told apart by what no trial takes from them. */
  @Test
  void candidatesCannotDifferInWhatThePlanSets() {
    refused(
        "plan: {candidates: {grid: {trace.lanes.count: [1, 2]}}}",
        "p.yaml:2: plan.candidates: found trace.lanes.count, expected other keys");
    refused(
        "plan: {candidates: {grid: {routing.policy: [random]}, seeds: 3}}",
        "plan.candidates: found seed, expected plan.seeds");
    refused(
        "plan: {find: usd, candidates: {grid: {\"cluster.pools[0].workers\": [1, 2]}}}",
        "plan.candidates: found cluster.pools[0].workers, expected plan.sizes");
    refused(
        "plan: {find: usd, candidates: {grid: {cluster.pools.main.workers: [1, 2]}}}",
        "plan.candidates: found cluster.pools[0].workers, expected plan.sizes");
    refused(
        "plan: {find: usd, candidates: {grid: {cluster.pools: [[{workers: 1}], [{workers: 2}]]}}}",
        "plan.candidates: found cluster.pools[0].workers, expected plan.sizes");
    refused(
        "plan: {candidates: {grid: {trace.lanes: [{count: 1}, {count: 2}]}}}",
        "plan.candidates: found trace.lanes.count, expected other keys");
    assertThat(read("plan: {candidates: {grid: {\"cluster.pools[0].workers\": [1, 2]}}}").find())
        .isEqualTo(Find.CONCURRENCY);
  }

  /** Or every trial would have that number of workers, whatever was asked of it. */
  @Test
  void theCommandLineCannotSetWhatIsSearchedForUnderAnyName() {
    for (String name : List.of("cluster.pools[0].workers", "cluster.pools.main.workers")) {
      Plan plan =
          PlanReader.read(
              ScenarioLoader.layersOf(
                  "trace: {files: t.jsonl, lanes: {count: 4}}\nplan: {find: gpus}",
                  "p.yaml",
                  Path.of(""),
                  CommandLineSettings.none().with(name + "=5")),
              null);
      assertThatThrownBy(() -> plan.variant(plan.candidates().point(0), 2, 1))
          .hasMessageContaining("found a key that --set sets, expected a key that is left free");
    }
  }

  @Test
  void lanesThatGrowWithTheWorkersAreNoLoadToPlanFor() {
    Plan plan =
        PlanReader.read(
            ScenarioLoader.layersOf(
                "trace: {files: t.jsonl, dispatch: lanes}\nplan: {find: gpus}",
                "p.yaml",
                Path.of(""),
                CommandLineSettings.none()),
            null);
    assertThatThrownBy(() -> plan.variant(plan.candidates().point(0), 2, 1))
        .hasMessageContaining("trace.lanes.count: found auto, expected a number");
  }
}
