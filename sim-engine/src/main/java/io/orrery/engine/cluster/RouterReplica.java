package io.orrery.engine.cluster;

import io.orrery.engine.Draws;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.ActiveLoad;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.LoadLedger;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.WorkerView;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** One router of several: a policy, a ledger, a queue, and what it sees of the workers. */
final class RouterReplica implements RoutingContext {
  private final int number;
  private final PolicyParameters parameters;
  private final long seed;
  private final int blockSize;
  private final Supplier<PrefixBeliefs> index;
  private final PrefixBeliefs truth;
  private final ActiveLoad load;
  private final RoutedWorker[] workers;
  private final Candidates all;
  private final RouterQueue queue = new RouterQueue();
  private final double queueThreshold;
  private final RoutingPolicy policy;
  private long busyUntil;

  RouterReplica(
      int number,
      RouterPlan plan,
      Worker[] clusterWorkers,
      ScrapedMetrics metrics,
      Supplier<PrefixBeliefs> index,
      PrefixBeliefs truth,
      IntFunction<String> requestIds) {
    this.number = number;
    this.parameters = plan.parameters();
    this.seed = plan.seed();
    this.blockSize = plan.blockSize();
    queueThreshold = plan.settings().queue().threshold();
    this.index = index;
    this.truth = truth;
    load = new ActiveLoad(clusterWorkers.length, plan.settings().expiryNanos());
    if (!plan.settings().queue().on() && !plan.settings().filtersBusy()) {
      load.withoutDetail();
    }
    workers = new RoutedWorker[clusterWorkers.length];
    for (Worker worker : clusterWorkers) {
      workers[worker.id()] = new RoutedWorker(worker, load, metrics);
    }
    all = new AllWorkers(workers);
    policy = new GuardedRouting(plan.factory(), this, requestIds);
  }

  int number() {
    return number;
  }

  RoutingPolicy policy() {
    return policy;
  }

  ActiveLoad ledger() {
    return load;
  }

  RouterQueue queue() {
    return queue;
  }

  WorkerView worker(int id) {
    return workers[id];
  }

  /** All workers, in order of their ids. */
  Candidates all() {
    return all;
  }

  /** Whether every candidate has so much to prefill that a request has to wait in the queue. */
  boolean hasNoRoom(Candidates candidates) {
    for (int i = 0; i < candidates.size(); i++) {
      WorkerView worker = candidates.get(i);
      if (load.prefillTokens(worker.id()) <= queueThreshold * worker.maxBatchedTokens()) {
        return false;
      }
    }
    return true;
  }

  /** Takes in work that came at {@code t} and takes {@code nanos}; says when it is done. */
  long work(long t, long nanos) {
    busyUntil = Math.max(busyUntil, t) + nanos;
    return busyUntil;
  }

  @Override
  public int workers() {
    return workers.length;
  }

  @Override
  public int blockSize() {
    return blockSize;
  }

  @Override
  public double number(String parameter) {
    return parameters.number(parameter);
  }

  @Override
  public long nanos(String parameter) {
    return parameters.nanos(parameter);
  }

  @Override
  public String text(String parameter) {
    return parameters.text(parameter);
  }

  @Override
  public Draws draws(String source) {
    return new Draws(seed, source);
  }

  @Override
  public PrefixBeliefs beliefs() {
    return index.get();
  }

  @Override
  public PrefixBeliefs truth() {
    return truth;
  }

  @Override
  public LoadLedger load() {
    load.detail();
    return load;
  }

  private record AllWorkers(RoutedWorker[] workers) implements Candidates {
    @Override
    public int size() {
      return workers.length;
    }

    @Override
    public WorkerView get(int i) {
      return workers[i];
    }
  }
}
