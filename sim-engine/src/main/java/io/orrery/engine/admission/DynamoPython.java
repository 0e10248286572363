package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.Comparator;
import java.util.List;

/**
 * NVIDIA Dynamo's first re-implementation of ThunderAgent, {@code dynamo.thunderagent_router} in
 * Python, in two dated states: {@code dynamo-python-v1} (commit d3fe8712) and {@code dynamo-python}
 * (commit 158f7e10).
 *
 * <pre>
 *   v1:    used = Σ tokens + bufferPerProgram · sessions, ⌊actingTokenWeight · tokens⌋ where a tool runs
 *   later: used = Σ ⌈(tokens + bufferPerProgram) / block⌉ · block
 * </pre>
 *
 * <p>Tick, on each worker:
 *
 * <ol>
 *   <li>Between softDemoteThreshold and pauseThreshold of the capacity, sessions that are not
 *       marked lose priority for one and a half intervals.
 *   <li>Paused sessions go on while the worker stays at or below pauseThreshold − resumeHysteresis:
 *       those whose client waits first, then new ones, then those whose tool runs. v1 takes smaller
 *       ones first as long as they fit together, and places these largest first; later, each is
 *       placed where it fits, larger ones first.
 *   <li>Above pauseThreshold, acting sessions are paused, the smallest first, down to pauseTarget;
 *       when there are none left, reasoning ones are marked, the smallest first. In v1 a mark does
 *       not lower what is counted as used, so that all are marked; later it does.
 * </ol>
 *
 * <p>A new session waits behind paused ones, and if no worker has room for it; later, a session
 * that comes back waits as well if its worker holds more than its capacity. A session that waited
 * has a priority of {@code resumePriorityBoost} seconds, one that was demoted of {@code
 * softDemotePriorityJump}; both move requests in the router's queue only, do nothing where that is
 * off, and a sum below 0 counts as 0 there. One that has waited for too long goes to the worker
 * with the most room, where sessions whose tool runs count half as much with every {@code
 * actingDecayTau}. That a refused request leaves its session acting is an assumption.
 */
public final class DynamoPython extends PausedAdmission {
  private static final double NANOS_PER_SECOND = 1e9;

  private static final PolicyParameter SOFT_DEMOTE_THRESHOLD =
      PolicyParameter.number(
          "softDemoteThreshold",
          "0.80",
          0,
          1,
          "Share of a worker's KV cache from which its sessions lose priority.");
  private static final PolicyParameter SOFT_DEMOTE_JUMP =
      PolicyParameter.number(
          "softDemotePriorityJump",
          "-2",
          -3600,
          3600,
          "Seconds by which a demoted session's request moves ahead in the router's queue.");
  private static final PolicyParameter RESUME_BOOST =
      PolicyParameter.number(
          "resumePriorityBoost",
          "1",
          -3600,
          3600,
          "Seconds by which the request of a session that waited moves ahead in the router's queue.");

  private static final List<PolicyParameter> PARAMETERS =
      PausedParameters.with(
          PausedParameters.PAUSE_THRESHOLD,
          PausedParameters.PAUSE_TARGET,
          PausedParameters.RESUME_HYSTERESIS,
          PausedParameters.DECAY,
          SOFT_DEMOTE_THRESHOLD,
          SOFT_DEMOTE_JUMP,
          RESUME_BOOST);

  static final AdmissionPolicyFactory FIRST_VERSION =
      new NamedAdmission(
          "dynamo-python-v1",
          "Pauses sessions at tool calls above 0.95 of a worker's KV cache, down to 0.80; Dynamo's Python router, first"
              + " version, 2026.",
          PARAMETERS,
          true,
          PausedParameters::checkThresholds,
          context -> new DynamoPython(context, true));

  static final AdmissionPolicyFactory FACTORY =
      new NamedAdmission(
          "dynamo-python",
          "As dynamo-python-v1, counting marked sessions as gone and in whole blocks, resuming larger ones first;"
              + " Dynamo's Python router, later in 2026.",
          PARAMETERS,
          true,
          PausedParameters::checkThresholds,
          context -> new DynamoPython(context, false));

  private final boolean first;
  private final double pauseThreshold;
  private final double pauseTarget;
  private final double resumeCeiling;
  private final double softDemoteThreshold;
  private final double softDemoteJump;
  private final double resumeBoost;
  private final double actingWeight;
  private final double decayTauSeconds;
  private final long buffer;
  private final long block;
  private final long softDemoteNanos;

  private DynamoPython(AdmissionContext context, boolean first) {
    super(context, true);
    this.first = first;
    pauseThreshold = context.number(PausedParameters.PAUSE_THRESHOLD.name());
    pauseTarget = context.number(PausedParameters.PAUSE_TARGET.name());
    resumeCeiling =
        Math.max(0, pauseThreshold - context.number(PausedParameters.RESUME_HYSTERESIS.name()));
    softDemoteThreshold = context.number(SOFT_DEMOTE_THRESHOLD.name());
    softDemoteJump = context.number(SOFT_DEMOTE_JUMP.name());
    resumeBoost = context.number(RESUME_BOOST.name());
    actingWeight = context.number(PausedParameters.ACTING_WEIGHT.name());
    decayTauSeconds = context.nanos(PausedParameters.DECAY.name()) / NANOS_PER_SECOND;
    buffer = (long) context.number(PausedParameters.BUFFER.name());
    block = first ? 1 : context.blockSize();
    softDemoteNanos = context.nanos(PausedParameters.INTERVAL.name()) * 3 / 2;
  }

