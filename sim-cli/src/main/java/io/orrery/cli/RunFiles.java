package io.orrery.cli;

import io.orrery.parquet.WriteOptions;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.figures.MemoryBars;
import io.orrery.reports.figures.RecordedDecisions;
import io.orrery.reports.figures.Report;
import io.orrery.reports.figures.ReportBuilder;
import io.orrery.reports.figures.RunFigures;
import io.orrery.reports.page.ReportJson;
import io.orrery.reports.table.CsvSink;
import io.orrery.reports.table.ParquetSink;
import io.orrery.reports.table.RequestsTable;
import io.orrery.reports.table.ResultTable;
import io.orrery.reports.table.RunRows;
import io.orrery.reports.table.SessionsTable;
import io.orrery.reports.table.TimeseriesTable;
import io.orrery.reports.table.WorkersTable;
import io.orrery.scenarios.experiment.Experiment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of {@code run -o}. */
final class RunFiles {
  /** All that may be among them, folders included. */
  static final List<String> NAMES =
      List.of(
          "summary.json",
          "run.yaml",
          ExplainCommand.DECISIONS,
          ExplainCommand.COMPRESSED_DECISIONS,
          "report.json",
          "report.html",
          "report.md",
          "charts",
          "requests.parquet",
          "sessions.parquet",
          "workers.parquet",
          "timeseries.parquet",
          "requests.csv",
          "sessions.csv",
          "workers.csv",
          "timeseries.csv");

  private final Experiment experiment;
  private final RunDocument document;
  private final List<RunFigures> runs;
  private final RecordedDecisions decisions;

  RunFiles(
      Experiment experiment,
      RunDocument document,
      List<RunFigures> runs,
      RecordedDecisions decisions) {
    this.decisions = decisions;
    this.experiment = experiment;
    this.document = document;
    this.runs = runs;
  }

  /** The files, by name. */
  Map<String, OutputFolder.Content> all(ReportFiles.Images images, boolean parquet, boolean csv) {
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    files.put("run.yaml", text(Headline.configs(experiment)));
    files.put("summary.json", text(document.toJson()));
    Report report = report();
    files.put("report.json", text(ReportJson.of(report)));
    files.putAll(ReportFiles.of(report, images));
    for (ResultTable table : tables()) {
      if (parquet) {
        files.put(
            table.name() + ".parquet",
            file ->
                ParquetSink.write(
                    table, file, WriteOptions.of("orrery version " + document.version()), facts()));
      }
      if (csv) {
        files.put(
            table.name() + ".csv", OutputFolder.Content.text(out -> CsvSink.write(table, out)));
      }
    }
    return files;
  }

  private static OutputFolder.Content text(String text) {
    return OutputFolder.Content.text(out -> out.write(text));
  }

  private Report report() {
    return ReportBuilder.of(
        document, Headline.of(experiment), runs, MemoryBars.of(experiment.runs()), decisions);
  }

  private List<ResultTable> tables() {
    List<RunRows> rows = runs.stream().map(run -> new RunRows(run.name(), run.run())).toList();
    return List.of(
        RequestsTable.of(rows),
        SessionsTable.of(rows),
        WorkersTable.of(rows),
        TimeseriesTable.of(runs));
  }

  /** Where the rows come from: a configuration's digest for every run. */
  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("scenario", document.name());
    for (RunReport run : document.runs()) {
      facts.put("config." + run.name(), run.digest());
      facts.put("trace." + run.name(), run.traceDigest());
    }
    return facts;
  }
}
