package io.orrery.engine.reference;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.routing.PlacementRule;
import io.orrery.traces.Trace;
import java.util.List;

/** Placement rules: the first that demands something decides; all that prefer something add up. */
final class ReferencePlacement {
  private final Trace trace;
  private final SimulationSettings settings;
  private final List<ReferenceWorker> workers;

  ReferencePlacement(Trace trace, SimulationSettings settings, List<ReferenceWorker> workers) {
    this.trace = trace;
    this.settings = settings;
    this.workers = workers;
  }

  /** Whether a request may go to a worker; without a rule, to those of the first pool's model. */
  boolean allows(ReferenceRow row, ReferenceWorker worker) {
    PoolSettings pool = worker.pool();
    PlacementRule rule = demand(row);
    return rule == null
        ? pool.model().equals(settings.pools().get(0).model())
        : rule.meets(worker.id(), pool.name(), pool.labels());
  }

  private PlacementRule demand(ReferenceRow row) {
    for (PlacementRule rule : settings.router().placement()) {
      if (rule.target() != PlacementRule.Target.PREFER && holds(rule, row)) {
        return rule;
      }
    }
    return null;
  }

  private boolean holds(PlacementRule rule, ReferenceRow row) {
    int session = trace.session(row.request);
    return rule.holds(
        trace.sessionId(session),
        trace.parentSession(session) >= 0,
        trace.inputTokens(row.request));
  }

  double preference(ReferenceRow row, int worker) {
    PoolSettings pool = workers.get(worker).pool();
    return settings.router().placement().stream()
        .filter(rule -> rule.target() == PlacementRule.Target.PREFER && holds(rule, row))
        .filter(rule -> rule.meets(worker, pool.name(), pool.labels()))
        .mapToDouble(PlacementRule::weight)
        .sum();
  }

  /** The name of the model that serves a request. */
  String model(ReferenceRow row) {
    for (ReferenceWorker worker : workers) {
      if (allows(row, worker)) {
        return worker.pool().model();
      }
    }
    throw new IllegalArgumentException("no worker");
  }
}
