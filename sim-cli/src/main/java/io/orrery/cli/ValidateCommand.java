package io.orrery.cli;

import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.ScenarioLayers;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.plan.PlanReader;
import io.orrery.scenarios.sweep.SweepReader;
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
    console.out().println("valid: " + count(variants, "variant") + sections());
    return 0;
  }

  /** What the scenario's sweep and plan ask for, which its runs do not read. */
  private String sections() {
    if (arguments.isWithoutFile()) {
      return "";
    }
    ScenarioLayers layers = arguments.layers("validate");
    String text = "";
    if (layers.section("sweep").isPresent()) {
      text += ", a sweep of " + count(SweepReader.read(layers).size(), "point");
    }
    if (layers.section("plan").isPresent()) {
      int candidates = PlanReader.read(layers, null).candidates().size();
      text += ", a plan of " + count(candidates, "candidate");
    }
    return text;
  }

  private static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
