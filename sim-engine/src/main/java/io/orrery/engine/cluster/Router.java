package io.orrery.engine.cluster;

import io.orrery.engine.Draws;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.policy.PolicyFailureException;
import io.orrery.engine.record.Decision;
import io.orrery.engine.record.RouterStats;
import io.orrery.engine.routing.Candidates;
import io.orrery.engine.routing.PrefixBeliefs;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.engine.routing.RoutingPolicy;
import io.orrery.traces.Trace;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs the routing policy: gives requests to the router's replicas, shows each policy requests and
 * workers, keeps the index if it asked for one, tells it what happens, and lets requests wait where
 * the settings say so.
 */
final class Router {
  /** Events of entities from here on ask a replica to look at its queue. */
  static final long QUEUE_ENTITY = 1L << 32;

  private final Cluster cluster;
  private final RouterPlan plan;
  private final RouterSettings settings;
  private final Worker[] workers;
  private final RequestKeys requestKeys;
  private final Trace trace;
  private final int blockSize;
  private final ScrapedMetrics metrics;
  private final Placement placement;
  private final EligibleWorkers eligible;
  private final RouterReplica[] replicas;
  private final Draws replicaDraws;
  private final @Nullable RouterNews news;
  private final RoutedRequest request = new RoutedRequest();
  private final RoutedRequest past = new RoutedRequest();
  private final LastBeliefs beliefs;
  private @Nullable RouterIndex index;

  /** By row of a request that waits or is being worked on: its head start in seconds, its pin. */
  private final Map<Integer, Double> headStarts = new TreeMap<>();

  private final Map<Integer, Integer> pins = new TreeMap<>();
  private long decisionCount;
  private long queued;

  /** What the router asks of the cluster. */
  interface Cluster {
    /** Has all workers carry out what they planned up to {@code now}. */
    void bringUpToDate(long now);

    /** Places a request; false if the worker refuses it, which has then been recorded. */
    boolean place(int row, Worker worker, long now);

    /** A request has been placed, and the router has written it down. */
    void placed(int row, int worker, long now);

    /** The router chose another worker than admission, which prevails. */
    void overruled(int row, int choice);

    /** Turns a request away. */
    void reject(int row, String reason, long now);

    /** Has {@link #happens} called with {@code entity} at {@code time}, in the dispatch phase. */
    void later(long time, long entity);

    /** The request waits at the router: for its {@code work}, or in its {@code queue}. */
    void waits(int row, String reason);

    /** The policy has chosen; only if {@link #decisions} is there. */
    void decided(Decision decision);

    /** What writes down decisions; null if nobody wants to hear them. */
    @Nullable DecisionRecord decisions();
  }

  Router(
      Cluster cluster,
      SimulationSettings settings,
      Worker[] workers,
      RequestKeys requestKeys,
      PrefixBeliefs truth,
      Placement placement) {
    this.cluster = cluster;
    this.plan = RouterPlan.of(settings, requestKeys.blockSize());
    this.settings = settings.router();
    this.workers = workers;
    this.requestKeys = requestKeys;
    this.trace = requestKeys.trace();
    this.blockSize = requestKeys.blockSize();
    metrics = new ScrapedMetrics(this.settings.metricsIntervalNanos(), workers.length);
    this.placement = placement;
    eligible = new EligibleWorkers(this.settings, placement, workers.length);
    replicaDraws = new Draws(settings.seed(), "routing.replica");
    beliefs = new LastBeliefs(workers.length, blockSize);
    replicas = new RouterReplica[this.settings.replicas()];
    for (int r = 0; r < replicas.length; r++) {
      replicas[r] =
          new RouterReplica(r, plan, workers, metrics, this::makeIndex, truth, this::requestId);
    }
    boolean synchronised = this.settings.replicaDelayNanos() != RouterSettings.NEVER;
    news = synchronised && replicas.length > 1 ? new RouterNews(replicas.length) : null;
  }

  private String requestId(int row) {
    return trace.requestId(requestKeys.columns().request(row));
  }

  /** The index, which is made when the first policy asks for it. */
  private PrefixBeliefs makeIndex() {
    RouterIndex known = index;
    if (known == null) {
      known =
          new RouterIndex(workers.length, settings, new Draws(plan.seed(), "routing.index-loss"));
      index = known;
      for (Worker worker : workers) {
        worker.feeds(known);
      }
    }
    return known;
  }

