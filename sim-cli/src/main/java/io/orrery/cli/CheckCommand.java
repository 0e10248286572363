package io.orrery.cli;

import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.SeedMeans;
import io.orrery.reports.compare.ComparisonText;
import io.orrery.reports.gates.Baseline;
import io.orrery.reports.gates.BaselineComparison;
import io.orrery.reports.gates.BaselineJson;
import io.orrery.reports.gates.Gate;
import io.orrery.reports.gates.GateCheck;
import io.orrery.reports.gates.GateDocuments;
import io.orrery.reports.gates.GateResult;
import io.orrery.reports.gates.GateText;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.traces.PrintableText;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a scenario and holds gates against it. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Run a scenario and hold gates against its numbers, by themselves or against a baseline that"
          + " is kept with the code.",
      "Exit status 1 if a gate fails."
    },
    footer = {
      "",
      "Without --gates, built-in ones hold: what no run may lose against its baseline.",
      "A simulation is exact: without an intended change, nothing differs at all.",
      "",
      "Example:",
      "  orrery check scenarios/quickstart.yaml --baseline quickstart.baseline.json"
    })
final class CheckCommand implements Callable<Integer> {
  private static final int GATE_FAILED = 1;

  @Mixin private ScenarioArguments arguments;

  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description = "Numbers to compare with, as --update-baseline wrote them.")
  private @Nullable Path baselineFile;

  @Option(names = "--gates", paramLabel = "FILE", description = "Gates (YAML).")
  private @Nullable Path gatesFile;

  @Option(
      names = "--update-baseline",
      description = {
        "Write the numbers of this run into --baseline, and show what changed. Gates are not"
            + " applied."
      })
  private boolean update;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Run every variant under so many seeds and hold gates against the means.")
  private int seeds;

  @Written
  @Option(names = "--junit", paramLabel = "FILE", description = "Write JUnit XML.")
  private @Nullable Path junit;

  @Written
  @Option(names = "--markdown", paramLabel = "FILE", description = "Write Markdown.")
  private @Nullable Path markdown;

  @Mixin private JsonOption json;

  @Option(
      names = "--annotations",
      description = "Print annotations for GitHub's runners, which point at the gate's line.")
  private boolean annotations;

  @Option(names = "--all", description = "List gates that passed, too.")
  private boolean all;

  @Mixin private QuarantineOption quarantine;

  @Mixin private ThreadsOption threads;

  @Mixin private ColourOption colour;

  @Mixin private QuietOption quiet;

  private final Console console;

  CheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    requireUsable();
    Scenario scenario = arguments.load(seeds);
    List<Gate> gates = gates(scenario);
    Baseline baseline = update ? null : baseline();
    if (baseline == null && !update) {
      requireNoBaselineNeeded(gates);
    }
    Experiment experiment = quarantine.prepare(scenario, threads.traces(), quiet.notes(console));
    RunDocument document = run(experiment);
    List<RunReport> runs = SeedMeans.of(document.runs());
    Baseline now = Baseline.of(document, runs, seeds);
    if (update) {
      return update(now);
    }
    if (baseline != null) {
      requireSame(baseline, now);
    }
    List<GateResult> results = new GateCheck(baseline).check(gates, runs);
    if (results.isEmpty()) {
      throw new UsageException(
          (gatesFile == null ? "--baseline" : gatesFile)
              + ": found no gate on a number that these runs have, expected at least one");
    }
    print(document.name(), results, baseline == null ? 0 : baseline.changes(now));
    return results.stream().anyMatch(GateResult::failed) ? GATE_FAILED : 0;
  }

  private void requireUsable() {
    if (seeds < 1) {
      throw new UsageException("--seeds: found " + seeds + ", expected at least 1");
    }
    threads.atOnce();
    if (update && baselineFile == null) {
      throw new UsageException("--update-baseline: found no --baseline, expected its FILE");
    }
    Map<Path, String> taken = new HashMap<>();
    if (baselineFile != null) {
      taken.put(baselineFile.toAbsolutePath().normalize(), "--baseline");
    }
    if (gatesFile != null) {
      claim("--gates", gatesFile, false, taken);
    }
    if (update && baselineFile != null) {
      OutputFolder.claimFile("--baseline", baselineFile);
    }
    claim("--quarantine", quarantine.file(), true, taken);
    claim("--junit", junit, true, taken);
    claim("--markdown", markdown, true, taken);
  }

  /** Sees to it that no file is two things at once, and that files to come can be written. */
  private static void claim(
      String option, @Nullable Path file, boolean write, Map<Path, String> taken) {
    if (file == null) {
      return;
    }
    String other = taken.put(file.toAbsolutePath().normalize(), option);
    if (other != null) {
      throw new UsageException(
          option + ": found " + file + " again, which is the file of " + other + ", too");
    }
    if (write) {
      OutputFolder.claimFile(option, file);
    }
  }

  private List<Gate> gates(Scenario scenario) {
    if (gatesFile == null) {
      return Gate.builtIn();
    }
    Set<String> names = new LinkedHashSet<>();
    scenario.variants().stream().map(Variant::name).forEach(names::add);
    return GateReader.read(gatesFile, names);
  }

  private static void requireNoBaselineNeeded(List<Gate> gates) {
    for (Gate gate : gates) {
      boolean needs =
          (gate.fail() != null && gate.fail().needsBaseline())
              || (gate.warn() != null && gate.warn().needsBaseline());
      if (needs) {
        throw new UsageException(
            "--baseline: found nothing, expected a baseline for the gate on "
                + gate.key()
                + " ("
                + gate.file()
                + (gate.line() > 0 ? ":" + gate.line() : "")
                + ")");
      }
    }
  }

  private @Nullable Baseline baseline() {
    if (baselineFile == null) {
      return null;
    }
    try {
      return BaselineJson.read(Files.readString(baselineFile));
    } catch (MalformedInputException e) {
      throw new UsageException(baselineFile + ": found no text in UTF-8, expected a baseline");
    } catch (IOException e) {
      throw new UsageException(
          baselineFile
              + ": cannot be read ("
              + IoReason.of(e)
              + "); --update-baseline writes a new one");
    } catch (IllegalArgumentException e) {
      throw new UsageException(baselineFile + ": " + e.getMessage());
    }
  }

  private void requireSame(Baseline baseline, Baseline now) {
    List<String> differences = baseline.differences(now);
    if (!differences.isEmpty()) {
      List<String> lines = new ArrayList<>();
      lines.add(
          baselineFile
              + ": is the baseline of something else; if that is intended, use --update-baseline:");
      differences.forEach(difference -> lines.add("  " + difference));
      throw new UsageException(String.join("\n", lines));
    }
  }

  private RunDocument run(Experiment experiment) {
    int threadsEach = threads.forEachOf(experiment.runs().size());
    try (Progress progress = quiet.progress(console, experiment.expectedRequests())) {
      List<RunOutcome> outcomes =
          experiment.forEachRun(
              threads.atOnce(),
              run -> RunOutcome.of(run, run.simulate(progress.ofRun()), 0, threadsEach, false));
      return RunOutcome.document(experiment, outcomes);
    }
  }

  /** Writes the new baseline and shows what is new in it. */
  private int update(Baseline now) {
    Path file = baselineFile;
    if (file == null) {
      throw new IllegalStateException("checked before");
    }
    String text = "A new baseline.\n";
    if (Files.exists(file)) {
      Baseline before = replaceable(file);
      if (before != null) {
        StringBuilder changes = new StringBuilder();
        before
            .differences(now)
            .forEach(line -> changes.append(PrintableText.of(line)).append('\n'));
        changes.append(
            ComparisonText.of(
                BaselineComparison.of(before, now), false, colour.of(console.terminal())));
        text = changes.toString();
      }
    }
    OutputFolder.writeFile(file, BaselineJson.of(now));
    console.styledOut().print(text);
    console.out().println("wrote " + file);
    console.out().flush();
    return 0;
  }

  /** The baseline that is replaced; null if it is one, but cannot be compared with any more. */
  private @Nullable Baseline replaceable(Path file) {
    try {
      return baseline();
    } catch (UsageException e) {
      if (isAnyBaseline(file)) {
        console.err().println("orrery: " + e.getMessage() + "; a new baseline takes its place");
        return null;
      }
      throw e;
    }
  }

  /** Whether a file may be overwritten: it says that it is a baseline, of whatever version. */
  private static boolean isAnyBaseline(Path file) {
    try {
      return BaselineJson.isKind(Files.readString(file));
    } catch (IOException e) {
      return false;
    }
  }

  private void print(String scenario, List<GateResult> results, int changes) {
    if (junit != null) {
      OutputFolder.writeFile(junit, GateDocuments.junit(scenario, results));
    }
    if (markdown != null) {
      OutputFolder.writeFile(markdown, GateDocuments.markdown(scenario, results, changes));
    }
    if (annotations) {
      // Runners read both streams; a JSON document stays alone on standard output.
      (json.asked() ? console.err() : console.out()).print(GateDocuments.annotations(results));
    }
    console
        .out()
        .print(
            json.asked()
                ? GateDocuments.json(scenario, results, changes)
                : GateText.of(results, all, changes));
    console.out().flush();
    console.err().flush();
  }
}
