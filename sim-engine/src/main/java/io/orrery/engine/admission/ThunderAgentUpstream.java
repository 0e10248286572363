package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutedRequest;
import java.util.Comparator;
import java.util.List;

/**
 * ThunderAgent as its authors publish it ({@code ThunderAgent-org/ThunderAgent}, commit a7eef77a,
 * {@code scheduler/router.py} and {@code backend/state.py}; arXiv 2602.13692). It pauses when the
 * sessions on a worker need more than its whole KV cache, and knows neither thresholds below that
 * nor priorities:
 *
 * <pre>
 *   used      = ⌊Σ reasoning + actingTokenWeight · Σ acting⌋ + bufferPerProgram · sessions
 *   remaining = capacity − used
 * </pre>
 *
 * <ul>
 *   <li>A new session goes to the worker with the fewest tokens among those with room for it; if
 *       there is none, or any session is paused, it waits.
 *   <li>Tick: paused sessions go on as long as they fit into what remains in all, those whose
 *       client waits first, then new ones, then those whose tool runs, smaller ones first; they are
 *       placed largest first, each on the worker with the most room. Then every worker whose room
 *       is below zero pauses acting sessions, the smallest first; when there are none, it marks
 *       reasoning ones. Marking does not lower what is counted as used, so it ends up marking all
 *       of them.
 *   <li>A context is estimated from the length of the request's text until its end tells the true
 *       one; output is counted every 20 tokens.
 *   <li>A session whose request has waited for too long goes back to the worker it came from; a new
 *       one to the worker with the fewest sessions.
 * </ul>
 *
 * <p>The code's correction for shared prefixes is never updated and so always 0 (its issue 36).
 * That a refused request leaves its session acting is an assumption.
 */
public final class ThunderAgentUpstream extends PausedAdmission {
  /** Characters a token before the first answer has told better. */
  private static final double FIRST_RATIO = 5.0;

  private static final double NEW_SAMPLE_WEIGHT = 0.2;
  private static final double OLD_RATIO_WEIGHT = 0.8;
  private static final int STREAMED_PORTION = 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private static final PolicyParameter CHARACTERS =
      PolicyParameter.number(
          "charactersPerToken",
          "5",
          0.1,
          100,
          "Characters of a request's text for each token of its prompt, of which a trace says nothing; contexts are"
              + " estimated with 5 until the first request has ended.");
  private static final PolicyParameter DECAY_ON_RESUME =
      PolicyParameter.flag(
          "useActingTokenDecay",
          false,
          "Whether the context of a session whose tool runs counts half as much with every second when others are"
              + " resumed.");

  static final AdmissionPolicyFactory FACTORY =
      new NamedAdmission(
          "thunderagent-upstream",
          "Pauses sessions at tool calls while a worker's sessions need more than its KV cache; ThunderAgent as"
              + " published by its authors, 2026.",
          PausedParameters.with(CHARACTERS, DECAY_ON_RESUME),
          true,
          ThunderAgentUpstream::new);

  private final double actingWeight;
  private final long buffer;
  private final double characters;
  private final boolean decays;
  private double ratio = FIRST_RATIO;
  private boolean sampled;

  private ThunderAgentUpstream(AdmissionContext context) {
    super(context, true);
    actingWeight = context.number(PausedParameters.ACTING_WEIGHT.name());
    buffer = (long) context.number(PausedParameters.BUFFER.name());
    characters = context.number(CHARACTERS.name());
    decays = context.text(DECAY_ON_RESUME.name()).equals("true");
  }

  @Override
  Verdict decide(Program program, RoutedRequest request, boolean isNew) {
    program.steps++;
    program.tokens = (long) (textLength(request) / ratio);
    program.acting = false;
    if (program.paused) {
      return hold(program, request.id(), "session-paused");
    }
    if (isNew) {
      program.worker = anyPaused() ? Program.NO_WORKER : workerForNew(program.tokens + buffer);
      if (program.worker == Program.NO_WORKER) {
        String reason = anyPaused() ? "behind-paused" : "no-room";
        pause(program);
        return hold(program, request.id(), reason);
      }
    }
    return goesOn(program, false, "admitted");
  }

  private long textLength(RoutedRequest request) {
    return (long) (request.inputTokens() * characters);
  }

  private int workerForNew(long needed) {
    int best = Program.NO_WORKER;
    for (int worker = 0; worker < workers(); worker++) {
      if (remaining(worker, false) >= needed
          && (best == Program.NO_WORKER || tokens(worker, false) < tokens(best, false))) {
        best = worker;
      }
    }
    return best;
  }

  @Override
  void turnEnded(Program program, RoutedRequest request, int worker, int outputTokens) {
    program.acting = true;
    program.actingSinceNanos = now();
    double sample = (double) textLength(request) / request.inputTokens();
    ratio = sampled ? NEW_SAMPLE_WEIGHT * sample + OLD_RATIO_WEIGHT * ratio : sample;
    sampled = true;
    program.tokens = (long) request.inputTokens() + outputTokens;
    if (program.marked) {
      pause(program);
    }
  }

  @Override
  void stream(Program program, Program.Progress progress) {
    program.stream(progress, STREAMED_PORTION, true);
  }

  @Override
  void schedule() {
    resumeAsFits();
    for (int worker = 0; worker < workers(); worker++) {
      pauseUntilSafe(worker);
    }
  }

  private void resumeAsFits() {
    WorkerRoom room = new WorkerRoom(buffer, WorkerRoom.Ties.KEEP_ORDER);
    for (int worker = 0; worker < workers(); worker++) {
      room.add(worker, remaining(worker, decays));
    }
    List<Program> candidates = paused();
    candidates.sort(
        Comparator.comparingInt(PausedAdmission::resumeGroup)
            .thenComparingLong(program -> program.tokensWhenPaused));
    List<Program> chosen = fitting(candidates, room, buffer);
    chosen.sort(Comparator.comparingLong((Program program) -> program.tokens).reversed());
    for (Program program : chosen) {
      int worker = room.take(program.tokens + buffer);
      if (worker != Program.NO_WORKER) {
        resume(program, worker, false);
      }
    }
  }

  private void pauseUntilSafe(int worker) {
    while (remaining(worker, false) < 0) {
      Program acting = smallest(worker, true);
      if (acting != null) {
        pause(acting);
        continue;
      }
      Program reasoning = smallest(worker, false);
      if (reasoning == null) {
        return;
      }
      mark(reasoning);
    }
  }

  @Override
  int forcedWorker(Program program) {
    if (program.origin != Program.NO_WORKER) {
      return program.origin;
    }
    return largest(worker -> -sessions(worker));
  }

  private long sessions(int worker) {
    long count = 0;
    for (Program program : programs()) {
      count += isActiveOn(program, worker) ? 1 : 0;
    }
    return count;
  }

  /** What the sessions on a worker need, without buffers. */
  private long tokens(int worker, boolean decayed) {
    double sum = 0;
    for (Program program : programs()) {
      if (isActiveOn(program, worker)) {
        sum += program.acting ? program.tokens * weight(program, decayed) : program.tokens;
      }
    }
    return (long) sum;
  }

  private double weight(Program program, boolean decayed) {
    return decayed
        ? StrictMath.pow(2, -(now() - program.actingSinceNanos) / NANOS_PER_SECOND)
        : actingWeight;
  }

  private long remaining(int worker, boolean decayed) {
    return capacity(worker) - tokens(worker, decayed) - buffer * sessions(worker);
  }

  @Override
  public long usedTokens(int worker) {
    return capacity(worker) - remaining(worker, false);
  }
}
