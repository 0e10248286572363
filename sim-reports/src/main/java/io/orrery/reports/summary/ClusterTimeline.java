package io.orrery.reports.summary;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.RunColumns;
import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import java.util.Arrays;
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

  private ClusterTimeline(RunFacts run) {
    this.run = run;
    this.columns = run.columns();
    live = new Level(run);
    active = new Level(run);
    workingSet = new Level(run);
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

  private void measureLive() {
    SessionFacts sessions = run.sessions();
    long[] starts = new long[sessions.count()];
    long[] ends = new long[sessions.count()];
    Arrays.fill(starts, Long.MAX_VALUE);
    for (int session = 0; session < sessions.count(); session++) {
      if (sessions.started(session)) {
        int root = sessions.root(session);
        long end =
            sessions.completed(session) ? sessions.endNanos(session) : run.result().endNanos();
        starts[root] = Math.min(starts[root], sessions.startNanos(session));
        ends[root] = Math.max(ends[root], end);
      }
    }
    int trees = 0;
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] != Long.MAX_VALUE) {
        starts[trees] = starts[i];
        ends[trees++] = ends[i];
      }
    }
    Arrays.sort(starts, 0, trees);
    Arrays.sort(ends, 0, trees);
    new LiveSweep(starts, ends, trees).run();
  }

  /** Goes through the moments at which a root session starts or is over. */
  private final class LiveSweep {
    private final long[] starts;
    private final long[] ends;
    private final int trees;
    private long now;
    private int started;
    private int ended;

    LiveSweep(long[] starts, long[] ends, int trees) {
      this.starts = starts;
      this.ends = ends;
      this.trees = trees;
    }

    void run() {
      while (ended < trees) {
        step();
      }
      live.add(0, run.result().endNanos() - now);
    }

    private void step() {
      long next = Math.min(started < trees ? starts[started] : Long.MAX_VALUE, ends[ended]);
      live.add((long) started - ended, next - now);
      now = next;
      while (started < trees && starts[started] == now) {
        started++;
      }
      while (ended < trees && ends[ended] == now) {
        ended++;
      }
    }
  }

  private void measureRequests() {
    int rows = columns.rows();
    long[] sent = new long[rows];
    long[] ended = new long[rows];
    for (int row = 0; row < rows; row++) {
      setTimes(row, sent, ended);
    }
    long[] dropped = dropTimes(ended);
    new RequestSweep(sent, ended, dropped).run();
  }

  private void setTimes(int row, long[] sent, long[] ended) {
    boolean dispatched = columns.dispatched(row);
    sent[row] = dispatched ? columns.arrivalNanos(row) : Long.MAX_VALUE;
    ended[row] =
        dispatched && columns.state(row).isTerminal() ? columns.endNanos(row) : Long.MAX_VALUE;
  }

  /** Goes through the moments at which a request is sent, ends, or its context is given up. */
  private final class RequestSweep {
    private final Sweep sends;
    private final Sweep ends;
    private final Sweep drops;
    private final LiveContexts contexts = new LiveContexts(run);
    private final int[] inFlight = new int[run.sessions().count()];
    private final long end = run.result().endNanos();
    private long activeTrees;
    private long now;

    RequestSweep(long[] sent, long[] ended, long[] dropped) {
      sends = new Sweep(sent, StableOrder.of(sent));
      ends = new Sweep(ended, StableOrder.of(ended));
      // Where every request is a session of its own, both happen together.
      boolean together = Arrays.equals(ended, dropped);
      drops = new Sweep(dropped, together ? ends.order : StableOrder.of(dropped));
    }

    void run() {
      while (now < end) {
        step();
      }
    }

    private void step() {
      long next = Math.min(Math.min(sends.next(), ends.next()), Math.min(drops.next(), end));
      active.add(activeTrees, next - now);
      workingSet.add(contexts.blocks(), next - now);
      now = next;
      for (int row = sends.poll(now); row >= 0; row = sends.poll(now)) {
        activeTrees += inFlight[root(row)]++ == 0 ? 1 : 0;
        if (columns.state(row) != RequestState.REJECTED) {
          contexts.add(row);
        }
      }
      for (int row = ends.poll(now); row >= 0; row = ends.poll(now)) {
        activeTrees -= --inFlight[root(row)] == 0 ? 1 : 0;
        if (columns.state(row) != RequestState.REJECTED) {
          contexts.complete(row);
        }
      }
      for (int row = drops.poll(now); row >= 0; row = drops.poll(now)) {
        contexts.remove(row);
      }
    }
  }

  private int root(int row) {
    return run.sessions().root(run.session(row));
  }

  /**
   * When the context of each row is given up: the row has ended, and its session has sent another
   * request or is completed. Refused requests have no context.
   */
  private long[] dropTimes(long[] ended) {
    SessionFacts sessions = run.sessions();
    long[] times = new long[ended.length];
    Arrays.fill(times, Long.MAX_VALUE);
    for (int session = 0; session < sessions.count(); session++) {
      if (sessions.started(session)) {
        setDropTimes(session, ended, times);
      }
    }
    return times;
  }

  private void setDropTimes(int session, long[] ended, long[] times) {
    Trace trace = run.trace();
    SessionFacts sessions = run.sessions();
    int s = session % trace.sessionCount();
    int base = session / trace.sessionCount() * trace.requestCount();
    long over = sessions.completed(session) ? sessions.endNanos(session) : Long.MAX_VALUE;
    for (int turn = trace.requestCount(s) - 1; turn >= 0; turn--) {
      int row = base + trace.request(s, turn);
      if (columns.dispatched(row) && columns.state(row) != RequestState.REJECTED) {
        times[row] = Math.max(ended[row], over);
        over = columns.arrivalNanos(row);
      }
    }
  }

  /** Rows in the order of a time each; those without one (the largest long) come last. */
  private static final class Sweep {
    private final long[] times;
    private final int[] order;
    private int at;

    Sweep(long[] times, int[] order) {
      this.times = times;
      this.order = order;
    }

    long next() {
      return at < order.length ? times[order[at]] : Long.MAX_VALUE;
    }

    /** The next row whose time has come, or -1. */
    int poll(long now) {
      return next() <= now && at < order.length ? order[at++] : -1;
    }
  }
}
