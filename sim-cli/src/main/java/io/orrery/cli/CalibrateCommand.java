package io.orrery.cli;

import io.orrery.models.Catalog;
import io.orrery.scenarios.calibration.Calibration;
import io.orrery.scenarios.calibration.MeasurementFiles;
import io.orrery.scenarios.calibration.RequestFile;
import io.orrery.scenarios.calibration.RequestTimes;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.measured.ClosedLoopFile;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.profile.Profile;
import io.orrery.scenarios.profile.ProfileText;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceProvenance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fits step times to measurements of the user's own cluster. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Fit host constants of an engine, and kernel laws, to measurements; print how far off they"
          + " are on measurements that the fit has not seen; write a profile that"
          + " stepTime.profile takes."
    },
    footer = {
      "",
      "Measurements are one of",
      "  closed loops   a CSV of configurations with ttft_ms and tpot_ms: --from FILE",
      "  requests       times of every request (JSON lines or CSV): SCENARIO --from FILE,",
      "                 where the scenario says what they ran on and what was sent",
      "  a trace        whose records carry measured times: SCENARIO alone",
      "and kernel tables (--perf-data DIR), alone or beside one of them.",
      "",
      "Example:",
      "  orrery calibrate mine.yaml --from requests.jsonl -o profile.yaml"
    })
final class CalibrateCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "Measured closed loops, or measured requests of the scenario.")
  private @Nullable Path from;

  @Option(
      names = "--kernels",
      paramLabel = "ENGINE",
      description = "Whose kernels: vllm, trtllm or sglang. With a scenario, its own.")
  private @Nullable String kernels;

  @Option(
      names = "--gpu",
      paramLabel = "NAME",
      description = "GPU of the tables. With a scenario, that of its workers.")
  private @Nullable String gpu;

  @Option(
      names = "--engine-version",
      paramLabel = "TEXT",
      description = "Version of the engine that was measured, to be noted.")
  private String engineVersion = "";

  @Option(
      names = "--fit-first",
      paramLabel = "N",
      description = "Requests to fit to, by arrival; the others judge. By default half.")
  private @Nullable Integer fitFirst;

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      description = "Share of closed loops that judge, drawn by the seed. By default 0.25.")
  private double heldOut = 0.25;

  @Option(
      names = "--date",
      paramLabel = "YYYY-MM-DD",
      description = "Date to note in the profile. By default today's.")
  private @Nullable String date;

  @Written
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the profile: YAML, or JSON if FILE ends in .json. Whole or not at all.")
  private @Nullable Path output;

  private final Console console;

  CalibrateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (!(heldOut > 0 && heldOut < 1)) {
      throw new UsageException("--held-out: found " + heldOut + ", expected more than 0, below 1");
    }
    if (fitFirst != null && fitFirst < 1) {
      throw new UsageException("--fit-first: found " + fitFirst + ", expected at least 1");
    }
    if (output != null) {
      OutputFolder.claimFile("-o", output);
    }
    boolean loops = from != null && MeasurementFiles.areClosedLoops(from);
    ScenarioRun run = loops || withoutScenario() ? null : run();
    if (run == null && from == null && arguments.perfData == null) {
      throw new UsageException(
          "found nothing to fit to, expected --from FILE, --perf-data DIR, or a scenario whose"
              + " trace has measured times");
    }
    Calibration calibration;
    try {
      calibration = new Calibration(engine(run), engineVersion, date());
      if (arguments.perfData != null) {
        calibration.fitKernels(Path.of(arguments.perfData), gpu(run));
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
    fitHost(calibration, run, loops);
    console.out().print(CalibrationText.of(calibration));
    console.out().flush();
    if (output != null) {
      Profile profile = calibration.profile();
      boolean json = output.toString().endsWith(".json");
      OutputFolder.writeFile(output, json ? ProfileText.json(profile) : ProfileText.yaml(profile));
      console.err().println("Profile written to " + output + ".");
    }
    return 0;
  }

  private boolean withoutScenario() {
    return arguments.isWithoutFile() && arguments.traces.isEmpty();
  }

  /**
   * The one run of the scenario; its step times are by laws, with kernels of its own or shipped.
   */
  private ScenarioRun run() {
    List<ScenarioRun> runs = Experiment.prepare(arguments.loadWithoutPerfData()).runs();
    if (runs.size() != 1) {
      throw new UsageException(
          "found a scenario of " + runs.size() + " variants, expected one run that was measured");
    }
    ScenarioRun run = runs.get(0);
    String model = run.variant().spec().stepTime().model();
    if (!model.equals("law") && !model.equals("table")) {
      throw run.variant().config().refusal("stepTime.model", "law or table, which have host costs");
    }
    return run;
  }

  private String engine(@Nullable ScenarioRun run) {
    if (run == null) {
      return kernels == null ? "vllm" : kernels;
    }
    String own = run.kernels();
    if (kernels != null && !kernels.equals(own)) {
      throw new UsageException("--kernels: found " + kernels + ", expected the scenario's " + own);
    }
    return own;
  }

  private String gpu(@Nullable ScenarioRun run) {
    if (run != null) {
      return run.variant().spec().pools().get(0).gpu();
    }
    if (gpu == null) {
      throw new UsageException("--gpu: found nothing, expected the GPU that the tables are of");
    }
    return gpu;
  }

  private String date() {
    if (date == null) {
      return LocalDate.now(ZoneOffset.UTC).toString();
    }
    try {
      return LocalDate.parse(date).toString();
    } catch (DateTimeParseException e) {
      throw new UsageException("--date: found " + date + ", expected a date as 2026-11-29");
    }
  }

  private void fitHost(Calibration calibration, @Nullable ScenarioRun run, boolean loops)
      throws IOException {
    String blamed = from == null ? "the trace" : from.toString();
    try {
      if (from != null && loops) {
        List<ClosedLoopRow> rows = ClosedLoopFile.read(from, Catalog.bundled());
        long seed = arguments.seed == null ? 1 : arguments.seed;
        calibration.fitClosedLoops(rows, MeasurementFiles.source(from, rows.size()), heldOut, seed);
      } else if (from != null && run != null) {
        RequestFile file = RequestFile.read(from);
        calibration.fitRequests(
            run, file.times(run.trace()), MeasurementFiles.source(from, file.size()), first());
      } else if (from != null) {
        throw new UsageException(
            from + ": found measured requests, expected a scenario that says what they ran on");
      } else if (run != null) {
        RequestTimes times = RequestTimes.recorded(run.trace());
        if (times.known() == 0) {
          throw new UsageException(
              "the trace: found no measured times of requests, expected some, or --from FILE");
        }
        TraceProvenance.SourceFile file = run.trace().provenance().files().get(0);
        calibration.fitRequests(
            run, times, new Profile.Source(file.name(), file.sha256(), times.known()), first());
      }
    } catch (IllegalArgumentException e) {
      throw new ScenarioException(
          Position.of(blamed),
          "",
          "what cannot be fitted to (" + e.getMessage() + ")",
          "measurements of runs that can be told");
    }
  }

  private OptionalInt first() {
    return fitFirst == null ? OptionalInt.empty() : OptionalInt.of(fitFirst);
  }
}
