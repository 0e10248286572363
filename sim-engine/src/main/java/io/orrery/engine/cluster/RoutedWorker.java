package io.orrery.engine.cluster;

import io.orrery.engine.routing.LoadLedger;
import io.orrery.engine.routing.WorkerView;

/** What one replica of the router sees of one worker. */
final class RoutedWorker implements WorkerView {
  private final int id;
  private final Worker worker;
  private final LoadLedger load;
  private final ScrapedMetrics metrics;

  RoutedWorker(Worker worker, LoadLedger load, ScrapedMetrics metrics) {
    id = worker.id();
    this.worker = worker;
    this.load = load;
    this.metrics = metrics;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public int requestsInFlight() {
    return load.requests(id);
  }

  @Override
  public long tokensInFlight() {
    return load.tokens(id);
  }

  @Override
  public int usedBlocks() {
    return metrics.live() ? worker.usedBlocks() : metrics.usedBlocks(id);
  }

  @Override
  public int runningRequests() {
    return metrics.live() ? worker.runningRequests() : metrics.running(id);
  }

  @Override
  public int waitingRequests() {
    return metrics.live() ? worker.waitingRequests() : metrics.waiting(id);
  }

  @Override
  public int totalBlocks() {
    return worker.totalBlocks();
  }

  @Override
  public int maxBatchedTokens() {
    return worker.pool().scheduler().maxBatchedTokens();
  }

  @Override
  public int gpus() {
    return worker.pool().gpusPerWorker();
  }

  @Override
  public double weight() {
    return worker.pool().weight();
  }
}
