package io.orrery.traces.synthesis;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceProvenance;
import io.orrery.traces.TraceRow;
import io.orrery.traces.TraceRowWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Draws a trace from a profile and writes it as it goes: what is held in memory is the sessions
 * that are alive at a time, not the trace. A session is drawn from streams of its own, whatever
 * stands before it; only block ids depend on that.
 */
public final class ProfileSynthesizer {
  private final TraceProfile profile;
  private final long seed;
  private final @Nullable SyntheticArrivals arrivals;
  private final BlockSource source = new BlockSource();
  private final SessionTrees trees;
  private final PriorityQueue<SyntheticCall> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((SyntheticCall call) -> call.start)
              .thenComparingInt(call -> call.order));

  private int rows;
  private int sessions;

  /**
   * @param arrivals of root sessions, or of requests where each is a session; null for sessions
   *     without a common clock
   */
  public ProfileSynthesizer(TraceProfile profile, long seed, @Nullable SyntheticArrivals arrivals) {
    this.profile = profile;
    this.seed = seed;
    this.arrivals = arrivals;
    trees = new SessionTrees(profile, seed, source);
  }

  /** How much was written. */
  public record Written(int requests, int sessions) {}

  /**
   * Writes a trace in Orrery's own format.
   *
   * @param rootSessions how many at most
   * @param requests how many at most; the last session is cut, or with a common clock those that
   *     are alive then
   */
  public Written write(Path file, int rootSessions, int requests) {
    SyntheticArrivals process = arrivals;
    try (TraceRowWriter writer =
        new TraceRowWriter(file, profile.blockSize(), process != null, profile.blocksKnown())) {
      if (process == null) {
        oneByOne(writer, rootSessions, requests);
      } else if (profile.stateless()) {
        requests(writer, process, Math.min(rootSessions, requests));
      } else {
        sessions(writer, process, rootSessions, requests);
      }
      writer.commit(source.count(), provenance());
    }
    return new Written(rows, sessions);
  }

  /** Sessions one after the other, each child behind its parent. */
  private void oneByOne(TraceRowWriter writer, int rootSessions, int requests) {
    for (int i = 0; i < rootSessions && rows < requests; i++) {
      List<SyntheticCall> calls = new ArrayList<>();
      for (SyntheticCall call : trees.tree(i, 0, requests - rows)) {
        if (call.first) {
          calls.addAll(call.session.calls);
        }
      }
      for (int c = 0; c < calls.size(); c++) {
        calls.get(c).row = rows + c;
      }
      calls.forEach(call -> writer.write(row(call)));
    }
  }

  /** A trace ends as recorded ones do, amid its sessions. */
  private void sessions(
      TraceRowWriter writer, SyntheticArrivals process, int rootSessions, int requests) {
    RandomStream gaps = new RandomStream(seed, "arrivals", 0);
    long start = process.first(gaps);
    for (int i = 0; i < rootSessions && rows < requests; i++) {
      waiting.addAll(trees.tree(i, start, Integer.MAX_VALUE));
      start = process.next(start, gaps);
      writeUntil(writer, start, requests);
    }
    writeUntil(writer, Long.MAX_VALUE, requests);
  }

  private void writeUntil(TraceRowWriter writer, long next, int most) {
    while (rows < most && !waiting.isEmpty() && waiting.peek().start <= next) {
      SyntheticCall call = waiting.remove();
      call.row = rows;
      writer.write(row(call));
    }
  }

  /**
   * Requests that are sessions of their own come as the arrivals say: whatever has waited for the
   * longest goes on, else something begins.
   */
  private void requests(TraceRowWriter writer, SyntheticArrivals process, int requests) {
    RandomStream gaps = new RandomStream(seed, "arrivals", 0);
    int begun = 0;
    long now = process.first(gaps);
    while (rows < requests) {
      SyntheticCall due = waiting.peek();
      SyntheticCall call =
          due != null && due.start <= now
              ? waiting.remove()
              : trees.tree(begun++, now, Integer.MAX_VALUE).get(0);
      call.start = now;
      call.row = rows;
      writer.write(row(call));
      SyntheticCall next = call.next;
      if (next != null) {
        next.start = SyntheticCall.onClock(now + next.waits.get(0));
        waiting.add(next);
      }
      now = process.next(now, gaps);
    }
  }

  private TraceRow row(SyntheticCall call) {
    SyntheticSession session = call.session;
    int parent = -1;
    if (call.first || profile.stateless()) {
      session.number = sessions++;
      parent = session.parent == null ? -1 : session.parent.number;
    }
    rows++;
    int waits = profile.stateless() ? 0 : call.waits.size();
    int[] waitFor = new int[waits];
    boolean[] afterDispatch = new boolean[waits];
    long[] waitNanos = new long[waits];
    for (int i = 0; i < waits; i++) {
      long wait = call.waits.get(i);
      waitFor[i] = call.waitFor.get(i).row;
      afterDispatch[i] = wait < 0;
      waitNanos[i] = wait < 0 ? ~wait : wait;
    }
    int[] runs = new int[call.promptRuns.length + call.completionRuns.length];
    System.arraycopy(call.promptRuns, 0, runs, 0, call.promptRuns.length);
    System.arraycopy(
        call.completionRuns, 0, runs, call.promptRuns.length, call.completionRuns.length);
    return new TraceRow(
        session.number,
        parent,
        waits == 0 || arrivals != null ? call.start : Trace.NO_TIME,
        call.input,
        call.output,
        call.blocks,
        call.promptRuns.length / 2,
        runs,
        waitFor,
        afterDispatch,
        waitNanos,
        call.totalNanos,
        call.callsTool ? "tool_calls" : "stop");
  }

  private TraceProvenance provenance() {
    return new TraceProvenance(
        "synthetic",
        List.of(),
        profile.blockSize(),
        "ns",
        "only full blocks have an identity",
        arrivals == null
            ? "each root session starts at 0; sessions have no clock in common"
            : "the first start is 0",
        "turns after the one before them and the sub-agents that it started",
        Map.of(),
        List.of("Synthesized, seed " + seed + ", like " + profile.source() + "."));
  }
}
