package io.orrery.scenarios.spec;

import java.util.List;
import java.util.OptionalLong;

/**
 * Everything that one run needs to know.
 *
 * @param pools at least one pool, names unique
 * @param completionReuse probability that a turn's output comes back unchanged in the next prompt:
 *     1 is verbatim, 0 none
 * @param infiniteCache whether nothing is ever evicted: a reference
 * @param seed 0 or more
 * @param simulatedTimeNanos when to stop, in nanoseconds; empty runs to the end
 */
public record ScenarioSpec(
    TraceSpec trace,
    List<PoolSpec> pools,
    EngineSpec engine,
    double completionReuse,
    boolean infiniteCache,
    StepTimeSpec stepTime,
    AdmissionSpec admission,
    RoutingSpec routing,
    SloSpec slo,
    CostSpec cost,
    long seed,
    OptionalLong simulatedTimeNanos) {
  /** A run on these pools. */
  public ScenarioSpec {
    pools = List.copyOf(pools);
  }

  /** Workers of all pools. */
  public int workers() {
    return pools.stream().mapToInt(PoolSpec::workers).sum();
  }

  /** GPUs of all pools. */
  public long gpus() {
    return pools.stream().mapToLong(PoolSpec::gpus).sum();
  }
}
