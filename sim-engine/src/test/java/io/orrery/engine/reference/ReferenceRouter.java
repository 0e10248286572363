package io.orrery.engine.reference;

import io.orrery.engine.Draws;
import io.orrery.engine.RequestState;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.clock.Phase;
import io.orrery.engine.record.RouterStats;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.engine.routing.WorkerView;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;

/**
 * The router step by step: what it believes is a set of (worker, key), fed by block events when
 * they become visible; what its replicas have written down is a list of requests each.
 */
final class ReferenceRouter {
  /** A worker gained its first copy of a key, or lost its last one. */
  record BlockEvent(long key, boolean stored) {}

  private record Visible(long time, long sequence, int worker, BlockEvent event) {}

  record Belief(int worker, long key) {}

  /** What the simulation does for the router. */
  interface Cluster {
    /** Places the request; false if the worker refuses it. */
    boolean place(ReferenceRow row, ReferenceWorker worker);

    /** The request has been placed, and everybody knows. */
    void placed(ReferenceRow row);

    void reject(ReferenceRow row, String reason);
  }

  private static final String TOO_BUSY =
      "every worker that it may go to is too busy for the router";
  private static final long QUEUES = 1L << 40;

  final Trace trace;
  final BlockView view;
  final SimulationSettings settings;
  final RouterSettings router;
  final List<ReferenceWorker> workers;
  final ReferencePlacement placement;
  private final Cluster cluster;
  private final ReferenceClock clock;
  private final PriorityQueue<Visible> pending =
      new PriorityQueue<>(
          Comparator.comparingLong(Visible::time).thenComparingLong(Visible::sequence));
  final Set<Belief> beliefs = new HashSet<>();
  private final List<ReferenceReplica> replicas = new ArrayList<>();
  private final Draws lossDraws;
  private final long[] eventsOf;
  private long sequence;
  boolean asked;
  private long decisions;
  private long queued;
  private long updates;
  private long lookUps;

  /** By worker: used blocks, running and waiting requests at the last scrape. */
  final int[][] scraped;

  private long scrapes;

  /** By worker: what the policy said of the last chosen request; null if it said nothing. */
  private int[] policyBeliefs;

  ReferenceRouter(
      Trace trace,
      BlockView view,
      SimulationSettings settings,
      List<ReferenceWorker> workers,
      Cluster cluster,
      ReferenceClock clock) {
    this.trace = trace;
    this.view = view;
    this.settings = settings;
    this.router = settings.router();
    this.workers = workers;
    this.placement = new ReferencePlacement(trace, settings, workers);
    this.cluster = cluster;
    this.clock = clock;
    lossDraws = new Draws(settings.seed(), "routing.index-loss");
    eventsOf = new long[workers.size()];
    scraped = new int[workers.size()][3];
    for (int r = 0; r < router.replicas(); r++) {
      replicas.add(new ReferenceReplica(this, r));
    }
  }

  /** Block events that left a worker at {@code time}. */
  void hear(long time, int worker, List<BlockEvent> events) {
    for (BlockEvent event : events) {
      if (lossDraws.uniform(worker, eventsOf[worker]++) >= router.indexLoss()) {
        pending.add(new Visible(time + router.indexDelayNanos(), sequence++, worker, event));
      }
    }
  }

  /** Lets everything that is due at {@code now} be seen. */
  void see(long now) {
    while (!pending.isEmpty() && pending.peek().time() <= now) {
      Visible due = pending.poll();
      Belief belief = new Belief(due.worker(), due.event().key());
      if (due.event().stored()) {
        beliefs.add(belief);
      } else {
        beliefs.remove(belief);
      }
      updates++;
      replicas.forEach(replica -> replica.work(due.time(), router.updateNanos()));
    }
  }

  /** The next thing happens at {@code t}: scrapes if one was due by then. */
  void scrapeUpTo(long t) {
    if (router.metricsIntervalNanos() > 0 && t / router.metricsIntervalNanos() > scrapes) {
      scrapes = t / router.metricsIntervalNanos();
      for (ReferenceWorker worker : workers) {
        scraped[worker.id()] =
            new int[] {worker.usedBlocks(), worker.runningRequests(), worker.waitingRequests()};
      }
    }
  }

  /** Whether anybody has a belief about the last chosen request. */
  boolean believes() {
    return asked || policyBeliefs != null;
  }

