package io.orrery.engine.routing;

import io.orrery.engine.Draws;
import io.orrery.engine.cache.WorkerIndex;
import io.orrery.engine.policy.PolicyParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Workers, a router's index and a policy over them; blocks have 16 tokens. */
final class FakeCluster {
  static final int BLOCK_SIZE = 16;

  final FakeWorker[] workers;
  final WorkerIndex index;
  private long seed = 1;

  FakeCluster(int workers) {
    this.workers = new FakeWorker[workers];
    Arrays.setAll(this.workers, FakeWorker::new);
    index = new WorkerIndex(workers);
  }

  FakeCluster seed(long seed) {
    this.seed = seed;
    return this;
  }

  /** Makes a policy; parameters as name, value, name, value, … */
  RoutingPolicy policy(RoutingPolicyFactory factory, String... parameters) {
    Map<String, String> given = new LinkedHashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      given.put(parameters[i], parameters[i + 1]);
    }
    return factory.create(new Context(PolicyParameters.resolve(factory, given)));
  }

  /** All workers, or those with these ids. */
  Candidates candidates(int... ids) {
    List<FakeWorker> chosen = new ArrayList<>();
    for (FakeWorker worker : workers) {
      if (ids.length == 0 || Arrays.stream(ids).anyMatch(id -> id == worker.id())) {
        chosen.add(worker);
      }
    }
    return new Candidates() {
      @Override
      public int size() {
        return chosen.size();
      }

      @Override
      public WorkerView get(int i) {
        return chosen.get(i);
      }
    };
  }

  /** Gives a worker the blocks with keys {@code first, first + 1, …}. */
  void cache(int worker, long first, int length) {
    for (long key = first; key < first + length; key++) {
      index.add(key, worker);
    }
  }

  /** A request of a session of its own whose prompt has these tokens and runs of known blocks. */
  static RoutedRequest request(int id, int inputTokens, int... firstsAndLengths) {
    return request(id, id, 0, inputTokens, firstsAndLengths);
  }

  static RoutedRequest request(
      int id, int session, long nowNanos, int inputTokens, int... firstsAndLengths) {
    RoutedRequest request = new RoutedRequest();
    request.keys().reset(id);
    for (int i = 0; i < firstsAndLengths.length; i += 2) {
      request.keys().addRun(firstsAndLengths[i], firstsAndLengths[i + 1]);
    }
    return request.set(id, session, -1, inputTokens, 0, BLOCK_SIZE, nowNanos);
  }

  private final class Context implements RoutingContext {
    private final PolicyParameters parameters;

    Context(PolicyParameters parameters) {
      this.parameters = parameters;
    }

    @Override
    public int workers() {
      return workers.length;
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
      return new Draws(seed, source);
    }

    @Override
    public PrefixBeliefs beliefs() {
      return (request, depths) -> index.depths(request.keys(), request.identifiedBlocks(), depths);
    }
  }
}
