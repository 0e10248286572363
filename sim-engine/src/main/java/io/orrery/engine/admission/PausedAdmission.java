package io.orrery.engine.admission;

import io.orrery.engine.Draws;
import io.orrery.engine.admission.Program.HeldRequest;
import io.orrery.engine.routing.RoutedRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What all variants of session-aware admission have in common: the sessions in the order in which
 * they came, those that are paused in the order in which they were paused, the requests that wait
 * for them, the scheduler's ticks on a grid from 0, and a wait that is cut short when it has lasted
 * too long. The variants say when a session is paused and when it goes on.
 *
 * <p>A request in progress is never touched: pausing happens between a session's requests, at its
 * tool calls.
 */
abstract class PausedAdmission implements AdmissionPolicy, SessionLedger {
  private final AdmissionContext context;
  private final Map<Integer, Program> programs = new LinkedHashMap<>();
  private final Map<Integer, Program> paused = new LinkedHashMap<>();
  private final Map<Integer, Program> running = new LinkedHashMap<>();
  private final Draws endDraws;
  private final double announcedEnds;
  private final long intervalNanos;
  private final long timeoutNanos;
  private final long[] capacity;
  private final boolean forcesOnTime;
  private long now;
  private long ticked;

  /**
   * @param forcesOnTime whether a request's wait is cut short at the very moment; if not, the
   *     variant does so in {@link #schedule}
   */
  PausedAdmission(AdmissionContext context, boolean forcesOnTime) {
    this.context = context;
    this.forcesOnTime = forcesOnTime;
    endDraws = context.draws("admission.session-end");
    announcedEnds = context.number(PausedParameters.ANNOUNCED_ENDS.name());
    intervalNanos = context.nanos(PausedParameters.INTERVAL.name());
    timeoutNanos = context.nanos(PausedParameters.RESUME_TIMEOUT.name());
    capacity = new long[context.workers()];
    for (int worker = 0; worker < capacity.length; worker++) {
      capacity[worker] = context.capacityTokens(worker);
    }
  }

  // What the variants say; each is asked after running requests' output has been counted.

  /** A request was sent; its program is looked up next. */
  void arriving() {}

  /** A request of {@code program} was sent; which is new with its first request. */
  abstract Verdict decide(Program program, RoutedRequest request, boolean isNew);

  /** The scheduler's tick: resumes and pauses. */
  abstract void schedule();

  /** Where a program goes on whose request has waited for too long. */
  abstract int forcedWorker(Program program);

  /** The request of {@code program} ended; what it knew of it is {@code request}. */
  abstract void turnEnded(Program program, RoutedRequest request, int worker, int outputTokens);

  /** Takes account of what running requests have got since the last call. */
  abstract void stream(Program program, Program.Progress progress);

  // What they all do.

  @Override
  public Verdict arrived(RoutedRequest request) {
    at(request.nowNanos());
    arriving();
    Program known = programs.get(request.session());
    Program program = known;
    if (program == null) {
      program = new Program(request.session());
      programs.put(request.session(), program);
    }
    return decide(program, request, known == null);
  }

  @Override
  public void placed(RoutedRequest request, int worker) {
    at(request.nowNanos());
    Program program = programs.get(request.session());
    if (program != null) {
      program.runs(request.id());
      running.put(program.session(), program);
    }
  }

  @Override
  public void ended(RoutedRequest request, int worker, int outputTokens) {
    at(request.nowNanos());
    Program program = programs.get(request.session());
    if (program != null) {
      program.ends(request.id());
      if (!program.isRunning()) {
        running.remove(program.session());
      }
      turnEnded(program, request, worker, outputTokens);
    }
  }

  @Override
  public void sessionEnded(int session, long nowNanos) {
    if (announcedEnds < 1 && endDraws.uniform(session, 0) >= announcedEnds) {
      return;
    }
    at(nowNanos);
    Program program = programs.get(session);
    if (program != null) {
      forget(program);
    }
  }

  @Override
  public long nextTickNanos() {
    long next = programs.isEmpty() ? Long.MAX_VALUE : (ticked / intervalNanos + 1) * intervalNanos;
    if (forcesOnTime) {
      for (Program program : paused.values()) {
        HeldRequest first = program.held().peek();
        if (first != null) {
          next = Math.min(next, first.deadlineNanos());
        }
      }
    }
    return next;
  }

  @Override
  public void tick(long nowNanos) {
    at(nowNanos);
    if (forcesOnTime) {
      forceLate();
    }
    if (now % intervalNanos == 0) {
      ticked = now;
      schedule();
    }
  }

