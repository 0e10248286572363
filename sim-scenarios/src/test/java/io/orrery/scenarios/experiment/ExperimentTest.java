package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.record.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs of an experiment: what they share, in which order they come, and how they fail. */
class ExperimentTest {
  private static final String VARIANTS =
      """
      trace: {files: clock.jsonl}
      engine: {blockSize: 512}
      cluster: {pools: [{workers: 2}]}
      variants:
        - {name: a, set: {routing.policy: random}}
        - {name: b, set: {engine.blockSize: 256}}
        - {name: c, set: {trace.files: own.jsonl, engine.blockSize: 64}}
      """;

  @TempDir Path folder;

  private SmallExperiments experiments;

  @BeforeEach
  void writeTraces() throws IOException {
    experiments = new SmallExperiments(folder);
  }

  @Test
  void variantsShareWhatTheyCan() {
    List<ScenarioRun> runs = experiments.prepare(VARIANTS).runs();

    assertThat(runs.get(1).trace()).isSameAs(runs.get(0).trace());
    assertThat(runs.get(2).trace()).isNotSameAs(runs.get(0).trace());
    assertThat(runs.get(1).view()).isNotSameAs(runs.get(0).view());
    assertThat(runs.get(1).settings().pools().get(0).stepTime())
        .isSameAs(runs.get(0).settings().pools().get(0).stepTime());
  }

  @Test
  void whatHoldsForSomeVariantsNamesThem() {
    List<String> assumptions = experiments.prepare(VARIANTS).assumptions();

    assertThat(assumptions)
        .anyMatch(text -> text.startsWith("a, b: Dispatch is closed-loop"))
        .anyMatch(text -> text.startsWith("c: Dispatch is by lanes"))
        .anyMatch(text -> text.startsWith("Outputs come back unchanged"));
  }

  @Test
  void resultsComeInOrderWhateverTheNumberOfThreads() {
    Experiment experiment = experiments.prepare(VARIANTS);
    List<String> one = experiment.forEachRun(1, ExperimentTest::fingerprint);

    assertThat(experiment.forEachRun(2, ExperimentTest::fingerprint)).isEqualTo(one);
    assertThat(experiment.forEachRun(16, ExperimentTest::fingerprint)).isEqualTo(one);
    assertThat(one).allMatch(text -> text.contains("FINISHED"));
  }

  private static String fingerprint(ScenarioRun run) {
    RunResult result = run.simulate(ended -> {});
    StringBuilder text = new StringBuilder(run.variant().name()).append(result.endNanos());
    for (int row = 0; row < result.columns().rows(); row++) {
      text.append(' ').append(result.columns().state(row)).append(result.columns().endNanos(row));
    }
    return text.toString();
  }

  @Test
  void aFailureInOneRunIsTheExperiments() {
    Experiment experiment = experiments.prepare(VARIANTS);
    for (int threads : new int[] {1, 3}) {
      assertThatThrownBy(
              () ->
                  experiment.forEachRun(
                      threads,
                      run -> {
                        throw new IllegalStateException("in run " + run.variant().name());
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("in run a");
    }
  }
}
