package io.orrery.engine.routing;

/** A worker with whatever load a test gives it. */
final class FakeWorker implements WorkerView {
  private final int id;
  int requests;
  long tokens;
  int usedBlocks;
  int running;
  int waiting;
  int totalBlocks = 1000;
  int gpus = 1;
  double weight = 1;

  FakeWorker(int id) {
    this.id = id;
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public int requestsInFlight() {
    return requests;
  }

  @Override
  public long tokensInFlight() {
    return tokens;
  }

  @Override
  public int usedBlocks() {
    return usedBlocks;
  }

  @Override
  public int totalBlocks() {
    return totalBlocks;
  }

  @Override
  public int gpus() {
    return gpus;
  }

  @Override
  public int runningRequests() {
    return running;
  }

  @Override
  public int waitingRequests() {
    return waiting;
  }

  @Override
  public int maxBatchedTokens() {
    return 8192;
  }

  @Override
  public double weight() {
    return weight;
  }
}
