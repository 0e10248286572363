package io.orrery.cli;

import io.orrery.reports.console.HumanUnits;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.spec.PoolSpec;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.traces.Trace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What was run on what, in a line. */
final class Headline {
  private Headline() {}

  /**
   * As {@code quickstart: q.jsonl (weka), 1,234 requests on 8 workers, 16 b200 GPUs, minimax-m2}.
   */
  static String of(Experiment experiment) {
    Set<String> traces = new LinkedHashSet<>();
    Set<String> clusters = new LinkedHashSet<>();
    for (ScenarioRun run : experiment.runs()) {
      traces.add(trace(run.trace()));
      clusters.add(cluster(run.variant().spec()));
    }
    return experiment.name()
        + ": "
        + (traces.size() == 1 ? traces.iterator().next() : traces.size() + " traces")
        + " on "
        + (clusters.size() == 1 ? clusters.iterator().next() : clusters.size() + " clusters");
  }

  /** What stands where no scenario file says otherwise. */
  static String ofDefaults(ScenarioSpec spec) {
    return "No scenario file, so defaults hold: "
        + cluster(spec)
        + ", "
        + spec.engine().preset()
        + ", routing "
        + spec.routing().policy()
        + ", step times by "
        + spec.stepTime().model()
        + " (all of them: orrery config --effective).";
  }

  static String trace(Trace trace) {
    List<String> files =
        trace.provenance().files().stream().map(file -> file.name()).distinct().toList();
    return (files.size() == 1 ? files.get(0) : files.size() + " files")
        + " ("
        + trace.provenance().format()
        + "), "
        + HumanUnits.count(trace.requestCount())
        + (trace.requestCount() == 1 ? " request in " : " requests in ")
        + HumanUnits.count(trace.sessionCount())
        + (trace.sessionCount() == 1 ? " session" : " sessions");
  }

  static String cluster(ScenarioSpec spec) {
    Set<String> gpus = new LinkedHashSet<>();
    Set<String> models = new LinkedHashSet<>();
    for (PoolSpec pool : spec.pools()) {
      gpus.add(pool.gpu());
      models.add(pool.model() + " (" + pool.weightPrecision() + ", KV " + pool.kvPrecision() + ")");
    }
    return HumanUnits.count(spec.workers())
        + (spec.workers() == 1 ? " worker, " : " workers, ")
        + HumanUnits.count(spec.gpus())
        + " "
        + String.join("/", gpus)
        + (spec.gpus() == 1 ? " GPU, " : " GPUs, ")
        + String.join("/", models);
  }

  /** Every variant's configuration with origins, a YAML document each. */
  static String configs(Experiment experiment) {
    return experiment.runs().stream()
        .map(run -> run.variant())
        .map(variant -> "# " + variant.name() + "\n" + variant.config().toYamlWithOrigins())
        .collect(Collectors.joining("---\n"));
  }
}
