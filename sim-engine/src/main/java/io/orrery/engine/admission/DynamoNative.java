package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * NVIDIA Dynamo's ThunderAgent plugin for its Rust router ({@code lib/router-plugins/builtin/src/
 * thunderagent}, scheduler at commit 227ce2e4, configuration at 8c8d7353). It has the thresholds of
 * the Python version, but neither a loss of priority below them nor a boost for who waited.
 *
 * <ul>
 *   <li>A session has one request on its way; others wait in turn.
 *   <li>A context is the prompt and the output so far of the request on its way.
 *   <li>Tick: sessions whose tool has run for longer than {@code sessionRetention} are forgotten.
 *       Paused sessions go on while the worker stays at or below pauseThreshold − resumeHysteresis:
 *       those whose client waits first, then new ones, then those whose tool runs, smaller ones
 *       first, as many as fit together; they are placed largest first. Sessions that have waited
 *       for too long go to the worker with the most room, where sessions whose tool runs count half
 *       as much with every {@code actingDecayTau}. Above pauseThreshold, acting sessions are
 *       paused, the smallest first, down to pauseTarget; if that is not enough, all reasoning ones
 *       are marked.
 *   <li>A new session waits behind paused ones, and if no worker has room for it.
 *   <li>Of requests, and of sessions, no more than {@code maxTrackedRequests} are known at once:
 *       one more request is refused; for one more session, the one whose tool has run longest is
 *       forgotten.
 *   <li>A request that is refused by its worker leaves its session as it was before.
 * </ul>
 *
 * <p>The plugin's own choice of a worker, by prefill tokens and decode blocks, applies to requests
 * without a target; workers here always have a known capacity, so that every request has one.
 */
public final class DynamoNative extends PausedAdmission {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double YEAR_SECONDS = 31_536_000;

  private static final PolicyParameter SESSION_RETENTION =
      PolicyParameter.duration(
          "sessionRetention",
          "1800 s",
          1e-9,
          YEAR_SECONDS,
          "How long a session whose tool runs is remembered.");
  private static final PolicyParameter MAX_TRACKED =
      PolicyParameter.whole(
          "maxTrackedRequests",
          "10000",
          1,
          1e9,
          "Most requests, and most sessions, known at once.");

  static final AdmissionPolicyFactory FACTORY =
      new NamedAdmission(
          "dynamo-native",
          "Pauses sessions at tool calls above 0.95 of a worker's KV cache, down to 0.80, one request of a session at a"
              + " time; Dynamo's Rust plugin, 2026.",
          PausedParameters.with(
              PausedParameters.PAUSE_THRESHOLD,
              PausedParameters.PAUSE_TARGET,
              PausedParameters.RESUME_HYSTERESIS,
              PausedParameters.DECAY,
              SESSION_RETENTION,
              MAX_TRACKED),
          true,
          PausedParameters::checkThresholds,
          DynamoNative::new);

  /** What a session was before its present request. */
  private record Before(long tokens, boolean acting, long actingSinceNanos, int steps) {}

  /** A request that waits for the one before it in its session. */
  private record InTurn(int request, int inputTokens) {}

  private final double pauseThreshold;
  private final double pauseTarget;
  private final double resumeCeiling;
  private final double actingWeight;
  private final double decayTauSeconds;
  private final long buffer;
  private final long retentionNanos;
  private final long maxTracked;
  private final Map<Integer, Deque<InTurn>> inTurn = new LinkedHashMap<>();

  /** By session with a request on its way or held: what it was before; null for a new one. */
  private final Map<Integer, @Nullable Before> current = new LinkedHashMap<>();

  private long tracked;

  private DynamoNative(AdmissionContext context) {
    super(context, false);
    pauseThreshold = context.number(PausedParameters.PAUSE_THRESHOLD.name());
    pauseTarget = context.number(PausedParameters.PAUSE_TARGET.name());
    resumeCeiling =
        Math.max(0, pauseThreshold - context.number(PausedParameters.RESUME_HYSTERESIS.name()));
    actingWeight = context.number(PausedParameters.ACTING_WEIGHT.name());
    decayTauSeconds = context.nanos(PausedParameters.DECAY.name()) / NANOS_PER_SECOND;
    buffer = (long) context.number(PausedParameters.BUFFER.name());
    retentionNanos = context.nanos(SESSION_RETENTION.name());
    maxTracked = (long) context.number(MAX_TRACKED.name());
  }

  @Override
  void arriving() {
    expire();
  }

  @Override
  Verdict decide(Program program, RoutedRequest request, boolean isNew) {
    if (tracked >= maxTracked) {
      if (isNew) {
        forget(program);
      }
      return Verdict.refuse("request-limit");
    }
    if (isNew && programCount() > maxTracked && !forgetOldest()) {
      forget(program);
      return Verdict.refuse("session-limit");
    }
    tracked++;
    InTurn turn = new InTurn(request.id(), request.inputTokens());
    if (current.containsKey(program.session())) {
      inTurn.computeIfAbsent(program.session(), session -> new ArrayDeque<>()).add(turn);
      return Verdict.hold("session-busy");
    }
    return begin(program, turn);
  }

