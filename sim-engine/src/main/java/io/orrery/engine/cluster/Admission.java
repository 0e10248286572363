package io.orrery.engine.cluster;

import io.orrery.engine.AdmissionSettings;
import io.orrery.engine.Draws;
import io.orrery.engine.RequestState;
import io.orrery.engine.SimulationSettings;
import io.orrery.engine.admission.AdmissionContext;
import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.admission.AdmissionPolicy;
import io.orrery.engine.admission.Gate;
import io.orrery.engine.admission.SessionLedger;
import io.orrery.engine.admission.Verdict;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.record.AdmissionLog;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.routing.RoutedRequest;
import io.orrery.traces.Trace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs an admission policy: shows it requests, holds those that it holds, tells it what becomes of
 * them, and gives it its ticks.
 *
 * <p>What steps bring about is told after all steps of the instant have ended: before the next
 * decision of the instant, at the latest in its admission phase.
 */
final class Admission implements AdmissionContext, Gate {
  private final Cluster cluster;
  private final long seed;
  private final PolicyParameters parameters;
  private final Trace trace;
  private final int blockSize;
  private final Worker[] workers;
  private final RequestKeys requestKeys;
  private final PolicyCalls calls;
  private final AdmissionPolicy policy;
  private final TickWatch watch = new TickWatch();
  private final AdmissionLog log = new AdmissionLog(true);
  private final RoutedRequest shown = new RoutedRequest();

  /** Held requests by row, with the moment they came. */
  private final Map<Integer, Long> held = new LinkedHashMap<>();

  private final Map<Integer, ActiveRequest> placed = new TreeMap<>();
  private final SessionCountdown sessions;
  private final Deque<Released> released = new ArrayDeque<>();
  private final Deque<News> news = new ArrayDeque<>();
  private boolean settling;
  private long now;
  private long tickNanos = Long.MAX_VALUE;
  private long lastLook = -1;

  /** What admission asks of the cluster. */
  interface Cluster {
    /** Has all workers carry out what they planned up to {@code now}. */
    void bringUpToDate(long now);

    /** A request is held. */
    void held(int row, String reason);

    /** A request goes on to the router. */
    void admit(int row, Verdict verdict);

    /** A request ends here. */
    void refuse(int row, String reason);

    /** Has {@link #look} called in this instant's admission phase. */
    void lookSoon();

    /** Whether a lane's start in the middle of a session leaves this request out. */
    boolean leftOut(int row);
  }

  private record Released(int row, Verdict verdict) {}

  private enum Kind {
    FIRST_TOKEN,
    ENDED,
    SESSION_ENDED
  }

  /** Something that happened: of a request, or of a session. */
  private record News(Kind kind, int subject, int worker, int outputTokens) {}

  private Admission(
      Cluster cluster, SimulationSettings settings, Worker[] workers, RequestKeys requestKeys) {
    this.cluster = cluster;
    AdmissionSettings admission = settings.admission();
    this.seed = settings.seed();
    this.workers = workers;
    this.requestKeys = requestKeys;
    trace = requestKeys.trace();
    blockSize = requestKeys.blockSize();
    parameters = PolicyParameters.resolve(admission.policy(), admission.parameters());
    sessions = new SessionCountdown(requestKeys, cluster::leftOut);
    requestKeys.columns().admissionDecides();
    calls = new PolicyCalls(admission.policy(), workers.length, this::id);
    policy = calls.ask(null, () -> admission.policy().create(this));
    askForTick(false);
  }

  /** The admission of a run, or null if every request passes at once. */
  static @Nullable Admission of(
      Cluster cluster, SimulationSettings settings, Worker[] workers, RequestKeys requestKeys) {
    return settings.admission().policy() == AdmissionPolicies.NONE
        ? null
        : new Admission(cluster, settings, workers, requestKeys);
  }

  AdmissionLog log() {
    return log;
  }

  /** Requests that are held now. */
  Iterable<Integer> held() {
    return held.keySet();
  }

  // What happens.

  /** The client has sent the request of {@code row}. */
  void arrived(int row, long t) {
    begin(t);
    requestKeys.show(shown, row, t);
    Verdict verdict = calls.ask(row, () -> policy.arrived(shown));
    calls.check(row, verdict);
    if (verdict.kind() == Verdict.Kind.HOLD) {
      held.put(row, t);
      requestKeys.columns().held(row, log.held(verdict.reason()));
      cluster.held(row, verdict.reason());
    } else {
      released.add(new Released(row, verdict));
    }
    settle();
    askForTick(false);
  }

  /** A request that passed was placed. */
  void placed(ActiveRequest request, int worker, long t) {
    now = t;
    int row = request.request;
    placed.put(row, request);
    requestKeys.show(shown, row, t);
    calls.tell(row, () -> policy.placed(shown, worker));
    settle();
    askForTick(false);
  }

  /** A request got its first token. */
  void firstToken(int row, int worker, long t) {
    hear(new News(Kind.FIRST_TOKEN, row, worker, 0), t);
  }

  /**
   * A request ended.
   *
   * @param worker where, or -1 if it was never placed
   */
  void ended(int row, int worker, int outputTokens, long t) {
    placed.remove(row);
    hear(new News(Kind.ENDED, row, worker, outputTokens), t);
    endsSession(row, t);
  }

