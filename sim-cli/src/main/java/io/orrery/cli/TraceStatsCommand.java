package io.orrery.cli;

import io.orrery.reports.page.HtmlPage;
import io.orrery.reports.traces.TraceStatsJson;
import io.orrery.reports.traces.TraceStatsReport;
import io.orrery.reports.traces.TraceStatsText;
import io.orrery.reports.traces.TraceSummary;
import io.orrery.reports.work.WorkEngine;
import io.orrery.traces.analysis.TraceAnalysis;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a trace is like. */
@Command(
    name = "stats",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Show what a trace is like: lengths, turns, waits, what is sent again and again, how long a"
          + " cache would have to keep it, and what routing could change."
    },
    footer = {"", "Example:", "  orrery trace stats traces/quickstart.jsonl.gz --html stats.html"})
final class TraceStatsCommand implements Callable<Integer> {
  @Mixin private TraceFiles files;

  @Mixin private JsonOption json;

  @Written
  @Option(names = "--html", paramLabel = "FILE", description = "Write one page with charts, too.")
  private @Nullable Path html;

  @Mixin private EngineOptions engine;

  private final Console console;

  /** Known where the whole trace is in this process. */
  private @Nullable String contentDigest;

  TraceStatsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Path page = html;
    if (page != null) {
      OutputFolder.claimFile("--html", page);
    }
    TraceSummary summary = engine.isLocal() ? here(page) : elsewhere(page);
    console
        .out()
        .print(
            json.asked() ? TraceStatsJson.of(summary, contentDigest) : TraceStatsText.of(summary));
    console.out().flush();
    return 0;
  }

  private TraceSummary here(@Nullable Path page) {
    TraceAnalysis analysis = TraceAnalysis.of(files.read(console));
    if (page != null) {
      OutputFolder.writeFile(page, HtmlPage.of(TraceStatsReport.of(analysis, Version.current())));
    }
    contentDigest = json.asked() ? analysis.trace().digest() : null;
    return TraceSummary.of(analysis);
  }

  private TraceSummary elsewhere(@Nullable Path page) {
    if (page != null || files.keepsBadRecords()) {
      throw new UsageException(
          (page == null ? "--quarantine" : "--html") + ": found it with --engine spark");
    }
    try (WorkEngine workers = engine.start(List.of())) {
      return workers.summarise(files.places(), files.options());
    }
  }
}
