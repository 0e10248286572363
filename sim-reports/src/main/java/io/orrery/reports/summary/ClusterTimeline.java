package io.orrery.reports.summary;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import org.jspecify.annotations.Nullable;

/**
 * Levels over the time of a run: root sessions alive, root sessions with a request on its way, and
 * the working set.
 *
 * <p>A root session is alive, together with the sessions it has spawned, from the sending of its
 * first request to the end of the last one of them, tool waits included; one that is not completed
 * stays alive to the end of the run.
 */
public final class ClusterTimeline {
  private final RunFacts run;
  private final RunColumns columns;
  private final Level live;
  private final Level active;
  private final Level workingSet;
  private final @Nullable WorkerContexts byWorker;

  private ClusterTimeline(RunFacts run) {
    this.run = run;
    this.columns = run.columns();
    live = new Level(run);
    active = new Level(run);
    workingSet = new Level(run);
    byWorker = run.stretches() == 0 ? null : new WorkerContexts(run);
  }

  /** A level that is told in order of time, and how it went if the run wants to know. */
  private static final class Level {
    private final LevelOverTime levels = new LevelOverTime();
    private final @Nullable TimeProfile profile;
    private long now;

    Level(RunFacts run) {
      profile = run.stretches() == 0 ? null : run.newProfile();
    }

    void add(long level, long span) {
      levels.add(level, span);
      if (profile != null) {
        profile.add(now, now + span, level);
        now += span;
      }
    }

    TimeProfile profile() {
      if (profile == null) {
        throw new IllegalStateException("the run's facts keep no profiles");
      }
      return profile;
    }
  }

  static ClusterTimeline of(RunFacts run) {
    ClusterTimeline timeline = new ClusterTimeline(run);
    timeline.measureLive();
    timeline.measureRequests();
    return timeline;
  }

  /** Root sessions alive. */
  LevelOverTime live() {
    return live.levels;
  }

  /** How the number of live root sessions went, if the run keeps profiles. */
  public TimeProfile liveProfile() {
    return live.profile();
  }

  /** Root sessions with a request that was sent and has not ended, of their own or of a child. */
  LevelOverTime active() {
    return active.levels;
  }

  /** How the number of active root sessions went, if the run keeps profiles. */
  public TimeProfile activeProfile() {
    return active.profile();
  }

  /** Distinct blocks of live sessions' contexts. */
  LevelOverTime workingSet() {
    return workingSet.levels;
  }

  /** How the working set went, if the run keeps profiles. */
  public TimeProfile workingSetProfile() {
    return workingSet.profile();
  }

  /** The working set worker by worker; null if the run keeps no profiles. */
  public @Nullable WorkerContexts byWorker() {
    return byWorker;
  }

  private void measureLive() {
    SessionFacts sessions = run.sessions();
    LongColumn starts = LongColumn.filled(sessions.count(), Long.MAX_VALUE);
    LongColumn ends = LongColumn.filled(sessions.count(), Long.MAX_VALUE);
    int trees = 0;
    for (int session = 0; session < sessions.count(); session++) {
      if (sessions.started(session)) {
        int root = sessions.root(session);
        long end =
            sessions.completed(session) ? sessions.endNanos(session) : run.result().endNanos();
        boolean first = starts.get(root) == Long.MAX_VALUE;
        trees += first ? 1 : 0;
        starts.set(root, Math.min(starts.get(root), sessions.startNanos(session)));
        ends.set(root, first ? end : Math.max(ends.get(root), end));
      }
    }
    tellLive(StableOrder.sorted(starts), StableOrder.sorted(ends), trees);
    starts.release();
    ends.release();
  }

  /** Goes through the moments at which one of the root sessions starts or is over, all in order. */
  private void tellLive(LongColumn starts, LongColumn ends, int trees) {
    long now = 0;
    int started = 0;
    int ended = 0;
    while (ended < trees) {
      long over = ends.get(ended);
      long next = started < trees ? Math.min(starts.get(started), over) : over;
      live.add((long) started - ended, next - now);
      now = next;
      while (started < trees && starts.get(started) <= now) {
        started++;
      }
      while (ended < trees && ends.get(ended) <= now) {
        ended++;
      }
    }
    live.add(0, run.result().endNanos() - now);
    starts.release();
    ends.release();
  }

  private void measureRequests() {
    int rows = columns.rows();
    LongColumn sent = new LongColumn();
    LongColumn ended = new LongColumn();
    for (int row = 0; row < rows; row++) {
      addTimes(row, sent, ended);
    }
    LongColumn dropped = dropTimes(ended);
    new RequestSweep(sent, ended, dropped).run();
    sent.release();
    ended.release();
    dropped.release();
  }

  private void addTimes(int row, LongColumn sent, LongColumn ended) {
    boolean dispatched = columns.dispatched(row);
    sent.add(dispatched ? columns.arrivalNanos(row) : Long.MAX_VALUE);
    ended.add(
        dispatched && columns.state(row).isTerminal() ? columns.endNanos(row) : Long.MAX_VALUE);
  }