  /** Scrapes the workers' metrics if it is time; the next thing happens at {@code t}. */
  void scrapeUpTo(long t) {
    metrics.upTo(t, workers);
  }

  /**
   * A request comes in.
   *
   * @param headStartSeconds how much earlier it counts as come in the router's queue; below 0 is 0
   * @param pinned the worker that it must go to, whatever the policy chooses; -1 for any
   */
  void arrives(int row, double headStartSeconds, int pinned, long now) {
    if (settings.queue().on() && headStartSeconds > 0) {
      headStarts.put(row, headStartSeconds);
    }
    if (pinned >= 0) {
      pins.put(row, pinned);
    }
    if (index != null && (settings.lookUpNanos() > 0 || settings.updateNanos() > 0)) {
      cluster.bringUpToDate(now);
      workOffUpdates();
      long ready = replica(row).work(now, settings.lookUpNanos());
      if (ready > now) {
        cluster.waits(row, "work");
        cluster.later(ready, row);
        return;
      }
    }
    decide(row, now);
  }

  /** What was asked for with {@link Cluster#later} has come. */
  void happens(long entity, long now) {
    if (entity >= QUEUE_ENTITY) {
      lookAtQueue(replicas[(int) (entity - QUEUE_ENTITY)], now);
    } else {
      decide((int) entity, now);
    }
  }

  private void workOffUpdates() {
    RouterIndex known = index;
    if (known == null || known.visibleCount() == 0) {
      return;
    }
    long[] visible = known.sortedVisible();
    for (RouterReplica replica : replicas) {
      for (int i = 0; i < known.visibleCount(); i++) {
        replica.work(visible[i], settings.updateNanos());
      }
    }
    known.clearVisible();
  }

  private RouterReplica replica(int row) {
    return replicas.length == 1
        ? replicas[0]
        : replicas[replicaDraws.below(replicas.length, row, 0)];
  }

  private void decide(int row, long now) {
    RouterReplica replica = replica(row);
    cluster.bringUpToDate(now);
    catchUp(replica, now);
    requestKeys.show(request, row, now);
    Candidates candidates = eligible.of(row, replica);
    if (candidates.size() == 0) {
      cluster.reject(row, "every worker that it may go to is too busy for the router", now);
    } else if (settings.queue().on() && replica.hasNoRoom(candidates)) {
      queued++;
      replica.queue().add(waiting(row, candidates, now));
      cluster.waits(row, "queue");
      lookAgainAtNews(replica, now);
    } else {
      place(row, replica, candidates, now);
    }
  }

  private RouterQueue.Waiting waiting(int row, Candidates candidates, long now) {
    RouterSettings.Queue queue = settings.queue();
    double start = queue.strict() ? 0 : headStarts.getOrDefault(row, 0.0);
    double score =
        switch (queue.order()) {
          case FCFS -> start - now / 1e9;
          case LCFS -> start + now / 1e9;
          case WSPT -> (1 + start) / Math.max(1, request.inputTokens() - mostCached(candidates));
        };
    return new RouterQueue.Waiting(row, queue.strict() ? -request.priority() : 0, score);
  }

  private int mostCached(Candidates candidates) {
    return index == null ? 0 : index.mostBlocks(request, candidates) * blockSize;
  }

  private void lookAtQueue(RouterReplica replica, long now) {
    if (replica.queue().isEmpty()) {
      return;
    }
    cluster.bringUpToDate(now);
    catchUp(replica, now);
    while (!replica.queue().isEmpty()) {
      int row = replica.queue().first();
      requestKeys.show(request, row, now);
      Candidates candidates = eligible.of(row, replica);
      if (candidates.size() > 0 && replica.hasNoRoom(candidates)) {
        lookAgainAtNews(replica, now);
        return;
      }
      replica.queue().removeFirst();
      if (candidates.size() == 0) {
        cluster.reject(row, "every worker that it may go to is too busy for the router", now);
      } else {
        place(row, replica, candidates, now);
      }
    }
  }

  /** What another replica has told already may let somebody go when it is heard. */
  private void lookAgainAtNews(RouterReplica replica, long now) {
    long next = news == null ? -1 : news.nextNanos(replica.number());
    if (next >= 0) {
      cluster.later(
          Math.max(now, next + settings.replicaDelayNanos()), QUEUE_ENTITY + replica.number());
    }
  }

