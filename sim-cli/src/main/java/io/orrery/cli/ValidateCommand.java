package io.orrery.cli;

import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.experiment.Experiment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks everything that {@code run} would refuse, without replaying anything. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Check a scenario and its trace without replaying it.",
    footer = {
      "",
      "Refuses what run would refuse: unknown keys, values out of range, models that",
      "do not fit their GPUs, traces that cannot be read.",
      "",
      "Example:",
      "  orrery validate scenarios/quickstart.yaml"
    })
final class ValidateCommand implements Callable<Integer> {
  @Mixin private ScenarioArguments arguments;

  private final Console console;

  ValidateCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Scenario scenario = arguments.load();
    Notes notes = new Notes(console.err());
    notes.print(scenario.notes());
    Experiment experiment = Experiment.prepare(scenario);
    notes.printSome(experiment.assumptions(), "assumptions");
    int variants = experiment.runs().size();
    console.out().println(Headline.of(experiment));
    console.out().println("valid: " + variants + (variants == 1 ? " variant" : " variants"));
    return 0;
  }
}