  /** Leading blocks of the last chosen request that a worker is believed to hold. */
  int believedBlocks(List<Long> promptKeys, int worker) {
    return policyBeliefs != null ? policyBeliefs[worker] : indexedBlocks(promptKeys, worker);
  }

  int indexedBlocks(List<Long> promptKeys, int worker) {
    int depth = 0;
    while (depth < promptKeys.size()
        && beliefs.contains(new Belief(worker, promptKeys.get(depth)))) {
      depth++;
    }
    return depth;
  }

  private ReferenceReplica replica(ReferenceRow row) {
    return replicas.get(
        new Draws(settings.seed(), "routing.replica").below(replicas.size(), row.row, 0));
  }

  void arrives(ReferenceRow row, int pinned, double jump) {
    long now = clock.now();
    row.pinned = pinned;
    row.jump = Math.max(0, jump - trace.priority(row.request));
    see(now);
    if (asked) {
      long ready = replica(row).work(now, router.lookUpNanos());
      if (ready > now && router.lookUpNanos() + router.updateNanos() > 0) {
        row.state = RequestState.QUEUED;
        clock.at(ready, Phase.DISPATCH, row.row, () -> decide(row));
        return;
      }
    }
    decide(row);
  }

  private void decide(ReferenceRow row) {
    long now = clock.now();
    see(now);
    ReferenceReplica replica = replica(row);
    replica.catchUp(now);
    List<Integer> eligible = eligible(row, replica);
    if (eligible.isEmpty()) {
      cluster.reject(row, TOO_BUSY);
    } else if (mustWait(eligible, replica)) {
      queued++;
      row.state = RequestState.QUEUED;
      replica.waiting.add(row);
      row.waitsSince = now;
      row.score = score(row, eligible);
      lookAtNextNews(replica);
    } else {
      place(row, replica, eligible);
    }
  }

  private double score(ReferenceRow row, List<Integer> eligible) {
    double jump = router.queue().strict() ? 0 : row.jump;
    double seconds = row.waitsSince / 1e9;
    int cached = 0;
    if (asked) {
      for (int worker : eligible) {
        cached = Math.max(cached, indexedBlocks(row.promptKeys, worker) * view.blockSize());
      }
    }
    return switch (router.queue().order()) {
      case FCFS -> jump - seconds;
      case LCFS -> jump + seconds;
      case WSPT -> (1 + jump) / Math.max(1, trace.inputTokens(row.request) - cached);
    };
  }

  private boolean mustWait(List<Integer> eligible, ReferenceReplica replica) {
    double threshold = router.queue().threshold();
    return threshold < Double.POSITIVE_INFINITY
        && eligible.stream()
            .allMatch(
                w -> replica.prefillTokens(w) > threshold * replica.view(w).maxBatchedTokens());
  }

  private List<Integer> eligible(ReferenceRow row, ReferenceReplica replica) {
    List<Integer> found = new ArrayList<>();
    for (ReferenceWorker worker : workers) {
      if (placement.allows(row, worker) && !isBusy(worker.id(), replica)) {
        found.add(worker.id());
      }
    }
    return found;
  }

  private boolean isBusy(int worker, ReferenceReplica replica) {
    WorkerView view = replica.view(worker);
    return replica.prefillTokens(worker) > router.busyPrefillTokens()
        || replica.prefillTokens(worker) > router.busyPrefillShare() * view.maxBatchedTokens()
        || replica.blocks(worker) > router.busyBlocks() * view.totalBlocks();
  }

  private void place(ReferenceRow row, ReferenceReplica replica, List<Integer> eligible) {
    long now = clock.now();
    decisions++;
    lookUps += asked ? 1 : 0;
    policyBeliefs = null;
    RoutedRequest shown = shown(row, now);
    int chosen = replica.policy.choose(shown, replica.candidates(row, eligible));
    if (chosen == RoutingPolicy.REFUSED) {
      cluster.reject(row, "the worker that it is bound to is too busy for the router");
      return;
    }
    int worker = eligible.get(chosen);
    if (replica.policy.believedBlocks(worker) >= 0) {
      policyBeliefs = new int[workers.size()];
      for (int w = 0; w < workers.size(); w++) {
        policyBeliefs[w] = replica.policy.believedBlocks(w);
      }
    }
    int input = trace.inputTokens(row.request);
    int placedOn = row.pinned >= 0 ? row.pinned : worker;
    int cached = replica.policy.cachedTokens(shown, placedOn);
    if (cached < 0) {
      cached = believes() ? believedBlocks(row.promptKeys, placedOn) * view.blockSize() : 0;
    }
    row.routerChoice = worker;
    row.worker = row.pinned >= 0 ? row.pinned : worker;
    if (!cluster.place(row, workers.get(row.worker))) {
      return;
    }
    row.uncached = input - Math.min(cached, input);
    replica.inFlight.add(new ReferenceReplica.Entry(row, now));
    replica.policy.placed(shown(row, now), row.worker);
    tell(replica, ReferenceReplica.News.Kind.PLACED, row);
    cluster.placed(row);
  }

