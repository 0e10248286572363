package io.orrery.cli;

import io.orrery.parquet.WriteOptions;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.figures.Report;
import io.orrery.reports.page.ReportJson;
import io.orrery.reports.sweep.SweepDocument;
import io.orrery.reports.sweep.SweepReport;
import io.orrery.reports.sweep.SweepResults;
import io.orrery.reports.sweep.SweepRunner;
import io.orrery.reports.sweep.SweepTable;
import io.orrery.reports.table.ParquetSink;
import io.orrery.reports.table.ResultTable;
import io.orrery.reports.work.WorkEngine;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a scenario under many settings. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Run a scenario under many settings: what its sweep section lists.",
      "With -o, every point is kept as soon as it is finished; the same command goes on where an"
          + " earlier one was ended, and at the end the folder gets summary.json, points.parquet and"
          + " the report."
    },
    footer = {
      "",
      "A point that cannot be run is noted with its reason, and the others go on.",
      "The same inputs give the same bytes, with any number of threads, at once or in",
      "pieces.",
      "",
      "Example:",
      "  orrery sweep scenarios/sweep-small.yaml -o sweep/"
    })
final class SweepCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  @Mixin private FolderOptions output;

  @Option(names = "--list", description = "Print the points, a line each, and run none.")
  private boolean list;

  @Option(names = "--fail-fast", description = "End with the first point that fails.")
  private boolean failFast;

  @Mixin private JsonOption json;

  @Option(names = "--no-parquet", description = "With -o, write no Parquet table.")
  private boolean noParquet;

  @Mixin private ThreadsOption threads;

  @Mixin private EngineOptions engine;

  @Option(
      names = "--table",
      paramLabel = "URI",
      description = {
        "With --engine spark, write the Parquet table into this folder, which all of Spark's"
            + " processes must see, instead of DIR/points.parquet."
      })
  private @Nullable String table;

  @Mixin private QuietOption quiet;

  private final Console console;

  SweepCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    int atOnce = threads.atOnce(engine);
    if (engine.isLocal() && table != null) {
      throw new UsageException("--table: found " + table + " without --engine spark");
    }
    Sweep sweep = SweepReader.read(arguments.layers("sweep"));
    if (list) {
      for (int i = 0; i < sweep.size(); i++) {
        console.out().println(sweep.point(i).name());
      }
      console.out().flush();
      return 0;
    }
    try (SweepFolder folder = output.openSweep()) {
      try {
        return run(sweep, folder, atOnce);
      } catch (IOException | UncheckedIOException e) {
        throw folder.failure(e);
      }
    }
  }

  private int run(Sweep sweep, SweepFolder folder, int atOnce) throws IOException {
    Notes notes = quiet.notes(console);
    if (folder.journal().damaged() > 0) {
      notes.print(
          List.of(
              folder.journal().damaged()
                  + " lines of points.jsonl cannot be understood; their points run again."));
    }
    long begun = System.nanoTime();
    SweepResults results =
        engine.isLocal() ? here(sweep, folder, atOnce) : elsewhere(sweep, folder);
    if (folder.isKept()) {
      folder.write(files(results));
    }
    if (json.asked()) {
      SweepDocument.write(results, console.out());
    } else {
      console.out().print(SweepReport.text(results));
    }
    console.out().flush();
    for (int index : results.failures().keySet()) {
      notes.print(
          List.of(
              "Failed: " + sweep.point(index).name() + ": " + results.failures().get(index) + "."));
    }
    notes.print(List.of(line(sweep, results, (System.nanoTime() - begun) / 1e9)));
    return results.failures().size() == sweep.size() ? Failures.USAGE : 0;
  }

  private SweepResults here(Sweep sweep, SweepFolder folder, int atOnce) throws IOException {
    try (Progress progress = progress(sweep)) {
      SweepResults results =
          runner(sweep, threads.preparation(), folder).run(atOnce, point -> progress.one());
      results.orderJournal();
      return results;
    }
  }

  private SweepResults elsewhere(Sweep sweep, SweepFolder folder) throws IOException {
    try (WorkEngine workers = engine.start(arguments.plugins.jars())) {
      SweepResults results;
      try (Progress progress = progress(sweep)) {
        results =
            runner(sweep, new RunPreparation(workers.here().traces()), folder)
                .run(workers, arguments.text(), point -> progress.one());
      }
      results.orderJournal();
      Path kept = output.path();
      Path points = kept == null ? null : kept.resolve("points.parquet").toAbsolutePath();
      String place = table != null ? table : points == null ? null : points.toString();
      if (place != null && !noParquet) {
        workers.write(SweepTable.of(results), place);
      }
      return results;
    }
  }

  private SweepRunner runner(Sweep sweep, RunPreparation preparation, SweepFolder folder) {
    return new SweepRunner(sweep, preparation, folder.journal(), arguments.version(), failFast);
  }

  private Progress progress(Sweep sweep) {
    return quiet.progress(console, sweep.size(), "points");
  }

  private static String line(Sweep sweep, SweepResults results, double seconds) {
    return HumanUnits.count(sweep.size())
        + (sweep.size() == 1 ? " point" : " points")
        + (results.known() > 0 ? ", " + results.known() + " of them finished before" : "")
        + (results.failures().isEmpty() ? "" : ", " + results.failures().size() + " failed")
        + ", in "
        + HumanUnits.seconds(seconds);
  }

  private Map<String, OutputFolder.Content> files(SweepResults results) throws IOException {
    Map<String, OutputFolder.Content> files = new LinkedHashMap<>();
    files.put("summary.json", OutputFolder.Content.text(out -> SweepDocument.write(results, out)));
    Report report = SweepReport.of(results);
    files.put("report.json", OutputFolder.Content.text(out -> out.write(ReportJson.of(report))));
    files.putAll(ReportFiles.of(report, ReportFiles.Images.SVG_AND_PNG));
    if (!noParquet && engine.isLocal()) {
      ResultTable points = SweepTable.of(results);
      Map<String, String> facts = Map.of("scenario", results.sweep().name());
      files.put(
          "points.parquet",
          file ->
              ParquetSink.write(
                  points, file, WriteOptions.of("orrery version " + Version.current()), facts));
    }
    return files;
  }
}
