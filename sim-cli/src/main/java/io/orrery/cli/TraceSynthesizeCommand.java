package io.orrery.cli;

import io.orrery.models.Names;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.traces.FitQuality;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceSelection;
import io.orrery.traces.synthesis.ProfileFit;
import io.orrery.traces.synthesis.ProfileSynthesizer;
import io.orrery.traces.synthesis.ServeGenPool;
import io.orrery.traces.synthesis.ServeGenSynthesizer;
import io.orrery.traces.synthesis.SyntheticArrivals;
import io.orrery.traces.synthesis.TraceProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A trace that nobody recorded. */
@Command(
    name = "synthesize",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Draw a trace of any size from a profile, like another trace, or from clients of ServeGen,"
          + " and write it as it is drawn (Parquet). With --like, how alike they are is printed: the Kolmogorov-Smirnov distance"
          + " of each distribution, and how far their hit curves are apart."
    },
    footer = {
      "",
      "Equal seeds and options give equal traces.",
      "",
      "Example:",
      "  orrery trace synthesize --like conversation_trace.jsonl -o alike.parquet"
    })
final class TraceSynthesizeCommand implements Callable<Integer> {
  private static final List<String> OTHER_FORMATS =
      List.of(".json", ".jsonl", ".ndjson", ".csv", ".gz", ".zst", ".xz", ".zip");

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "claude-code, conversation, chat, or a file that --save-profile wrote.")
  private @Nullable String profileName;

  @Option(
      names = "--like",
      paramLabel = "FILE",
      description = {
        "Fit a profile to this trace, and say how good the fit is; may be given several times, for"
            + " the files of one trace."
      })
  private List<Path> like = new ArrayList<>();

  @Mixin private TraceReadOptions reading = new TraceReadOptions();

  @Option(
      names = "--servegen",
      paramLabel = "DIR",
      description = {
        "Draw from the clients of a ServeGen profile (NAME-trace.csv, NAME-dataset.json) in this"
            + " folder, each request a session; may be given several times."
      })
  private List<Path> serveGen = new ArrayList<>();

  @Written
  @Option(
      names = "--save-profile",
      paramLabel = "FILE",
      description = "Write the profile that was fitted: distributions, no requests (JSON).")
  private @Nullable Path saved;

  @Written
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "Write the trace into this file, complete or not at all.")
  private Path output = Path.of("");

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "Root sessions at most; by default as many as --like has, or as many requests.")
  private @Nullable Integer sessions;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = {
        "Requests at most; the trace ends with the last, amid its sessions. --servegen ends with"
            + " its windows at the latest."
      })
  private @Nullable Integer requests;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      description = {
        "Root sessions per second; with --servegen, the mean over its windows. By default gaps are those of the profile; where its sessions"
            + " have no clock in common, these have none either."
      })
  private @Nullable Double rate;

  @Option(
      names = "--burstiness",
      paramLabel = "CV",
      defaultValue = "1",
      description = "With --rate, coefficient of variation of the gaps, from 1 (Poisson) to 1000.")
  private double burstiness;

  @Option(
      names = "--diurnal",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "With --rate, how much it goes up by noon and down by midnight, 0 to 1.")
  private double diurnal;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all draws; ${DEFAULT-VALUE} by default.")
  private long seed;

  @Option(names = "--json", description = "Print how good the fit is as one JSON document.")
  private boolean json;

  private final Console console;

  TraceSynthesizeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    requireUsable();
    if (!serveGen.isEmpty()) {
      return fromServeGen();
    }
    Trace original = like.isEmpty() ? null : reading.read(like, console);
    TraceProfile profile =
        original == null
            ? profile(String.valueOf(profileName))
            : ProfileFit.of(original, String.valueOf(like.get(0).getFileName()));
    Path target = saved;
    if (target != null) {
      OutputFolder.writeFile(target, profile.toJson());
    }
    ProfileSynthesizer.Written[] written = new ProfileSynthesizer.Written[1];
    OutputFolder.writeFile(
        output,
        file ->
            written[0] =
                original == null || sessions != null || requests != null
                    ? write(profile, file, sessions, requests)
                    : alike(profile, original, file));
    said(written[0]);
    if (original != null) {
      FitQuality quality = quality(profile, original);
      console.out().print(json ? quality.toJson() : quality.toText());
      console.out().flush();
    }
    console.err().flush();
    return 0;
  }

  private void said(ProfileSynthesizer.Written written) {
    console
        .err()
        .println(
            "orrery: wrote "
                + output
                + " (orrery): "
                + HumanUnits.count(written.requests(), "request")
                + " in "
                + HumanUnits.count(written.sessions(), "session"));
    console.err().flush();
  }

  private Integer fromServeGen() {
    ServeGenSynthesizer synthesizer =
        new ServeGenSynthesizer(ServeGenPool.read(serveGen), rate == null ? 0 : rate, seed);
    ProfileSynthesizer.Written[] written = new ProfileSynthesizer.Written[1];
    OutputFolder.writeFile(
        output,
        file ->
            written[0] = synthesizer.write(file, requests == null ? Integer.MAX_VALUE : requests));
    said(written[0]);
    return 0;
  }

  private void requireUsable() {
    int sources = (profileName == null ? 0 : 1) + (like.isEmpty() ? 0 : 1);
    if (sources + (serveGen.isEmpty() ? 0 : 1) != 1) {
      throw new UsageException("synthesize: expected one of --profile, --like and --servegen");
    }
    if (!serveGen.isEmpty()
        && (sessions != null || saved != null || burstiness != 1 || diurnal != 0)) {
      throw new UsageException(
          "--servegen: expected none of --sessions, --save-profile, --burstiness and --diurnal"
              + " beside it, which its windows say");
    }
    if (like.isEmpty() && (json || reading.given())) {
      throw new UsageException(
          (json ? "--json" : "how files are read")
              + ": expected --like beside it, there is nothing to say of "
              + (profileName == null ? "--servegen" : "--profile"));
    }
    if (profileName != null && sessions == null && requests == null) {
      throw new UsageException("synthesize: expected --sessions or --requests with --profile");
    }
    requirePositive("--sessions", sessions);
    requirePositive("--requests", requests);
    if (saved != null) {
      OutputFolder.claimFile("--save-profile", saved);
    }
    requireParquet();
    OutputFolder.claimFile("-o", output);
    if (rate == null && (burstiness != 1 || diurnal != 0)) {
      throw new UsageException("--burstiness, --diurnal: expected --rate beside them");
    }
    if (rate != null) {
      atRate(rate);
    }
  }

  /** Who asks for another format by the file's name should not find out later. */
  private void requireParquet() {
    String name = output.toString().toLowerCase(Locale.ROOT);
    if (OTHER_FORMATS.stream().anyMatch(name::endsWith)) {
      throw new UsageException(
          "-o: found "
              + output
              + ", expected a name that ends in .parquet: orrery trace convert writes other"
              + " formats");
    }
  }

  private static void requirePositive(String option, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new UsageException(option + ": found " + value + ", expected at least 1");
    }
  }

  private SyntheticArrivals atRate(double sessionsPerSecond) {
    try {
      return SyntheticArrivals.atRate(sessionsPerSecond, burstiness, diurnal);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--" + e.getMessage());
    }
  }

  private static TraceProfile profile(String name) {
    if (TraceProfile.NAMES.contains(name)) {
      return TraceProfile.named(name);
    }
    Path file = Path.of(name);
    if (!Files.exists(file)) {
      throw new UsageException(
          "--profile: found "
              + name
              + ", expected a file or one of "
              + String.join(", ", TraceProfile.NAMES)
              + Names.didYouMean(name, TraceProfile.NAMES));
    }
    try {
      return TraceProfile.fromJson(Files.readString(file));
    } catch (IOException e) {
      throw new UsageException("--profile " + name + ": cannot be read (" + IoReason.of(e) + ")");
    } catch (IllegalArgumentException e) {
      throw new UsageException("--profile " + name + ": " + e.getMessage());
    }
  }

  private ProfileSynthesizer.Written alike(TraceProfile profile, Trace original, Path file) {
    return ProfileFit.endsAmidSessions(original)
        ? write(profile, file, null, original.requestCount())
        : write(profile, file, TraceSelection.rootSessions(original), null);
  }

  private ProfileSynthesizer.Written write(
      TraceProfile profile,
      Path file,
      @Nullable Integer mostSessions,
      @Nullable Integer mostRequests) {
    SyntheticArrivals arrivals =
        rate != null
            ? atRate(rate)
            : profile.arrivals() != null ? SyntheticArrivals.like(profile) : null;
    return new ProfileSynthesizer(profile, seed, arrivals)
        .write(
            file,
            mostSessions == null ? Integer.MAX_VALUE : mostSessions,
            mostRequests == null ? Integer.MAX_VALUE : mostRequests);
  }

  /** Of a trace as long as the original, whatever was asked for. */
  private FitQuality quality(TraceProfile profile, Trace original) {
    try {
      Path file = Files.createTempFile("orrery-synthetic", ".parquet");
      try {
        alike(profile, original, file);
        return FitQuality.of(original, TraceReaders.read(file));
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "a temporary file: cannot be written (" + IoReason.of(e) + ")", e);
    }
  }
}
