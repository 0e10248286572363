package io.orrery.scenarios.experiment;

import io.orrery.scenarios.Scenario;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A scenario's runs, ready to be simulated: one for each variant, in the scenario's order. */
public final class Experiment {
  private final String name;
  private final List<ScenarioRun> runs;

  private Experiment(String name, List<ScenarioRun> runs) {
    this.name = name;
    this.runs = List.copyOf(runs);
  }

  /**
   * Builds every variant's cluster and reads its trace; variants with the same source share one.
   *
   * @throws ScenarioException if a variant asks for something that does not exist, does not fit, or
   *     does not go with its trace; nothing is read before the clusters of all variants stand
   * @throws TraceException if a trace cannot be read
   */
  public static Experiment prepare(Scenario scenario) {
    return prepare(scenario, new RunPreparation());
  }

  /** As {@link #prepare(Scenario)}, with traces that are read as somebody says. */
  public static Experiment prepare(Scenario scenario, RunPreparation preparation) {
    List<Cluster> clusters = new ArrayList<>();
    for (Variant variant : scenario.variants()) {
      clusters.add(preparation.cluster(variant));
    }
    List<ScenarioRun> runs = new ArrayList<>();
    for (int i = 0; i < clusters.size(); i++) {
      runs.add(preparation.run(scenario.variants().get(i), clusters.get(i)));
    }
    return new Experiment(scenario.name(), runs);
  }

  /** The scenario's name. */
  public String name() {
    return name;
  }

  /** The runs, in the order of the variants. */
  public List<ScenarioRun> runs() {
    return runs;
  }

  /**
   * What the user should know, a sentence each, in a fixed order. What holds for some variants only
   * names them.
   */
  public List<String> assumptions() {
    Map<String, List<String>> holders = new LinkedHashMap<>();
    for (ScenarioRun run : runs) {
      for (String assumption : run.assumptions()) {
        holders.computeIfAbsent(assumption, text -> new ArrayList<>()).add(run.variant().name());
      }
    }
    List<String> assumptions = new ArrayList<>();
    holders.forEach(
        (text, names) ->
            assumptions.add(
                names.size() == runs.size() ? text : String.join(", ", names) + ": " + text));
    return List.copyOf(assumptions);
  }

  /** Requests that all runs together will send if nothing stops them early; 0 if unknown. */
  public long expectedRequests() {
    return runs.stream().anyMatch(run -> run.expectedRequests() == 0)
        ? 0
        : runs.stream().mapToLong(ScenarioRun::expectedRequests).sum();
  }

  /**
   * Works on every run, several at once.
   *
   * @param threads how many at once, at least 1
   * @param work makes something of a run; must not share anything mutable between runs
   * @return what was made, in the order of the runs, whatever the number of threads
   */
  public <T> List<T> forEachRun(int threads, Function<ScenarioRun, T> work) {
    return InOrder.map(threads, runs, work);
  }
}
