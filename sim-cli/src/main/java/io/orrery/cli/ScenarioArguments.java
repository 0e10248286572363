package io.orrery.cli;

import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.ScenarioLayers;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.Variant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which scenario, and what the command line changes in it. */
final class ScenarioArguments {
  @Parameters(
      paramLabel = "SCENARIO",
      arity = "0..1",
      description = "Scenario file (YAML). Without it, every setting has its default.")
  @Nullable Path file;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Trace file or folder to replay instead of the scenario's; may be repeated.")
  List<String> traces = new ArrayList<>();

  @Option(
      names = "--map",
      paramLabel = "NAME=COLUMN",
      description = {
        "What the columns of a table mean, as input=prompt,output=gen,timestamp=ts:s; instead of"
            + " the scenario's trace.map."
      })
  @Nullable String mapping;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Set a key, as routing.policy=kv-aware, in every variant; may be repeated.")
  List<String> assignments = new ArrayList<>();

  @Option(
      names = "--perf-data",
      paramLabel = "DIR",
      description = {
        "Folder of measured kernel tables. Step times are interpolated in them, unless the scenario"
            + " or --set names another stepTime.model."
      })
  @Nullable String perfData;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of everything that is drawn.")
  @Nullable Long seed;

  @Mixin Plugins plugins = new Plugins();

  boolean isWithoutFile() {
    return file == null;
  }

  /** What simulates: the program's version, and what was plugged in. */
  String version() {
    String digest = plugins.digest();
    return Version.current() + (digest.isEmpty() ? "" : "+plugins-" + digest);
  }

  /** The scenario with all its layers. */
  Scenario load() {
    return load(settings());
  }

  private Scenario load(CommandLineSettings settings) {
    return file == null
        ? ScenarioLoader.withoutFile(settings)
        : ScenarioLoader.load(file, settings);
  }

  /**
   * The scenario's layers, of which runs under further settings can be made.
   *
   * @param command that cannot do without a file
   */
  ScenarioLayers layers(String command) {
    if (file == null) {
      throw new UsageException(command + ": found no SCENARIO, expected one");
    }
    return ScenarioLoader.layers(file, settings());
  }

  /** The file as it can be sent to other processes. */
  ScenarioText text() {
    Path path = file;
    if (path == null) {
      throw new IllegalStateException("no file");
    }
    return ScenarioText.read(path, settings());
  }

  /** The scenario, whose step times do not come from measured tables. */
  Scenario loadWithoutPerfData() {
    return load(settings(Optional.empty()));
  }

  /**
   * The scenario with every variant repeated under so many seeds, counted up from that of the first
   * variant; all variants have the same seeds.
   */
  Scenario load(int seeds) {
    Scenario first = load();
    if (seeds == 1) {
      return first;
    }
    long seed = first.variants().get(0).spec().seed();
    List<Scenario> repetitions = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      CommandLineSettings settings = settings().withSeed(seed + i);
      repetitions.add(
          file == null
              ? ScenarioLoader.withoutFile(settings)
              : ScenarioLoader.load(file, settings));
    }
    List<Variant> variants = new ArrayList<>();
    for (int v = 0; v < first.variants().size(); v++) {
      for (Scenario repetition : repetitions) {
        variants.add(repetition.variants().get(v));
      }
    }
    return new Scenario(first.name(), variants, first.notes());
  }

  /** What the command line says about it. */
  CommandLineSettings settings() {
    return settings(Optional.ofNullable(perfData));
  }

  private CommandLineSettings settings(Optional<String> tables) {
    return new CommandLineSettings(
        assignments,
        seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
        traces,
        Optional.ofNullable(mapping),
        tables,
        Path.of(""));
  }
}
