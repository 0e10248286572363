package io.orrery.reports.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.WriteOptions;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.figures.Report;
import io.orrery.reports.page.ReportJson;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.table.ParquetSink;
import io.orrery.reports.table.ResultTable;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepReader;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepRunnerTest {
  private static final String BASE =
      """
      trace: {files: t.jsonl, blockSize: 64}
      engine: {blockSize: 64, kvBlocks: 60}
      """;
  private static final String SWEEP =
      BASE
          + """
          sweep:
            grid:
              routing.policy: [random, kv-aware]
              cluster.pools[0].workers: [1, 2, 3]
            seeds: 2
          """;

  @TempDir Path folder;

  @BeforeEach
  void writeTrace() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int session = 0; session < 8; session++) {
      for (int turn = 0; turn < 3; turn++) {
        text.append("{\"session_id\": \"s").append(session).append("\", ");
        text.append(turn == 0 ? "\"timestamp\": " + 50 * session : "\"delay\": 20");
        text.append(", \"input_length\": ").append(64 * (3 + turn));
        text.append(", \"output_length\": 9, \"hash_ids\": [0");
        for (int block = 1; block < 3 + turn; block++) {
          text.append(", ").append(10 * session + block);
        }
        text.append("]}\n");
      }
    }
    Files.writeString(folder.resolve("t.jsonl"), text);
  }

  private Sweep sweep(String yaml) {
    return SweepReader.read(
        ScenarioLoader.layersOf(yaml, "s.yaml", folder, CommandLineSettings.none()));
  }

  private SweepResults run(Sweep sweep, SweepJournal journal, int threads) {
    return new SweepRunner(sweep, new RunPreparation(), journal, "1", false)
        .run(threads, point -> {});
  }

  /** All that is written of a sweep, with its journal. */
  private String written(SweepResults results, Path journal) throws IOException {
    results.orderJournal();
    StringWriter out = new StringWriter();
    SweepDocument.write(results, out);
    return out
        + ReportJson.of(SweepReport.of(results))
        + SweepReport.text(results)
        + Files.readString(journal);
  }

  private String freshly(String yaml, int threads) throws IOException {
    Path file = Files.createTempFile(folder, "fresh", ".jsonl");
    try (SweepJournal journal = SweepJournal.open(file)) {
      return written(run(sweep(yaml), journal, threads), file);
    }
  }

  @Test
  void theSameBytesWithAnyNumberOfThreads() throws IOException {
    String one = freshly(SWEEP, 1);
    assertThat(freshly(SWEEP, 2)).isEqualTo(one);
    assertThat(freshly(SWEEP, 5)).isEqualTo(one);
  }

  @Test
  void cutAnywhereItEndsWithTheSameBytes() throws IOException {
    Path file = folder.resolve("points.jsonl");
    String whole;
    byte[] finished;
    try (SweepJournal journal = SweepJournal.open(file)) {
      SweepResults results = run(sweep(SWEEP), journal, 3);
      finished = Files.readAllBytes(file); // in the order in which they were finished
      whole = written(results, file);
    }
    for (int tenth = 0; tenth < 10; tenth++) {
      Files.write(file, Arrays.copyOf(finished, finished.length * tenth / 10 + tenth));
      try (SweepJournal journal = SweepJournal.open(file)) {
        SweepResults results = run(sweep(SWEEP), journal, 2);
        assertThat(results.known()).isBetween(Math.max(0, tenth - 1), 11);
        assertThat(written(results, file)).isEqualTo(whole);
      }
    }
  }

  @Test
  void aPointIsWhatARunWithItsSettingsIs() throws IOException {
    Sweep sweep = sweep(SWEEP);
    CommandLineSettings settings =
        CommandLineSettings.none()
            .with("routing.policy=kv-aware")
            .with("cluster.pools[0].workers=2")
            .withSeed(2);
    ScenarioRun run =
        Experiment.prepare(ScenarioLoader.parse(BASE, "s.yaml", folder, settings)).runs().get(0);
    RunFacts facts = RunFacts.of(run, run.simulate(n -> {}), 0);
    try (SweepJournal journal = SweepJournal.open(folder.resolve("p.jsonl"))) {
      List<String> seen = new ArrayList<>();
      run(sweep, journal, 2)
          .forEach(
              (point, result) -> {
                if (point.name().equals("policy=kv-aware workers=2 seed=2")) {
                  assertThat(result.digest()).isEqualTo(run.variant().config().digest());
                  assertThat(result.summary().tree())
                      .hasToString(Metrics.summarise(facts).tree().toString());
                  seen.add(point.name());
                }
              });
      assertThat(seen).hasSize(1);
    }
  }

  @Test
  void theReportShowsAPointForEachAndIsReadAsItWasWritten() throws IOException {
    try (SweepJournal journal = SweepJournal.open(folder.resolve("p.jsonl"))) {
      Report report = SweepReport.of(run(sweep(SWEEP), journal, 2));
      assertThat(ReportJson.of(ReportJson.read(ReportJson.of(report))))
          .isEqualTo(ReportJson.of(report));
      PointChart front = (PointChart) report.charts().get(0);
      List<PointChart.Point> points =
          front.series().stream().flatMap(series -> series.points().stream()).toList();
      assertThat(points).hasSize(6);
      assertThat(report.charts().get(1).id()).isEqualTo("front-cost");
      assertThat(points).anyMatch(PointChart.Point::ringed);
      for (PointChart.Point one : points) {
        if (!one.ringed()) {
          assertThat(points) // who is not on the front is beaten by one who is
              .anyMatch(other -> other.ringed() && other.y() <= one.y() && other.x() >= one.x());
        }
      }
    }
  }

  @Test
  void whatFailsIsNotedAndTheOthersGoOn() throws IOException {
    Sweep sweep = sweep(BASE + "sweep:\n  grid:\n    cluster.pools[0].gpu: [b200, abacus, h100]\n");
    Path file = folder.resolve("p.jsonl");
    try (SweepJournal journal = SweepJournal.open(file)) {
      SweepResults results = run(sweep, journal, 2);
      assertThat(results.failures()).containsOnlyKeys(1);
      assertThat(results.failures().get(1)).contains("cluster.pools[0].gpu: found abacus");
      String written = written(results, file);
      assertThat(written).contains("\"failure\": \"s.yaml:5: cluster.pools[0].gpu: found abacus");
      assertThat(SweepReport.of(results).setting()).contains("3 points", "1 point failed");
      ResultTable table = SweepTable.of(results);
      Path parquet = folder.resolve("points.parquet");
      ParquetSink.write(table, parquet, WriteOptions.of("test"), Map.of());
      try (ParquetReader reader = ParquetReader.open(parquet)) {
        assertThat(reader.rowCount()).isEqualTo(3);
      }
    }
    SweepJournal journal = SweepJournal.open(folder.resolve("q.jsonl"));
    assertThatThrownBy(
            () ->
                new SweepRunner(sweep, new RunPreparation(), journal, "1", true)
                    .run(2, point -> {}))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("abacus");
  }

  @Test
  void oneTraceThatCannotBeReadEndsTheSweep() throws IOException {
    Files.writeString(folder.resolve("t.jsonl"), "{\"nonsense\": 1}\n");
    SweepJournal journal = SweepJournal.open(folder.resolve("p.jsonl"));
    assertThatThrownBy(() -> run(sweep(SWEEP), journal, 2)).isInstanceOf(TraceException.class);
  }

  @Test
  void oneOfSeveralTracesThatCannotBeReadIsAPointThatFails() throws IOException {
    Files.writeString(folder.resolve("bad.jsonl"), "{\"nonsense\": 1}\n");
    Sweep sweep =
        sweep(
            "engine: {blockSize: 64}\nsweep: {grid: {trace.files: [t.jsonl, bad.jsonl], trace.blockSize: [64]}}\n");
    SweepJournal journal = SweepJournal.open(folder.resolve("p.jsonl"));
    assertThat(run(sweep, journal, 2).failures()).containsOnlyKeys(1);
  }

  @Test
  void aFullDiskEndsTheSweepAndKeepsWhatIsFinished() throws IOException {
    Path file = folder.resolve("p.jsonl");
    int[] room = {5};
    SweepJournal.Appender disk =
        (channel, bytes) -> {
          if (room[0]-- == 0) {
            throw new IOException("No space left on device");
          }
          channel.write(bytes);
        };
    try (SweepJournal journal = SweepJournal.open(file, disk)) {
      assertThatThrownBy(() -> run(sweep(SWEEP), journal, 2))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("No space left");
    }
    try (SweepJournal journal = SweepJournal.open(file)) {
      SweepResults results = run(sweep(SWEEP), journal, 2);
      assertThat(results.known()).isBetween(5, 11);
      assertThat(written(results, file)).isEqualTo(freshly(SWEEP, 1));
    }
  }

  @Test
  void anotherVersionsPointsAreNotTaken() throws IOException {
    Path file = folder.resolve("p.jsonl");
    try (SweepJournal journal = SweepJournal.open(file)) {
      run(sweep(SWEEP), journal, 2);
      SweepResults later =
          new SweepRunner(sweep(SWEEP), new RunPreparation(), journal, "2", false)
              .run(2, point -> {});
      assertThat(later.known()).isZero();
      assertThat(journal.keys()).hasSize(24);
    }
  }
}