  void firstToken(ReferenceRow row) {
    ReferenceReplica replica = replica(row);
    replica.firstToken(row, clock.now());
    tell(replica, ReferenceReplica.News.Kind.FIRST_TOKEN, row);
  }

  void ended(ReferenceRow row) {
    ReferenceReplica replica = replica(row);
    replica.ended(row, clock.now(), true);
    tell(replica, ReferenceReplica.News.Kind.ENDED, row);
  }

  private void tell(ReferenceReplica from, ReferenceReplica.News.Kind kind, ReferenceRow row) {
    long delay = router.replicaDelayNanos();
    for (ReferenceReplica replica : replicas) {
      long heard = clock.now();
      if (replica != from) {
        if (delay == RouterSettings.NEVER) {
          continue;
        }
        heard += delay;
        replica.news.add(new ReferenceReplica.News(clock.now(), heard, kind, row));
      }
      if (kind != ReferenceReplica.News.Kind.PLACED && !replica.waiting.isEmpty()) {
        if (replica == from) {
          lookAt(replica, heard);
        } else {
          lookAtNextNews(replica);
        }
      }
    }
  }

  private void lookAt(ReferenceReplica replica, long when) {
    clock.at(when, Phase.DISPATCH, QUEUES + replica.number, () -> lookAtQueue(replica));
  }

  private void lookAtNextNews(ReferenceReplica replica) {
    if (!replica.news.isEmpty()) {
      lookAt(replica, Math.max(clock.now(), replica.news.peekFirst().heard()));
    }
  }

  private void lookAtQueue(ReferenceReplica replica) {
    if (replica.waiting.isEmpty()) {
      return;
    }
    see(clock.now());
    replica.catchUp(clock.now());
    while (!replica.waiting.isEmpty()) {
      ReferenceRow first = replica.waiting.stream().min(this::inTurn).orElseThrow();
      List<Integer> eligible = eligible(first, replica);
      if (!eligible.isEmpty() && mustWait(eligible, replica)) {
        lookAtNextNews(replica);
        return;
      }
      replica.waiting.remove(first);
      if (eligible.isEmpty()) {
        cluster.reject(first, TOO_BUSY);
      } else {
        place(first, replica, eligible);
      }
    }
  }

  private int inTurn(ReferenceRow a, ReferenceRow b) {
    if (router.queue().strict() && trace.priority(a.request) != trace.priority(b.request)) {
      return Integer.compare(trace.priority(a.request), trace.priority(b.request));
    }
    int order = Double.compare(b.score, a.score);
    return order != 0 ? order : Integer.compare(a.row, b.row);
  }

  RouterStats stats() {
    Set<Long> keys = new TreeSet<>();
    beliefs.forEach(belief -> keys.add(belief.key()));
    return asked
        ? new RouterStats(decisions, queued, updates, lookUps, keys.size())
        : new RouterStats(decisions, queued, 0, 0, 0);
  }

  /** A request as a policy sees it at {@code now}. */
  RoutedRequest shown(ReferenceRow row, long now) {
    RoutedRequest request = new RoutedRequest();
    request.keys().reset(row.row);
    for (long key : row.promptKeys) {
      request.keys().addRun(key, 1);
    }
    int session = trace.session(row.request);
    int parent = trace.parentSession(session);
    int sessionsBefore = row.copy * trace.sessionCount();
    return request.set(
        row.row,
        sessionsBefore + session,
        parent < 0 ? -1 : sessionsBefore + parent,
        trace.inputTokens(row.request),
        trace.priority(row.request),
        view.blockSize(),
        now);
  }
}
