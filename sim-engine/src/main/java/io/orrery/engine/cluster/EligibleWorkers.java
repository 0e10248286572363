package io.orrery.engine.cluster;

import io.orrery.engine.RouterSettings;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.LoadLedger;
import io.orrery.engine.routing.WorkerView;

/**
 * The workers that a request may go to now: those that its placement rules allow and that are not
 * too busy. Reused from request to request.
 */
final class EligibleWorkers implements Candidates {
  private final RouterSettings settings;
  private final Placement placement;
  private final WorkerView[] workers;
  private final double[] preferences;
  private int count;

  EligibleWorkers(RouterSettings settings, Placement placement, int clusterWorkers) {
    this.settings = settings;
    this.placement = placement;
    workers = new WorkerView[clusterWorkers];
    preferences = new double[clusterWorkers];
  }

  /** The candidates for {@code row} at {@code replica}; none if all that are allowed are busy. */
  Candidates of(int row, RouterReplica replica) {
    int[] allowed = placement.allowed(row);
    if (allowed == null && !settings.filtersBusy() && !placement.hasPreferences()) {
      return replica.all();
    }
    count = 0;
    int size = allowed == null ? workers.length : allowed.length;
    for (int i = 0; i < size; i++) {
      WorkerView worker = replica.worker(allowed == null ? i : allowed[i]);
      if (!isBusy(worker, replica.ledger())) {
        preferences[count] = placement.preference(row, worker.id());
        workers[count++] = worker;
      }
    }
    return this;
  }

  private boolean isBusy(WorkerView worker, LoadLedger load) {
    long prefill = load.prefillTokens(worker.id());
    return prefill > settings.busyPrefillTokens()
        || prefill > settings.busyPrefillShare() * worker.maxBatchedTokens()
        || load.blocks(worker.id()) > settings.busyBlocks() * worker.totalBlocks();
  }

  @Override
  public int size() {
    return count;
  }

  @Override
  public WorkerView get(int i) {
    return workers[i];
  }

  @Override
  public double preference(int i) {
    return preferences[i];
  }
}