  @Override
  Verdict decide(Program program, RoutedRequest request, boolean isNew) {
    program.steps++;
    program.tokens = request.inputTokens();
    program.acting = false;
    if (program.paused) {
      return hold(program, request.id(), "session-paused");
    }
    if (isNew) {
      program.worker = anyPaused() ? Program.NO_WORKER : workerForNew(program.tokens);
      if (program.worker == Program.NO_WORKER) {
        String reason = anyPaused() ? "behind-paused" : "no-room";
        pause(program);
        return hold(program, request.id(), reason);
      }
    } else if (!first && usedTokens(program.worker) > capacity(program.worker)) {
      pause(program);
      return hold(program, request.id(), "over-capacity");
    }
    return goesOn(program, false, "admitted");
  }

  private int workerForNew(long tokens) {
    int best = Program.NO_WORKER;
    for (int worker = 0; worker < workers(); worker++) {
      if (capacity(worker) - usedTokens(worker) >= needed(tokens)
          && (best == Program.NO_WORKER || usedTokens(worker) < usedTokens(best))) {
        best = worker;
      }
    }
    return best;
  }

  @Override
  Verdict goesOn(Program program, boolean waited, String reason) {
    double jump = waited ? resumeBoost : 0;
    if (program.softDemotedUntilNanos > now()) {
      jump += softDemoteJump;
    }
    return Verdict.admit(program.worker, jump, reason);
  }

  @Override
  void turnEnded(Program program, RoutedRequest request, int worker, int outputTokens) {
    program.tokens = (long) request.inputTokens() + outputTokens;
    program.acting = true;
    program.actingSinceNanos = now();
    if (program.marked) {
      pause(program);
    }
  }

  @Override
  void stream(Program program, Program.Progress progress) {
    program.stream(progress, 1, !program.acting);
  }

  @Override
  void schedule() {
    for (int worker = 0; worker < workers(); worker++) {
      softDemote(worker);
    }
    if (first) {
      resumeFirstVersion();
    } else {
      resumeLater();
    }
    for (int worker = 0; worker < workers(); worker++) {
      if (usedTokens(worker) > capacity(worker) * pauseThreshold) {
        pauseDownToTarget(worker);
      }
    }
  }

  private void softDemote(int worker) {
    double share = (double) usedTokens(worker) / capacity(worker);
    if (share < softDemoteThreshold || share >= pauseThreshold) {
      return;
    }
    for (Program program : programs()) {
      if (isActiveOn(program, worker) && !program.marked) {
        program.softDemotedUntilNanos =
            Math.max(program.softDemotedUntilNanos, now() + softDemoteNanos);
      }
    }
  }

  private void resumeFirstVersion() {
    WorkerRoom room = room(buffer, WorkerRoom.Ties.KEEP_ORDER);
    List<Program> candidates = paused();
    candidates.sort(
        Comparator.comparingInt(PausedAdmission::resumeGroup)
            .thenComparingLong(program -> program.tokens));
    List<Program> chosen = fitting(candidates, room, buffer);
    chosen.sort(Comparator.comparingLong((Program program) -> program.tokens).reversed());
    place(chosen, room);
  }

  private void resumeLater() {
    List<Program> candidates = paused();
    candidates.sort(
        Comparator.comparingInt(PausedAdmission::resumeGroup)
            .thenComparing(
                Comparator.comparingLong((Program program) -> program.tokens).reversed()));
    place(candidates, room(Math.max(0, needed(0) - 1), WorkerRoom.Ties.TAKEN_LAST));
  }

  private WorkerRoom room(long least, WorkerRoom.Ties ties) {
    WorkerRoom room = new WorkerRoom(least, ties);
    for (int worker = 0; worker < workers(); worker++) {
      room.add(worker, (long) (capacity(worker) * resumeCeiling) - usedTokens(worker));
    }
    return room;
  }

  private void place(List<Program> chosen, WorkerRoom room) {
    for (Program program : chosen) {
      int worker = room.take(needed(program.tokens));
      if (worker != Program.NO_WORKER) {
        resume(program, worker, false);
      }
    }
  }

  private void pauseDownToTarget(int worker) {
    double target = capacity(worker) * pauseTarget;
    long used = usedTokens(worker);
    if (!first) {
      used -= markedTokens(worker);
    }
    while (used > target) {
      Program acting = smallest(worker, true);
      if (acting != null) {
        used -= charged(acting, false);
        pause(acting);
        continue;
      }
      Program reasoning = smallest(worker, false);
      if (reasoning == null) {
        return;
      }
      mark(reasoning);
      used -= first ? 0 : charged(reasoning, false);
    }
  }

  private long markedTokens(int worker) {
    long sum = 0;
    for (Program program : programs()) {
      if (isActiveOn(program, worker) && program.marked) {
        sum += charged(program, false);
      }
    }
    return sum;
  }

  @Override
  int forcedWorker(Program program) {
    return largest(worker -> capacity(worker) - used(worker, true));
  }

  private long used(int worker, boolean decayed) {
    long sum = 0;
    for (Program program : programs()) {
      if (isActiveOn(program, worker)) {
        sum += charged(program, decayed);
      }
    }
    return sum;
  }

  private long charged(Program program, boolean decayed) {
    if (!program.acting) {
      return needed(program.tokens);
    }
    double idleSeconds = (now() - program.actingSinceNanos) / NANOS_PER_SECOND;
    double weight = decayed ? StrictMath.pow(2, -(idleSeconds / decayTauSeconds)) : actingWeight;
    return needed((long) (program.tokens * weight));
  }

  /** Tokens with the buffer, in whole blocks; v1 counts single tokens. */
  private long needed(long tokens) {
    return (tokens + buffer + block - 1) / block * block;
  }

  @Override
  public long usedTokens(int worker) {
    return used(worker, false);
  }
}
