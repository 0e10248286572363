package io.orrery.bench;

import io.orrery.engine.Draws;
import io.orrery.engine.cache.WorkerIndex;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.ActiveLoad;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.LoadLedger;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.RoutingPolicyFactory;
import io.orrery.engine.routing.WorkerView;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What one decision of a policy costs: it is asked, the request is placed, and one that was placed
 * 128 decisions ago ends. Prompts have 1,900 blocks in three runs, of which 400 are the same for
 * all.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PolicyBenchmark {
  private static final int SESSIONS = 128;
  private static final int BLOCK_SIZE = 64;

  @Param({"least-loaded", "session-affinity", "kv-only", "kv-aware", "cache-aware", "scorers"})
  String policy = "kv-aware";

  @Param({"16", "256", "4096"})
  int workers = 16;

  private final RoutedRequest[] requests = new RoutedRequest[SESSIONS];
  private final int[] placedOn = new int[SESSIONS];
  private ActiveLoad load;
  private RoutingPolicy router;
  private Cluster cluster;
  private int next;

  /** A policy for a number of workers, for use without JMH. */
  public static PolicyBenchmark of(String policy, int workers) {
    PolicyBenchmark benchmark = new PolicyBenchmark();
    benchmark.policy = policy;
    benchmark.workers = workers;
    benchmark.fill();
    return benchmark;
  }

  /** Places one request of every session; its blocks are cached on one of the workers. */
  @Setup
  public void fill() {
    load = new ActiveLoad(workers);
    WorkerIndex index = new WorkerIndex(workers);
    RoutingPolicyFactory factory = RoutingPolicies.named(policy);
    cluster = new Cluster(workers, load, index, PolicyParameters.resolve(factory, Map.of()));
    router = factory.create(cluster);
    long nextKey = 400;
    for (int s = 0; s < SESSIONS; s++) {
      RoutedRequest request = new RoutedRequest();
      request.keys().reset(s);
      request.keys().addRun(0, 400);
      request.keys().addRun(nextKey, 750);
      request.keys().addRun(nextKey + 1_000, 750);
      nextKey += 2_000;
      request.set(s, s, -1, 1_900 * BLOCK_SIZE, 0, BLOCK_SIZE, 0);
      requests[s] = request;
      placedOn[s] = -1;
      for (int position = 0; position < 1_900; position++) {
        index.add(request.keys().keyAt(position), s % workers);
      }
    }
    for (int s = 0; s < SESSIONS; s++) {
      decide();
    }
  }

  /** One decision; divide by the workers for the time of a candidate. */
  @Benchmark
  public int decide() {
    int s = next++ % SESSIONS;
    RoutedRequest request = requests[s];
    if (placedOn[s] >= 0) {
      load.ended(request, placedOn[s]);
      router.ended(request, placedOn[s]);
    }
    int worker = router.choose(request, cluster);
    load.placed(request, worker, 1_000);
    router.placed(request, worker);
    placedOn[s] = worker;
    return worker;
  }

  /** Workers that report nothing but their load in flight; all of them are candidates. */
  private static final class Cluster implements RoutingContext, Candidates {
    private final View[] views;
    private final ActiveLoad load;
    private final WorkerIndex index;
    private final PolicyParameters parameters;

    Cluster(int workers, ActiveLoad load, WorkerIndex index, PolicyParameters parameters) {
      this.load = load;
      this.index = index;
      this.parameters = parameters;
      views = new View[workers];
      for (int w = 0; w < workers; w++) {
        views[w] = new View(w, load);
      }
    }

    @Override
    public int size() {
      return views.length;
    }

    @Override
    public WorkerView get(int i) {
      return views[i];
    }

    @Override
    public PrefixBeliefs truth() {
      return beliefs();
    }

    @Override
    public PrefixBeliefs beliefs() {
      return (request, depths) -> index.depths(request.keys(), request.identifiedBlocks(), depths);
    }

    @Override
    public LoadLedger load() {
      return load;
    }

    @Override
    public int workers() {
      return views.length;
    }

    @Override
    public int blockSize() {
      return BLOCK_SIZE;
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
      return new Draws(1, source);
    }
  }

  private record View(int id, ActiveLoad load) implements WorkerView {
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
      return (int) load.blocks(id);
    }

    @Override
    public int runningRequests() {
      return load.requests(id);
    }

    @Override
    public int waitingRequests() {
      return 0;
    }

    @Override
    public int totalBlocks() {
      return 100_000;
    }

    @Override
    public int maxBatchedTokens() {
      return 8_192;
    }

    @Override
    public int gpus() {
      return 1;
    }

    @Override
    public double weight() {
      return 1;
    }
  }
}
