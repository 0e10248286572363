package io.orrery.scenarios.plan;

import io.orrery.scenarios.ScenarioLayers;
import io.orrery.scenarios.ScenarioLayers.Layer;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.DispatchMode;
import io.orrery.scenarios.spec.TraceSpec;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepPoint;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Quantity;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A question of capacity, and the runs that answer it.
 *
 * <p>Sessions alive at once are asked for with lanes that never run dry: as many sessions are alive
 * until the window ends, in fresh namespaces once the trace has run out. They all begin at the
 * start of the window; {@code trace.lanes.randomStart} of the scenario spreads them over their
 * turns, at the price that each then begins with a long prompt that no cache holds.
 *
 * @param scenario what is planned
 * @param candidates what is compared; their seeds are the plan's
 * @param find what is looked for
 * @param slo what has to hold
 * @param min least size to try
 * @param max greatest size to try
 * @param tolerance how exact the answer has to be, as a share
 * @param seeds every size is tried under each, the same for all candidates
 * @param windowNanos simulated time of a trial
 */
public record Plan(
    ScenarioLayers scenario,
    Sweep candidates,
    Find find,
    PlanSlo slo,
    long min,
    long max,
    double tolerance,
    List<Long> seeds,
    long windowNanos) {
  private static final Position WHERE = Position.of("plan");

  /** What is looked for. */
  public enum Find {
    /** The most sessions alive at once, per GPU. */
    CONCURRENCY("concurrency"),
    /** The fewest GPUs for the load. */
    GPUS("gpus"),
    /** The least price for the load. */
    USD("usd"),
    /** The least power for the load. */
    KWH("kwh");

    private final String key;

    Find(String key) {
      this.key = key;
    }

    /** As in YAML. */
    public String key() {
      return key;
    }

    /** Whether the size that is searched for is a number of workers, not of sessions. */
    public boolean ofWorkers() {
      return this != CONCURRENCY;
    }
  }

  /** A plan. */
  public Plan {
    seeds = List.copyOf(seeds);
  }

  /** Where a search begins: as many as the scenario has. */
  public long start(SweepPoint candidate) {
    Variant variant = candidates.variant(candidate);
    return find.ofWorkers()
        ? variant.spec().workers()
        : variant.spec().trace().lanes().count().orElse(8 * variant.spec().workers());
  }

  /**
   * The run of a candidate at a size.
   *
   * @param size sessions alive at once, or workers
   * @throws ScenarioException if its settings do not go together
   */
  public Variant variant(SweepPoint candidate, long size, long seed) {
    List<YamlNode.Entry> set = new ArrayList<>();
    set.add(entry("seed", Long.toString(seed)));
    boolean lanes = true;
    if (find.ofWorkers()) {
      set.add(entry("cluster.pools[0].workers", Long.toString(size)));
      lanes = isByLanes(candidates.variant(candidate));
    } else {
      set.add(entry("trace.dispatch", "lanes"));
      set.add(entry("trace.lanes.count", Long.toString(size)));
    }
    if (lanes) {
      set.add(entry("trace.lanes.recycle", "true"));
      set.add(entry("trace.lanes.limit", "all"));
      set.add(entry("limits.simulatedTime", Quantity.DURATION.format(windowNanos)));
    }
    Problems problems = new Problems();
    Layer layer = scenario.layer(set, problems);
    problems.throwIfAny();
    return candidates.variant(candidate, List.of(layer));
  }

  /** Whether the scenario gives a number of sessions, so that the load is one without an end. */
  private static boolean isByLanes(Variant variant) {
    TraceSpec trace = variant.spec().trace();
    boolean counted = trace.lanes().count().isPresent();
    if (trace.dispatch() == DispatchMode.LANES && !counted) {
      throw variant
          .config()
          .refusal(
              "trace.lanes.count",
              "a number, since a plan for workers needs a load that does not grow with them");
    }
    return counted
        && trace.dispatch() != DispatchMode.TIMESTAMPS
        && trace.dispatch() != DispatchMode.CLOSED_LOOP;
  }

  private static YamlNode.Entry entry(String path, String value) {
    return new YamlNode.Entry(
        new YamlNode.Scalar(path, true, WHERE), new YamlNode.Scalar(value, true, WHERE));
  }
}
