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

  /** Blocks of slower tiers, by worker; the shared pool is worker 0 of its own index. */
  final WorkerIndex host;

  final WorkerIndex disk;
  final WorkerIndex shared = new WorkerIndex(1);
  final ActiveLoad load;
  private final Map<Integer, Double> preferences = new LinkedHashMap<>();
  private long seed = 1;

  FakeCluster(int workers) {
    this.workers = new FakeWorker[workers];
    Arrays.setAll(this.workers, FakeWorker::new);
    index = new WorkerIndex(workers);
    host = new WorkerIndex(workers);
    disk = new WorkerIndex(workers);
    load = new ActiveLoad(workers);
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

      @Override
      public double preference(int i) {
        return preferences.getOrDefault(chosen.get(i).id(), 0.0);
      }
    };
  }

  /** The request to come would rather go to {@code worker}. */
  void prefer(int worker, double weight) {
    preferences.put(worker, weight);
  }

  /** Has a policy place a request on one of the workers with these ids, as the router does. */
  int place(RoutingPolicy policy, RoutedRequest request, int... ids) {
    Candidates candidates = candidates(ids);
    int worker = candidates.get(policy.choose(request, candidates)).id();
    int cached = policy.cachedTokens(request, worker);
    if (cached < 0) {
      cached = Math.max(0, policy.believedBlocks(worker)) * BLOCK_SIZE;
    }
    load.placed(request, worker, Math.max(0, request.inputTokens() - cached));
    workers[worker].requests++;
    workers[worker].tokens += request.inputTokens();
    policy.placed(request, worker);
    return worker;
  }

  void firstToken(RoutingPolicy policy, RoutedRequest request, int worker) {
    load.firstToken(request, worker);
    policy.firstToken(request, worker);
  }

  void ended(RoutingPolicy policy, RoutedRequest request, int worker) {
    load.ended(request, worker);
    workers[worker].requests--;
    workers[worker].tokens -= request.inputTokens();
    policy.ended(request, worker);
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
    public LoadLedger load() {
      return load;
    }

    @Override
    public PrefixBeliefs truth() {
      return (request, depths) -> index.depths(request.keys(), request.identifiedBlocks(), depths);
    }

    @Override
    public PrefixBeliefs beliefs() {
      return new PrefixBeliefs() {
        @Override
        public void depths(RoutedRequest request, int[] depths) {
          index.depths(request.keys(), request.identifiedBlocks(), depths);
        }

        @Override
        public boolean hasTiers() {
          return true;
        }

        @Override
        public void hostDepths(RoutedRequest request, int[] device, int[] further) {
          beyond(host, request, device, further);
        }

        @Override
        public void diskDepths(RoutedRequest request, int[] before, int[] further) {
          beyond(disk, request, before, further);
        }

        @Override
        public int sharedFrom(RoutedRequest request, int from) {
          int count = 0;
          for (int i = from; i < request.identifiedBlocks(); i++) {
            count += shared.holds(request.keys().keyAt(i), 0) ? 1 : 0;
          }
          return count;
        }
      };
    }

    private void beyond(WorkerIndex tier, RoutedRequest request, int[] before, int[] further) {
      for (int w = 0; w < workers.length; w++) {
        further[w] =
            tier.reachFrom(request.keys(), before[w], request.identifiedBlocks(), w) - before[w];
      }
    }
  }
}
