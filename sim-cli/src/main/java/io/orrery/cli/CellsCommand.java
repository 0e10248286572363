package io.orrery.cli;

import io.orrery.reports.cells.CellsRun;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.work.ThreadWorkers;
import io.orrery.reports.work.WorkEngine;
import io.orrery.reports.work.Workers;
import io.orrery.scenarios.sweep.SweepReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates a fleet as independent clusters. */
@Command(
    name = "cells",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Split a fleet's trace by sessions into cells, simulate each on a cluster of its own, and tell"
          + " their numbers as one.",
      "The scenario describes one cell: its workers, and its lanes if it has any."
    },
    footer = {
      "",
      "Counts add up exactly. Quantiles are those of all requests: exact up to a million,",
      "beyond that within the relative_error that is told. Of shares and levels over time",
      "the least, mean and greatest over the cells are told (--json).",
      "",
      "Example:",
      "  orrery cells scenarios/quickstart.yaml --cells 4 --set trace.lanes.count=40"
    })
final class CellsCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  @Option(
      names = "--cells",
      paramLabel = "N",
      required = true,
      description = "How many cells; the hash of a session's id says which is its own.")
  private int cells;

  @Written
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write all numbers into this file, as one JSON document.")
  private @Nullable Path output;

  @Mixin private JsonOption json;
  @Mixin private ThreadsOption threads;

  @Mixin private EngineOptions engine;

  @Mixin private QuietOption quiet;

  private final Console console;

  CellsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    int atOnce = threads.atOnce(engine);
    if (cells < 1) {
      throw new UsageException("--cells: found " + cells + ", expected at least 1");
    }
    SweepReader.variants(arguments.layers("cells"));
    if (output != null) {
      OutputFolder.claimFile("-o", output);
    }
    long begun = System.nanoTime();
    CellsRun run;
    if (engine.isLocal()) {
      run = run(new ThreadWorkers(atOnce));
    } else {
      try (WorkEngine workers = engine.start(arguments.plugins.jars())) {
        run = run(workers);
      }
    }
    Notes notes = quiet.notes(console);
    run.failures().forEach(failure -> notes.print(List.of("Failed: " + failure)));
    if (output != null) {
      OutputFolder.writeFile(output, run.json());
    }
    console.out().print(json.asked() ? run.json() : run.text());
    console.out().flush();
    double seconds = (System.nanoTime() - begun) / 1e9;
    notes.print(List.of(run.pieces() + " cells in " + HumanUnits.seconds(seconds)));
    return run.hasNumbers() ? 0 : Failures.USAGE;
  }

  private CellsRun run(Workers workers) {
    try (Progress progress = quiet.progress(console, 0, "cells")) {
      return CellsRun.of(workers, arguments.text(), cells, arguments.version(), progress::one);
    }
  }
}