  /** Goes through the moments at which a request is sent, ends, or its context is given up. */
  private final class RequestSweep {
    private final Sweep sends;
    private final Sweep ends;
    private final Sweep drops;
    private final LiveContexts contexts = new LiveContexts(run);
    private final IntColumn inFlight = IntColumn.filled(run.sessions().count(), 0);
    private final long end = run.result().endNanos();
    private long activeTrees;
    private long now;

    RequestSweep(LongColumn sent, LongColumn ended, LongColumn dropped) {
      sends = new Sweep(sent);
      ends = new Sweep(ended);
      // Where every request is a session of its own, both happen together.
      drops = equal(ended, dropped) ? new Sweep(dropped, ends.order) : new Sweep(dropped);
    }

    private static boolean equal(LongColumn some, LongColumn others) {
      for (int row = 0; row < some.size(); row++) {
        if (some.get(row) != others.get(row)) {
          return false;
        }
      }
      return true;
    }

    void run() {
      while (now < end) {
        step();
      }
      if (byWorker != null) {
        byWorker.settleAll(end);
      }
    }

    private void changeOfWorker(int row, WorkerContexts.Change change) {
      if (byWorker != null) {
        byWorker.change(row, now, change);
      }
    }

    /** Requests in flight of the row's tree, after a change. */
    private int changeInFlight(int row, int by) {
      int root = run.sessions().root(run.session(row));
      inFlight.increase(root, by);
      return inFlight.get(root);
    }

    private void step() {
      long next = Math.min(Math.min(sends.next(), ends.next()), Math.min(drops.next(), end));
      active.add(activeTrees, next - now);
      workingSet.add(contexts.blocks(), next - now);
      now = next;
      for (int row = sends.poll(now); row >= 0; row = sends.poll(now)) {
        activeTrees += changeInFlight(row, 1) == 1 ? 1 : 0;
        if (columns.state(row) != RequestState.REJECTED) {
          contexts.add(row);
          changeOfWorker(row, WorkerContexts.Change.SENT);
        }
      }
      for (int row = ends.poll(now); row >= 0; row = ends.poll(now)) {
        activeTrees -= changeInFlight(row, -1) == 0 ? 1 : 0;
        // What is given up at once needs no room for its output.
        if (columns.state(row) != RequestState.REJECTED && drops.time(row) > now) {
          contexts.complete(row);
          changeOfWorker(row, WorkerContexts.Change.ENDED);
        }
      }
      for (int row = drops.poll(now); row >= 0; row = drops.poll(now)) {
        contexts.remove(row);
        changeOfWorker(row, WorkerContexts.Change.GIVEN_UP);
      }
    }
  }

  /**
   * When the context of each row is given up: the row has ended, and its session has sent another
   * request or is completed. Refused requests have no context.
   */
  private LongColumn dropTimes(LongColumn ended) {
    SessionFacts sessions = run.sessions();
    Trace trace = run.trace();
    LongColumn times = LongColumn.filled(ended.size(), Long.MAX_VALUE);
    int firstRow = 0;
    for (int first = 0; first < sessions.count(); first += trace.sessionCount()) {
      for (int s = 0; s < trace.sessionCount(); s++) {
        if (sessions.started(first + s)) {
          boolean completed = sessions.completed(first + s);
          long over = completed ? sessions.endNanos(first + s) : Long.MAX_VALUE;
          setDropTimes(s, firstRow, over, ended, times);
        }
      }
      firstRow += trace.requestCount();
    }
    return times;
  }

  private void setDropTimes(
      int session, int firstRow, long sessionOver, LongColumn ended, LongColumn times) {
    Trace trace = run.trace();
    long over = sessionOver;
    for (int turn = trace.requestCount(session) - 1; turn >= 0; turn--) {
      int row = firstRow + trace.request(session, turn);
      if (columns.dispatched(row) && columns.state(row) != RequestState.REJECTED) {
        times.set(row, Math.max(ended.get(row), over));
        over = columns.arrivalNanos(row);
      }
    }
  }

  /** Rows in the order of a time each; those without one (the largest long) come last. */
  private static final class Sweep {
    private final LongColumn times;
    private final IntColumn order;
    private int at;
    private long next;

    Sweep(LongColumn times) {
      this(times, StableOrder.of(times));
    }

    Sweep(LongColumn times, IntColumn order) {
      this.times = times;
      this.order = order;
      look();
    }

    private void look() {
      next = at < order.size() ? times.get(order.get(at)) : Long.MAX_VALUE;
    }

    long next() {
      return next;
    }

    /** The time of a row. */
    long time(int row) {
      return times.get(row);
    }

    /** The next row whose time has come, or -1. */
    int poll(long now) {
      if (next > now || at == order.size()) {
        return -1;
      }
      int row = order.get(at++);
      look();
      return row;
    }
  }
}
