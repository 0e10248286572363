package io.orrery.cli;

import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.ScenarioLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
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

  boolean isWithoutFile() {
    return file == null;
  }

  /** The scenario with all its layers. */
  Scenario load() {
    return file == null
        ? ScenarioLoader.withoutFile(settings())
        : ScenarioLoader.load(file, settings());
  }

  /** What the command line says about it. */
  CommandLineSettings settings() {
    return new CommandLineSettings(
        assignments,
        seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
        traces,
        Optional.ofNullable(perfData),
        Path.of(""));
  }
}
