package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunResult;
import io.orrery.reports.RunReport;
import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.Ticks;
import io.orrery.reports.figures.MemoryBars;
import io.orrery.reports.figures.RecordedDecisions;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.ReportBuilder;
import io.orrery.reports.figures.RunFigures;
import io.orrery.reports.summary.Summary;
import io.orrery.reports.table.CsvSink;
import io.orrery.reports.table.RequestsTable;
import io.orrery.reports.table.ResultTable;
import io.orrery.reports.table.RunRows;
import io.orrery.reports.table.SessionsTable;
import io.orrery.reports.table.TimeseriesTable;
import io.orrery.reports.table.WorkersTable;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
  void partsEqualWholes(Path file) throws IOException {
    Scenario scenario = ScenarioLoader.load(file, settings());
    Experiment experiment = Experiment.prepare(scenario);
    List<RunOutcome> outcomes =
        experiment.forEachRun(
            2,
            run -> {
              RunResult result = run.simulate(ended -> {});
              return RunOutcome.of(run, result, 0, 1, true);
            });
    for (RunOutcome outcome : outcomes) {
      requests(outcome.summary());
      tokens(outcome.summary());
      gpuTime(outcome.run(), outcome.summary());
    }
    assertThat(SummarySchema.complaints(RunOutcome.document(experiment, outcomes).toJson()))
        .isEmpty();
    Report report =
        ReportBuilder.of(
            RunOutcome.document(experiment, outcomes),
            "",
            RunOutcome.figures(outcomes),
            MemoryBars.of(experiment.runs()),
            new RecordedDecisions());
    waterfall(report, RunOutcome.document(experiment, outcomes).runs());
    wholes(report);
    memory(report);
    report.charts().forEach(ShippedScenariosTest::nothingHidden);
    tables(outcomes);
  }

  @Test
  void theSchemaFindsWhatIsWrong() throws IOException {
    String good = Files.readString(Path.of("reports/quickstart/summary.json"));
    assertThat(SummarySchema.complaints(good)).isEmpty();
    assertThat(SummarySchema.complaints(good.replaceFirst("\"p99\"", "\"p98\"")))
        .anyMatch(text -> text.endsWith("/p98: unknown"))
        .anyMatch(text -> text.endsWith("found no p99"));
    assertThat(
            SummarySchema.complaints(
                good.replaceFirst("\"schemaVersion\": 1", "\"schemaVersion\": 2")))
        .containsExactly("/schemaVersion: found 2, expected 1");
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
        assertThat(chart.total(i)).as(id + " of " + chart.bars().get(i)).isCloseTo(1, within(1e-6));
      }
    }
  }

  /** What a chart shows lies inside its axes, which begin at zero or say that they do not. */
  private static void nothingHidden(Chart chart) {
    if (chart instanceof LineChart lines) {
      for (LineChart.Line line : lines.lines()) {
        inside(chart, lines.ticks(true), line.x());
        inside(chart, lines.ticks(false), line.y());
      }
      assertThat(!chart.id().endsWith("-cdf") || chart.description().contains("(n "))
          .as("samples of " + chart.id())
          .isTrue();
    } else if (chart instanceof BarChart bars) {
      for (int i = 0; i < bars.bars().size(); i++) {
        inside(chart, bars.ticks(), bars.total(i));
      }
    } else if (chart instanceof BoxChart boxes) {
      for (BoxChart.Group group : boxes.groups()) {
        for (BoxChart.Box box : group.boxes()) {
          if (box != null) {
            assertThat(box.count()).isPositive();
            inside(chart, boxes.ticks(), box.p5(), box.p25(), box.p50(), box.p75(), box.p95());
          }
        }
      }
    }
  }

  private static void inside(Chart chart, Ticks ticks, double... values) {
    Axis axis = ticks.axis();
    assertThat(axis.label()).as("axis of " + chart.id()).isNotBlank();
    assertThat(axis.title().contains("log scale"))
        .as("log axis of " + chart.id() + " is said to be one")
        .isEqualTo(axis.scale() == Axis.Scale.LOG);
    assertThat(ticks.low() == 0 || axis.scale() == Axis.Scale.LOG)
        .as("axis of " + chart.id() + " from zero")
        .isTrue();
    for (double value : values) {
      if (!Double.isNaN(value)) {
        assertThat(value)
            .as(chart.id())
            .isBetween(ticks.low() * (1 - 1e-5), ticks.high() * (1 + 1e-5));
      }
    }
  }

  /** The tables say what the summary says. */
  private static void tables(List<RunOutcome> outcomes) {
    List<RunRows> rows = new ArrayList<>();
    outcomes.forEach(
        outcome -> rows.add(new RunRows(outcome.run().variant().name(), figures(outcome).run())));
    for (RunOutcome outcome : outcomes) {
      String run = outcome.run().variant().name();
      Summary summary = outcome.summary();
      List<Map<String, String>> requests = csv(RequestsTable.of(rows), run);
      double input = 0;
      for (Map<String, String> request : requests) {
        double classes = 0;
        for (LedgerClass kind : LedgerClass.values()) {
          classes += Double.parseDouble(request.getOrDefault(kind.key(), ""));
        }
        boolean scheduled = !request.getOrDefault("scheduled_ns", "").isEmpty();
        assertThat(classes)
            .as("ledger of request " + request.get("request"))
            .isEqualTo(scheduled ? number(request, "input_tokens") : 0);
        input += classes;
      }
      assertThat(requests).hasSize((int) summary.get("requests.dispatched", 0));
      assertThat(input).as("ledger of requests").isEqualTo(summary.get("tokens.input", 0));

      List<Map<String, String>> sessions = csv(SessionsTable.of(rows), run);
      assertThat(total(sessions, "input_tokens")).isEqualTo(input);
      assertThat(total(sessions, "hit_tokens")).isEqualTo(sum(summary, "ledger_tokens.hit_"));
      assertThat(total(sessions, "output_tokens")).isEqualTo(total(requests, "output_tokens"));
      assertThat(total(sessions, "turns")).isEqualTo(requests.size());

      double busy = 0;
      for (Map<String, String> worker : csv(WorkersTable.of(rows), run)) {
        double time =
            number(worker, "prefill_busy_ns")
                + number(worker, "decode_busy_ns")
                + number(worker, "idle_ns");
        assertThat(time / 1e9).isCloseTo(summary.get("simulated_s", 0), within(1e-6));
        busy += number(worker, "gpus") * time / 1e9;
      }
      assertThat(sum(summary, "gpu_seconds.")).isCloseTo(busy, within(1e-6 * busy));

      double live = 0;
      for (Map<String, String> stretch : csv(TimeseriesTable.of(List.of(figures(outcome))), run)) {
        live +=
            number(stretch, "sessions_live")
                * (number(stretch, "to_s") - number(stretch, "from_s"));
      }
      assertThat(live / summary.get("simulated_s", 1))
          .isCloseTo(summary.get("concurrency.live.mean", 0), within(1e-3));
    }
  }

  private static RunFigures figures(RunOutcome outcome) {
    return Objects.requireNonNull(outcome.figures());
  }

  private static double number(Map<String, String> row, String column) {
    return Double.parseDouble(row.getOrDefault(column, ""));
  }

  private static double total(List<Map<String, String>> rows, String column) {
    return rows.stream().mapToDouble(row -> number(row, column)).sum();
  }

  /** The rows of a run. */
  private static List<Map<String, String>> csv(ResultTable table, String run) {
    StringWriter out = new StringWriter();
    try {
      CsvSink.write(table, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CsvReader.builder().ofNamedCsvRecord(out.toString()).stream()
        .map(NamedCsvRecord::getFieldsAsMap)
        .filter(row -> run.equals(row.get("run")))
        .toList();
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
