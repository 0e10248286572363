package io.orrery.cli;

import io.orrery.reports.console.HumanUnits;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.TraceOpener;
import io.orrery.traces.BadRecords;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --quarantine}: a file for the records that cannot be read. */
final class QuarantineOption {
  private static final String NAME = "--quarantine";

  @Written
  @Option(
      names = NAME,
      paramLabel = "FILE",
      description = "Keep records that cannot be read aside, in this file, and go on without them.")
  private @Nullable Path file;

  /** Reads one trace or several. */
  interface Reading<T> {
    /**
     * Reads.
     *
     * @param aside takes the records that cannot be read; null to fail at the first
     */
    T with(@Nullable BadRecords aside);
  }

  /** The file, null for none. */
  @Nullable Path file() {
    return file;
  }

  boolean given() {
    return file != null;
  }

  /**
   * Reads, and writes the records that were kept aside where that was asked for.
   *
   * @param say hears how many there are
   */
  <T> T keptAside(Reading<T> reading, Consumer<String> say) {
    Path aside = file;
    if (aside == null) {
      return reading.with(null);
    }
    OutputFolder.claimFile(NAME, aside);
    List<T> result = new ArrayList<>();
    List<Long> count = new ArrayList<>();
    OutputFolder.writeFile(
        aside,
        work -> {
          try (Quarantine kept = new Quarantine(work)) {
            result.add(reading.with(kept));
            count.add(kept.count());
          }
        });
    say.accept(HumanUnits.count(count.get(0), "record") + " kept aside in " + aside);
    return result.get(0);
  }

  /**
   * Prepares a scenario's runs, see {@link Experiment#prepare}; notes how many records were kept
   * aside.
   *
   * @throws UsageException if they would be kept in a file of a trace
   */
  Experiment prepare(Scenario scenario, TraceOpener traces, Notes notes) {
    Path aside = file;
    if (aside != null) {
      DistinctFiles.refuse(NAME, aside, scenario.traceFiles());
    }
    return keptAside(
        bad ->
            Experiment.prepare(
                scenario, new RunPreparation(bad == null ? traces : new EachOnce(traces, bad))),
        said -> notes.print(List.of(said + ".")));
  }

  /** Hands on each bad record once, though variants may read a file in several ways. */
  private static final class EachOnce implements TraceOpener {
    private final TraceOpener opener;
    private final BadRecords bad;
    private final Set<List<Object>> earlier = new HashSet<>();

    EachOnce(TraceOpener opener, BadRecords bad) {
      this.opener = opener;
      this.bad = bad;
    }

    @Override
    public Trace open(List<String> places, TraceOptions options) {
      Set<List<Object>> now = new HashSet<>();
      Trace trace =
          opener.open(
              places,
              options.withBadRecords(
                  (file, line, text, why) -> {
                    List<Object> record = List.of(file, line, String.valueOf(why.getMessage()));
                    if (!earlier.contains(record)) {
                      now.add(record);
                      bad.take(file, line, text, why);
                    }
                  }));
      earlier.addAll(now);
      return trace;
    }
  }
}