  /** Resumes the programs that have a request whose time is up. */
  final void forceLate() {
    for (Program program : new ArrayList<>(paused.values())) {
      HeldRequest first = program.held().peek();
      if (first != null && first.deadlineNanos() <= now) {
        resume(program, forcedWorker(program), true);
      }
    }
  }

  /** It is {@code nowNanos}: counts the output that running requests have got by now. */
  final void at(long nowNanos) {
    // Grid points that passed while there was nobody to schedule need no tick.
    if (programs.isEmpty()) {
      ticked = Math.max(ticked, nowNanos / intervalNanos * intervalNanos);
    }
    now = nowNanos;
    for (Program program : running.values()) {
      stream(program, context::outputTokens);
    }
  }

  /** Holds {@code request} until its program is resumed. */
  final Verdict hold(Program program, int request, String reason) {
    program.held().add(new HeldRequest(request, now + timeoutNanos));
    return Verdict.hold(reason);
  }

  final void pause(Program program) {
    if (program.paused) {
      return;
    }
    program.paused = true;
    program.marked = false;
    program.origin = program.worker;
    program.worker = Program.NO_WORKER;
    program.tokensWhenPaused = program.tokens;
    paused.put(program.session(), program);
    context.gate().paused(program.session());
  }

  /** Lets a paused program go on, on {@code worker}, with all its requests that wait. */
  final void resume(Program program, int worker, boolean forced) {
    program.paused = false;
    program.worker = worker;
    program.origin = Program.NO_WORKER;
    paused.remove(program.session());
    context.gate().resumed(program.session(), forced);
    for (HeldRequest held : program.held()) {
      context.gate().release(held.request(), goesOn(program, true, forced ? "forced" : "resumed"));
    }
    program.held().clear();
  }

  /** What lets a request of an active program pass. */
  Verdict goesOn(Program program, boolean waited, String reason) {
    return Verdict.admit(program.worker, 0, reason);
  }

  final void mark(Program program) {
    program.marked = true;
    context.gate().marked(program.session());
  }

  final void forget(Program program) {
    running.remove(program.session());
    programs.remove(program.session());
    if (program.paused) {
      program.paused = false;
      paused.remove(program.session());
      context.gate().resumed(program.session(), false);
    }
  }

  final long now() {
    return now;
  }

  final AdmissionContext context() {
    return context;
  }

  final int workers() {
    return capacity.length;
  }

  final long capacity(int worker) {
    return capacity[worker];
  }

  final Iterable<Program> programs() {
    return programs.values();
  }

  /** A copy, for a loop that forgets some. */
  final List<Program> allPrograms() {
    return new ArrayList<>(programs.values());
  }

  final int programCount() {
    return programs.size();
  }

  /** Paused programs, the one paused first first. */
  final List<Program> paused() {
    return new ArrayList<>(paused.values());
  }

  final boolean anyPaused() {
    return !paused.isEmpty();
  }

  /**
   * The program with the fewest tokens of those that are active on {@code worker} and not marked;
   * of equal ones the one that came first.
   */
  final @Nullable Program smallest(int worker, boolean acting) {
    Program smallest = null;
    for (Program program : programs.values()) {
      if (isActiveOn(program, worker)
          && !program.marked
          && program.acting == acting
          && (smallest == null || program.tokens < smallest.tokens)) {
        smallest = program;
      }
    }
    return smallest;
  }

  /** The group in which a paused program is resumed: those whose client waits come first. */
  static int resumeGroup(Program program) {
    if (program.steps <= 1) {
      return 1;
    }
    return program.acting ? 2 : 0;
  }

  /**
   * Of {@code candidates}, in this order, as many as fit together into what {@code room} has in
   * all.
   */
  static List<Program> fitting(List<Program> candidates, WorkerRoom room, long buffer) {
    List<Program> fitting = new ArrayList<>();
    long left = room.total();
    for (Program program : candidates) {
      long needed = program.tokens + buffer;
      if (needed <= left) {
        fitting.add(program);
        left -= needed;
      }
    }
    return fitting;
  }

  /** The worker with the largest value; of equal ones the one with the lowest id. */
  final int largest(IntToLongFunction value) {
    int largest = 0;
    for (int worker = 1; worker < capacity.length; worker++) {
      if (value.applyAsLong(worker) > value.applyAsLong(largest)) {
        largest = worker;
      }
    }
    return largest;
  }

  static boolean isActiveOn(Program program, int worker) {
    return !program.paused && program.worker == worker;
  }

  @Override
  public long reasoningTokens(int worker) {
    long sum = 0;
    for (Program program : programs.values()) {
      if (isActiveOn(program, worker) && !program.acting) {
        sum += program.tokens;
      }
    }
    return sum;
  }
}
