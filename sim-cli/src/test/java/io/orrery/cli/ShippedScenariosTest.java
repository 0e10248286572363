package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.record.RunResult;
import io.orrery.reports.RunReport;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.figures.MemoryBars;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.ReportBuilder;
import io.orrery.reports.summary.Summary;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parts equal wholes in every shipped scenario, cut short: requests, ledger, waterfall, GPU time
 * and memory, in the summary and in the pictures of the report.
 */
class ShippedScenariosTest {
  private static final Path SCENARIOS = Path.of("scenarios");
  private static final String SHORT = "90 s";

  private static List<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.walk(SCENARIOS)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml") && !isGates(file) && !isSweep(file))
          .sorted()
          .toList();
    }
  }

  private static boolean isGates(Path file) {
    return file.toString().endsWith(".gates.yaml");
  }

  /** Sweeps are made of runs like the others, but are no runs themselves. */
  private static boolean isSweep(Path file) {
    try {
      return Files.readAllLines(file).contains("sweep:");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void partsEqualWholes(Path file) {
    Scenario scenario = ScenarioLoader.load(file, settings());
    Experiment experiment = Experiment.prepare(scenario);
    List<RunOutcome> outcomes =
        experiment.forEachRun(
            2,
            run -> {
              RunResult result = run.simulate(ended -> {});
              return RunOutcome.of(run, result, 0, true);
            });
    for (RunOutcome outcome : outcomes) {
      requests(outcome.summary());
      tokens(outcome.summary());
      gpuTime(outcome.run(), outcome.summary());
    }
    Report report =
        ReportBuilder.of(
            RunOutcome.document(experiment, outcomes),
            "",
            RunOutcome.figures(outcomes),
            MemoryBars.of(experiment.runs()));
    waterfall(report, RunOutcome.document(experiment, outcomes).runs());
    wholes(report);
    memory(report);
  }

  private static CommandLineSettings settings() {
    return CommandLineSettings.none().with("limits.simulatedTime=" + SHORT);
  }

  private static double sum(Summary summary, String prefix) {
    return summary.values().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .mapToDouble(entry -> entry.getValue().doubleValue())
        .sum();
  }

  private static void requests(Summary summary) {
    double fates = 0;
    for (String fate : List.of("completed", "rejected", "cancelled", "failed", "unfinished")) {
      fates += summary.get("requests." + fate, 0);
    }
    assertThat(fates).as("fates of requests").isEqualTo(summary.get("requests.dispatched", 0));
  }

  private static void tokens(Summary summary) {
    double input = summary.get("tokens.input", 0);
    assertThat(sum(summary, "ledger_tokens.")).as("ledger").isEqualTo(input);
    assertThat(sum(summary, "misplaced_tokens."))
        .as("misplaced tokens")
        .isEqualTo(summary.get("ledger_tokens.misplaced", 0));
    if (summary.get("hit_rate.tokens").isPresent()) {
      assertThat(summary.get("hit_rate.tokens", 0) * input)
          .as("reused tokens")
          .isCloseTo(sum(summary, "ledger_tokens.hit_"), within(1e-9 * input + 1e-9));
    }
    if (summary.get("hit_rate.realised_bound").isPresent()) {
      assertThat(
              summary.get("hit_rate.tokens", 0)
                  + summary.get("hit_rate.placement_loss", 0)
                  + summary.get("hit_rate.eviction_loss", 0))
          .as("found and lost")
          .isCloseTo(summary.get("hit_rate.realised_bound", 0), within(1e-9));
    }
  }

  private static void gpuTime(ScenarioRun run, Summary summary) {
    double all = summary.get("simulated_s", 0) * run.variant().spec().gpus();
    assertThat(sum(summary, "gpu_seconds.")).as("GPU time").isCloseTo(all, within(1e-6));
    assertThat(summary.get("cost.gpu_hours", 0) * 3600).isCloseTo(all, within(1e-6 * all + 1e-9));
  }

  private static BarChart bars(Report report, String id) {
    for (Chart chart : report.charts()) {
      if (chart.id().equals(id) && chart instanceof BarChart bars) {
        return bars;
      }
    }
    throw new AssertionError("no chart " + id);
  }

  private static void waterfall(Report report, List<RunReport> runs) {
    BarChart waterfall = bars(report, "ttft-waterfall");
    for (RunReport run : runs) {
      int bar = waterfall.bars().indexOf(run.name() + ", all");
      assertThat(waterfall.total(bar))
          .as("parts of the mean TTFT of " + run.name())
          .isCloseTo(
              run.summary().get("ttft_ms.mean", 0),
              within(1e-6 * run.summary().get("ttft_ms.mean", 0) + 1e-9));
    }
  }

  private static void wholes(Report report) {
    for (String id : List.of("ledger", "gpu-time-shares")) {
      BarChart chart = bars(report, id);
      for (int i = 0; i < chart.bars().size(); i++) {
        assertThat(chart.total(i)).as(id + " of " + chart.bars().get(i)).isCloseTo(1, within(1e-9));
      }
    }
  }

  /** Weights, activations, reserve and KV are what the engine may use, whatever the precision. */
  private static void memory(Report report) {
    BarChart memory = bars(report, "memory");
    double[] kv = memory.parts().get(3).values();
    double whole = Double.NaN;
    for (int i = 0; i < kv.length; i++) {
      if (kv[i] > 0 && !memory.bars().get(i).contains(": ")) {
        whole = Double.isNaN(whole) ? memory.total(i) : whole;
        assertThat(memory.total(i)).as(memory.bars().get(i)).isCloseTo(whole, within(0.01));
      }
    }
  }
}