  /** Has a policy choose for the request that is shown. */
  private void place(int row, RouterReplica replica, Candidates candidates, long now) {
    decisionCount++;
    if (!headStarts.isEmpty()) {
      headStarts.remove(row);
    }
    Integer pinned = pins.isEmpty() ? null : pins.remove(row);
    if (index != null) {
      index.lookedUp();
    }
    int chosen = replica.policy().choose(request, candidates);
    if (chosen == RoutingPolicy.REFUSED) {
      cluster.reject(row, "the worker that it is bound to is too busy for the router", now);
      return;
    }
    int choice = candidates.get(chosen).id();
    int worker = pinned == null ? choice : pinned;
    if (pinned != null && !placement.allows(row, pinned)) {
      throw PolicyFailureException.did(
          plan.admission(),
          requestId(row),
          "sent it to worker "
              + pinned
              + ", where its model or a placement rule does not let it go");
    }
    if (worker != choice) {
      cluster.overruled(row, choice);
    }
    beliefs.note(request, replica.policy(), index, worker);
    DecisionRecord decisions = cluster.decisions();
    if (decisions != null) {
      cluster.decided(
          decisions.of(
              request,
              candidates,
              replica.policy(),
              replica.number(),
              beliefs.blocks(),
              chosen,
              worker));
    }
    int cached = replica.policy().cachedTokens(request, worker);
    if (cached < 0) {
      cached = Math.max(0, beliefs.tokens(worker));
    }
    if (!cluster.place(row, workers[worker], now)) {
      return;
    }
    int uncached = request.inputTokens() - Math.min(cached, request.inputTokens());
    replica.ledger().placed(request, worker, uncached);
    replica.policy().placed(request, worker);
    tell(RouterNews.Kind.PLACED, replica, row, worker, uncached, now);
    cluster.placed(row, worker, now);
  }

  /** What was believed of the request that is being placed. */
  LastBeliefs lastBeliefs() {
    return beliefs;
  }

  void firstToken(int row, int worker, long now) {
    RouterReplica replica = replica(row);
    requestKeys.show(past, row, now);
    replica.ledger().firstToken(past, worker);
    replica.policy().firstToken(past, worker);
    tell(RouterNews.Kind.FIRST_TOKEN, replica, row, worker, 0, now);
  }

  void ended(int row, int worker, long now) {
    RouterReplica replica = replica(row);
    requestKeys.show(past, row, now);
    replica.ledger().ended(past, worker);
    replica.policy().ended(past, worker);
    tell(RouterNews.Kind.ENDED, replica, row, worker, 0, now);
  }

  /** Tells the other replicas, and has those look at their queue that may let somebody go. */
  private void tell(
      RouterNews.Kind kind, RouterReplica from, int row, int worker, int uncached, long now) {
    if (news != null) {
      news.add(kind, from.number(), row, worker, uncached, now);
    }
    if (!settings.queue().on() || kind == RouterNews.Kind.PLACED) {
      return;
    }
    for (RouterReplica replica : replicas) {
      if (!replica.queue().isEmpty()) {
        if (replica == from) {
          cluster.later(now, QUEUE_ENTITY + replica.number());
        } else {
          lookAgainAtNews(replica, now);
        }
      }
    }
  }

  /** Lets a replica hear what has reached it, and forget what is too old. */
  private void catchUp(RouterReplica replica, long now) {
    if (news != null) {
      int entry;
      long latest = now - settings.replicaDelayNanos();
      while ((entry = news.poll(replica.number(), latest)) >= 0) {
        hear(replica, news, entry);
      }
    }
    replica.ledger().sweep(now);
  }

  private void hear(RouterReplica replica, RouterNews told, int entry) {
    int worker = told.worker(entry);
    requestKeys.show(past, told.row(entry), told.nanos(entry));
    switch (told.kind(entry)) {
      case PLACED -> {
        replica.ledger().placed(past, worker, told.uncachedTokens(entry));
        replica.policy().placedElsewhere(past, worker);
      }
      case FIRST_TOKEN -> {
        replica.ledger().firstToken(past, worker);
        replica.policy().firstToken(past, worker);
      }
      case ENDED -> {
        replica.ledger().ended(past, worker);
        replica.policy().endedElsewhere(past, worker);
      }
    }
  }

  /** What the router has done. */
  RouterStats stats() {
    RouterIndex known = index;
    return known == null
        ? new RouterStats(decisionCount, queued, 0, 0, 0)
        : new RouterStats(decisionCount, queued, known.updates(), known.lookUps(), known.blocks());
  }
}