  /** The request is the first of its session: it goes on, or waits for the session. */
  private Verdict begin(Program program, InTurn request) {
    boolean isNew = program.steps == 0;
    current.put(
        program.session(),
        isNew
            ? null
            : new Before(program.tokens, program.acting, program.actingSinceNanos, program.steps));
    program.steps++;
    program.tokens = request.inputTokens();
    program.acting = false;
    if (program.paused) {
      return hold(program, request.request(), "session-paused");
    }
    if (program.worker != Program.NO_WORKER) {
      return goesOn(program, false, "admitted");
    }
    if (isNew && anyPaused()) {
      pause(program);
      return hold(program, request.request(), "behind-paused");
    }
    program.worker = workerFor(request.inputTokens() + buffer);
    if (program.worker == Program.NO_WORKER) {
      pause(program);
      return hold(program, request.request(), "no-room");
    }
    return goesOn(program, false, "admitted");
  }

  private int workerFor(long needed) {
    int best = Program.NO_WORKER;
    for (int worker = 0; worker < workers(); worker++) {
      if (capacity(worker) - usedTokens(worker) >= needed
          && (best == Program.NO_WORKER || usedTokens(worker) < usedTokens(best))) {
        best = worker;
      }
    }
    return best;
  }

  @Override
  void turnEnded(Program program, RoutedRequest request, int worker, int outputTokens) {
    tracked--;
    Before before = current.remove(program.session());
    if (worker != Program.NO_WORKER) {
      program.acting = true;
      program.actingSinceNanos = now();
      program.tokens = (long) request.inputTokens() + outputTokens;
      if (program.marked) {
        pause(program);
      }
    } else if (before != null) {
      program.tokens = before.tokens();
      program.acting = before.acting();
      program.actingSinceNanos = before.actingSinceNanos();
      program.steps = before.steps();
    } else {
      program.steps = 0;
      program.worker = Program.NO_WORKER;
    }
    next(program);
  }

  private void next(Program program) {
    Deque<InTurn> waiting = inTurn.get(program.session());
    InTurn next = waiting == null ? null : waiting.poll();
    if (next != null) {
      Verdict verdict = begin(program, next);
      if (verdict.kind() == Verdict.Kind.ADMIT) {
        context().gate().release(next.request(), verdict);
      }
    } else {
      inTurn.remove(program.session());
      if (program.steps == 0) {
        forget(program);
      }
    }
  }

  @Override
  void stream(Program program, Program.Progress progress) {
    program.stream(progress, 1, true);
  }

  @Override
  void schedule() {
    expire();
    resumeAsFits();
    forceLate();
    for (int worker = 0; worker < workers(); worker++) {
      if (usedTokens(worker) > (long) (capacity(worker) * pauseThreshold)) {
        pauseDownToTarget(worker);
      }
    }
  }

  private void expire() {
    for (Program program : allPrograms()) {
      if (program.acting
          && !current.containsKey(program.session())
          && now() - program.actingSinceNanos >= retentionNanos) {
        forget(program);
      }
    }
  }

  private boolean forgetOldest() {
    Program oldest = null;
    for (Program program : programs()) {
      if (program.acting
          && !current.containsKey(program.session())
          && (oldest == null || program.actingSinceNanos < oldest.actingSinceNanos)) {
        oldest = program;
      }
    }
    if (oldest == null) {
      return false;
    }
    forget(oldest);
    return true;
  }

  private void resumeAsFits() {
    WorkerRoom room = new WorkerRoom(buffer, WorkerRoom.Ties.LOWER_ID);
    for (int worker = 0; worker < workers(); worker++) {
      room.add(worker, (long) (capacity(worker) * resumeCeiling) - usedTokens(worker));
    }
    List<Program> candidates = paused();
    candidates.sort(
        Comparator.comparingInt(PausedAdmission::resumeGroup)
            .thenComparingLong(program -> program.tokens)
            .thenComparingInt(Program::session));
    List<Program> chosen = fitting(candidates, room, buffer);
    chosen.sort(
        Comparator.comparingLong((Program program) -> program.tokens)
            .reversed()
            .thenComparingInt(Program::session));
    for (Program program : chosen) {
      int worker = room.take(program.tokens + buffer);
      if (worker != Program.NO_WORKER) {
        resume(program, worker, false);
      }
    }
  }

  private void pauseDownToTarget(int worker) {
    long target = (long) (capacity(worker) * pauseTarget);
    Program acting = smallest(worker, true);
    while (acting != null && usedTokens(worker) > target) {
      pause(acting);
      acting = smallest(worker, true);
    }
    if (usedTokens(worker) > target) {
      for (Program program : programs()) {
        if (isActiveOn(program, worker) && !program.acting && !program.marked) {
          mark(program);
        }
      }
    }
  }

  @Override
  int forcedWorker(Program program) {
    return largest(worker -> capacity(worker) - used(worker, true));
  }

  private long used(int worker, boolean decayed) {
    long sum = 0;
    for (Program program : programs()) {
      if (isActiveOn(program, worker)) {
        sum += charged(program, decayed) + buffer;
      }
    }
    return sum;
  }

  private long charged(Program program, boolean decayed) {
    if (!program.acting) {
      return program.tokens;
    }
    double idleSeconds = (now() - program.actingSinceNanos) / NANOS_PER_SECOND;
    double weight = decayed ? StrictMath.pow(2, -idleSeconds / decayTauSeconds) : actingWeight;
    return (long) (program.tokens * weight);
  }

  @Override
  public long usedTokens(int worker) {
    return used(worker, false);
  }
}
