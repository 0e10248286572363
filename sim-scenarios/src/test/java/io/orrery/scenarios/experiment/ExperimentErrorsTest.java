package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the catalogue, a policy or the trace refuses, each at the key that asked for it. */
class ExperimentErrorsTest {
  @TempDir Path folder;

  private SmallExperiments experiments;

  @BeforeEach
  void writeTraces() throws IOException {
    experiments = new SmallExperiments(folder);
  }

  @Test
  void whatDoesNotExistOrDoesNotGoTogetherIsRefusedWhereItWasWritten() {
    assertRefused("cluster.pools[0].gpu=b20", "one of b200", "(did you mean b200?)");
    assertRefused("cluster.pools[0].model=qwen3-23b", "(did you mean qwen3-32b?)");
    assertRefused("cluster.pools[0].tensorParallel=3", "cannot be cut into tensorParallel 3");
    assertRefused("cluster.pools[0].attentionDataParallel=3", "a divisor of tensorParallel 1");
    assertRefused("cluster.pools[0].expertParallel=2", "a divisor of tensorParallel 1");
    assertRefused("cluster.pools[0].pipelineParallel=99", "exceeds the 48 layers");
    assertRefused("cluster.pools[0].precision.weights=mxfp4", "published in");
    assertRefused("routing.policy=kv-awre", "kv-aware");
    assertRefused("admission.policy=dynamo-nativ", "(did you mean dynamo-native?)");
    assertRefused(
        List.of("routing.placement=[session * -> worker 0]", "admission.policy=dynamo-native"),
        "a policy that names no workers");
    assertRefused("admission.limit=3", "a parameter that none does not have, expected none");
    assertRefused(
        List.of("admission.policy=max-concurrency", "admission.limt=3"), "(did you mean limit?)");
    assertRefused(
        List.of("admission.policy=max-concurrency", "admission.limit=2.5"),
        "a whole number from 1 to 1000000000");
    assertRefused(
        List.of("admission.policy=dynamo-python", "admission.resumeTimeout=1800"),
        "a duration such as \"600 s\"");
    assertRefused("routing.ttl=3 s", "a parameter that round-robin does not have, expected none");
    assertRefused("trace.format=mooncak", "auto or one of ", "(did you mean mooncake?)");
    assertRefused("engine.blockSize=100", "a size that divides the trace's blocks of 512 tokens");
    assertRefused("stepTime.speedup=2", "1, since step times of model law have none");
    assertThatThrownBy(
            () -> experiments.clock("stepTime.model=polynomial", "stepTime.stepOverhead=1 ms"))
        .hasMessageContaining("expected 0 s, since step times of model polynomial have none");
  }

  private void assertRefused(String assignment, String... expected) {
    assertRefused(List.of(assignment), expected);
  }

  /** The last assignment is to blame. */
  private void assertRefused(List<String> assignments, String... expected) {
    String last = assignments.get(assignments.size() - 1);
    assertThatThrownBy(() -> experiments.clock(assignments.toArray(String[]::new)))
        .isInstanceOf(ScenarioException.class)
        .message()
        .startsWith("--set: " + last.substring(0, last.indexOf('=')))
        .contains(expected);
  }

  @Test
  void placementRulesMustBeRulesThatSomeWorkerMeets() {
    refusedPlacement("session a* to pool main", "expected a rule such as");
    refusedPlacement("always -> pool nowhere", "a pool, label or worker that there is");
    refusedPlacement("always -> worker 99", "a pool, label or worker that there is");
    refusedPlacement("input > 5 -> pool main", "expected a rule such as");
  }

  private void refusedPlacement(String rule, String expected) {
    assertThatThrownBy(() -> experiments.clock("routing.placement=" + rule))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("routing.placement: found \"" + rule + "\"")
        .hasMessageContaining(expected);
  }

  @Test
  void tracesThatCannotBeReadAreNotTheScenariosFault() {
    assertThatThrownBy(() -> experiments.prepare("trace: {files: nowhere.jsonl}"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("nowhere.jsonl");
  }

  /** A scenario that is wrong says so before a trace is read. */
  @Test
  void clustersComeFirst() {
    assertThatThrownBy(
            () ->
                experiments.prepare(
                    "trace: {files: nowhere.jsonl}\ncluster: {pools: [{gpu: b20}]}\n"))
        .isInstanceOf(ScenarioException.class);
  }
}