  private void endsSession(int row, long t) {
    int session = sessions.ended(row);
    if (session >= 0) {
      hear(new News(Kind.SESSION_ENDED, session, -1, 0), t);
    }
  }

  private void hear(News heard, long t) {
    news.add(heard);
    if (lastLook != t && !settling) {
      lastLook = t;
      cluster.lookSoon();
    }
  }

  /** The admission phase of an instant in which something is to be told, or a tick was due. */
  void look(long t) {
    begin(t);
    if (tickNanos == t) {
      cluster.bringUpToDate(t);
      calls.tell(null, () -> policy.tick(t));
      sample();
      settle();
      askForTick(true);
    }
  }

  private void begin(long t) {
    now = t;
    lastLook = -1;
    if (!news.isEmpty()) {
      cluster.bringUpToDate(t);
      settle();
      askForTick(false);
    }
  }

  /** Tells what is to be told and lets go what was released, until there is nothing left. */
  private void settle() {
    if (settling) {
      return;
    }
    settling = true;
    while (true) {
      Released next = released.poll();
      if (next != null) {
        watch.moves();
        if (next.verdict().kind() == Verdict.Kind.ADMIT) {
          cluster.admit(next.row(), next.verdict());
        } else {
          cluster.refuse(next.row(), next.verdict().reason());
          endsSession(next.row(), now);
        }
        continue;
      }
      News told = news.poll();
      if (told == null) {
        break;
      }
      tell(told);
    }
    settling = false;
  }

  private void tell(News told) {
    if (told.kind() == Kind.SESSION_ENDED) {
      calls.tell(null, () -> policy.sessionEnded(told.subject(), now));
      return;
    }
    int row = told.subject();
    requestKeys.show(shown, row, now);
    if (told.kind() == Kind.FIRST_TOKEN) {
      calls.tell(row, () -> policy.firstToken(shown, told.worker()));
    } else {
      calls.tell(row, () -> policy.ended(shown, told.worker(), told.outputTokens()));
    }
  }

  private void sample() {
    if (policy instanceof SessionLedger ledger) {
      for (Worker worker : workers) {
        long used = calls.ask(null, () -> ledger.usedTokens(worker.id()));
        long reasoning = calls.ask(null, () -> ledger.reasoningTokens(worker.id()));
        log.ledger(
            Math.max(0, used), Math.max(0, reasoning), (long) worker.usedBlocks() * blockSize);
      }
    }
  }

  // Time.

  /**
   * When something happens next.
   *
   * @param others the next event of anybody else; {@link Long#MAX_VALUE} if there is none
   */
  long next(long others) {
    if (others != Long.MAX_VALUE) {
      watch.moves();
      if (watch.isSpinning(now, tickNanos, others)) {
        throw calls.did(
            held.isEmpty() ? null : held.keySet().iterator().next(),
            "asked for " + watch.ticks(tickNanos) + ", in which nothing else happens");
      }
      return Math.min(others, tickNanos);
    }
    if (held.isEmpty()) {
      return Long.MAX_VALUE;
    }
    if (watch.isStuck(now, tickNanos)) {
      Map.Entry<Integer, Long> first = held.entrySet().iterator().next();
      throw calls.did(
          first.getKey(),
          "leaves it waiting for ever: held since "
              + first.getValue()
              + " ns, "
              + (held.size() == 1 ? "" : "with " + (held.size() - 1) + " more, ")
              + "and nothing else is left to happen");
    }
    return tickNanos;
  }

  /** Whether a tick is due at {@code t}. */
  boolean ticksAt(long t) {
    return tickNanos == t;
  }

  private void askForTick(boolean ticked) {
    long asked = calls.ask(null, policy::nextTickNanos);
    if (asked < now || (ticked && asked == now)) {
      throw calls.did(
          null, "asked for a tick at " + asked + " ns, expected after the present, " + now + " ns");
    }
    if (asked == now && tickNanos != now) {
      cluster.lookSoon();
    }
    tickNanos = asked;
  }

  /** How users know a row; rows that there are not keep their number. */
  private String id(int row) {
    boolean known = row >= 0 && row < requestKeys.columns().rows();
    return known ? trace.requestId(requestKeys.columns().request(row)) : "" + row;
  }

  // What a policy decides later.

  @Override
  public void release(int request, Verdict verdict) {
    if (held.remove(request) == null) {
      throw calls.did(request, "released it, although it is not held");
    }
    calls.check(request, verdict);
    if (verdict.kind() == Verdict.Kind.HOLD) {
      throw calls.did(request, "released it to hold it");
    }
    log.released(verdict.reason());
    released.add(new Released(request, verdict));
  }

  @Override
  public void paused(int session) {
    log.paused(session, now);
  }

  @Override
  public void resumed(int session, boolean forced) {
    log.resumed(session, forced, now);
  }

  @Override
  public void marked(int session) {
    log.marked();
  }

  // What a policy is built with.

  @Override
  public Gate gate() {
    return this;
  }

  @Override
  public long capacityTokens(int worker) {
    return (long) workers[worker].totalBlocks() * blockSize;
  }

  @Override
  public int outputTokens(int request) {
    ActiveRequest active = placed.get(request);
    if (active == null) {
      return 0;
    }
    RunColumns columns = requestKeys.columns();
    boolean decoding = columns.state(request) == RequestState.DECODING;
    return workers[columns.worker(request)].outputTokens(active, decoding, now);
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
}
