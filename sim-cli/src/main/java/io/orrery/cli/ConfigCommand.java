package io.orrery.cli;

import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.ScenarioReference;
import io.orrery.scenarios.Variant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows which settings there are, or which ones are in force and why. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Show every setting with its default and its meaning, or with --effective the settings of a"
          + " scenario, or without one those that hold then."
    },
    footer = {"", "Example:", "  orrery config --effective scenarios/quickstart.yaml"})
final class ConfigCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  @Option(
      names = "--effective",
      description = "Every value that is in force, and who gave it, for each variant.")
  private boolean effective;

  private final Console console;

  ConfigCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (!effective) {
      if (!arguments.isWithoutFile()) {
        throw new UsageException("config SCENARIO: expected --effective beside it");
      }
      console.out().print(ScenarioReference.defaultsYaml());
      return 0;
    }
    if (arguments.isWithoutFile()) {
      console.out().print(ScenarioLoader.defaults(arguments.settings()).toYamlWithOrigins());
      return 0;
    }
    Scenario scenario = arguments.load();
    new Notes(console.err()).print(scenario.notes());
    String separator = "";
    for (Variant variant : scenario.variants()) {
      EffectiveConfig config = variant.config();
      console.out().print(separator + "# " + variant.name() + "\n" + config.toYamlWithOrigins());
      separator = "---\n";
    }
    return 0;
  }
}
