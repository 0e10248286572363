package io.orrery.engine.routing;

/** A worker with whatever load a test gives it. */
final class FakeWorker implements WorkerView {
  private final int id;
  int requests;
  long tokens;
  int usedBlocks;
  int totalBlocks = 1000;

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
    return 1;
  }
}
