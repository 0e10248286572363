package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.ActiveLoad;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.LoadLedger;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingContext;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.WorkerView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** One replica of the router: everything is counted anew from the list of requests in flight. */
final class ReferenceReplica implements RoutingContext, PrefixBeliefs, LoadLedger {
  /** A request that the replica knows to be in flight. */
  static final class Entry {
    final ReferenceRow row;
    final long placed;
    boolean computed;

    Entry(ReferenceRow row, long placed) {
      this.row = row;
      this.placed = placed;
    }
  }

  /** What another replica tells. */
  record News(long happened, long heard, Kind kind, ReferenceRow row) {
    enum Kind {
      PLACED,
      FIRST_TOKEN,
      ENDED
    }
  }

  private final ReferenceRouter router;
  final int number;
  private final PolicyParameters parameters;
  final RoutingPolicy policy;
  final List<Entry> inFlight = new ArrayList<>();
  final Deque<News> news = new ArrayDeque<>();
  final List<ReferenceRow> waiting = new ArrayList<>();
  private long busyUntil;

  ReferenceReplica(ReferenceRouter router, int number) {
    this.router = router;
    this.number = number;
    parameters =
        PolicyParameters.resolve(router.settings.routing(), router.settings.routingParameters());
    policy = router.settings.routing().create(this);
  }

  long work(long from, long nanos) {
    busyUntil = Math.max(busyUntil, from) + nanos;
    return busyUntil;
  }

  /** Hears what has arrived by {@code now}, then forgets what is too old. */
  void catchUp(long now) {
    while (!news.isEmpty() && news.peekFirst().heard() <= now) {
      News item = news.removeFirst();
      ReferenceRow row = item.row();
      switch (item.kind()) {
        case PLACED -> {
          inFlight.add(new Entry(row, item.happened()));
          policy.placedElsewhere(router.shown(row, item.happened()), row.worker);
        }
        case FIRST_TOKEN -> firstToken(row, item.happened());
        case ENDED -> ended(row, item.happened(), false);
      }
    }
    if (router.router.expiryNanos() != RouterSettings.NEVER) {
      long sweep = now / ActiveLoad.SWEEP_NANOS * ActiveLoad.SWEEP_NANOS;
      inFlight.removeIf(entry -> entry.placed + router.router.expiryNanos() <= sweep);
    }
  }

  void firstToken(ReferenceRow row, long now) {
    inFlight.stream().filter(e -> e.row == row).forEach(e -> e.computed = true);
    policy.firstToken(router.shown(row, now), row.worker);
  }

  void ended(ReferenceRow row, long now, boolean own) {
    inFlight.removeIf(e -> e.row == row);
    if (own) {
      policy.ended(router.shown(row, now), row.worker);
    } else {
      policy.endedElsewhere(router.shown(row, now), row.worker);
    }
  }

  private Stream<Entry> on(int worker) {
    return inFlight.stream().filter(e -> e.row.worker == worker);
  }

  private int fullBlocks(ReferenceRow row) {
    return router.trace.inputTokens(row.request) / blockSize();
  }

  @Override
  public int requests(int worker) {
    return (int) on(worker).count();
  }

  @Override
  public long tokens(int worker) {
    return on(worker).mapToLong(e -> router.trace.inputTokens(e.row.request)).sum();
  }

  @Override
  public long prefillTokens(int worker) {
    return on(worker).filter(e -> !e.computed).mapToLong(e -> e.row.uncached).sum();
  }

  @Override
  public long blocks(int worker) {
    Set<Long> distinct = new HashSet<>();
    on(worker).forEach(e -> distinct.addAll(e.row.promptKeys));
    long unknown = on(worker).mapToLong(e -> fullBlocks(e.row) - e.row.promptKeys.size()).sum();
    return distinct.size() + unknown;
  }

  @Override
  public long allBlocks(int worker) {
    return on(worker).mapToLong(e -> fullBlocks(e.row)).sum();
  }

  @Override
  public long blocksWith(RoutedRequest request, int worker) {
    Set<Long> known = new HashSet<>();
    on(worker).forEach(e -> known.addAll(e.row.promptKeys));
    long shared = keys(request).stream().filter(known::contains).count();
    return blocks(worker) + request.inputTokens() / blockSize() - shared;
  }

  private static List<Long> keys(RoutedRequest request) {
    List<Long> keys = new ArrayList<>();
    for (int i = 0; i < request.identifiedBlocks(); i++) {
      keys.add(request.keys().keyAt(i));
    }
    return keys;
  }

  @Override
  public void depths(RoutedRequest request, int[] depths) {
    List<Long> keys = keys(request);
    for (int w = 0; w < workers(); w++) {
      depths[w] = router.indexedBlocks(keys, w);
    }
  }

  Candidates candidates(ReferenceRow row, List<Integer> workers) {
    return new Candidates() {
      @Override
      public int size() {
        return workers.size();
      }

      @Override
      public WorkerView get(int i) {
        return view(workers.get(i));
      }

      @Override
      public double preference(int i) {
        return router.placement.preference(row, workers.get(i));
      }
    };
  }

  WorkerView view(int id) {
    ReferenceWorker worker = router.workers.get(id);
    boolean live = router.router.metricsIntervalNanos() == 0;
    int[] scraped = router.scraped[id];
    return new WorkerView() {
      @Override
      public int id() {
        return id;
      }

      @Override
      public int requestsInFlight() {
        return requests(id);
      }

      @Override
      public long tokensInFlight() {
        return tokens(id);
      }

      @Override
      public int usedBlocks() {
        return live ? worker.usedBlocks() : scraped[0];
      }

      @Override
      public int runningRequests() {
        return live ? worker.runningRequests() : scraped[1];
      }

      @Override
      public int waitingRequests() {
        return live ? worker.waitingRequests() : scraped[2];
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
    };
  }

  @Override
  public int workers() {
    return router.workers.size();
  }

  @Override
  public int blockSize() {
    return router.view.blockSize();
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
    return new Draws(router.settings.seed(), source);
  }

  @Override
  public PrefixBeliefs truth() {
    return (request, depths) -> {
      List<Long> keys = new ArrayList<>();
      for (int i = 0; i < request.identifiedBlocks(); i++) {
        keys.add(request.keys().keyAt(i));
      }
      for (ReferenceWorker worker : router.workers) {
        depths[worker.id()] = worker.reach(keys);
      }
    };
  }

  @Override
  public PrefixBeliefs beliefs() {
    router.asked = true;
    return this;
  }

  @Override
  public LoadLedger load() {
    return this;
  }
}
