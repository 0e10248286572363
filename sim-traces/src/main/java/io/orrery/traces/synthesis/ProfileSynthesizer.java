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
  private final SessionDrawing roots;
  private final @Nullable SessionDrawing subAgents;
  private final PriorityQueue<SyntheticCall> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((SyntheticCall call) -> call.start)
              .thenComparingInt(call -> call.order));

  /** Whether most sessions begin together, and when the last ones did. */
  private final boolean ticks;

  private long tick;
  private int orders;
  private int rows;
  private int sessions;

  /**
   * @param arrivals null for sessions without a common clock
   */
  public ProfileSynthesizer(TraceProfile profile, long seed, @Nullable SyntheticArrivals arrivals) {
    this.profile = profile;
    this.seed = seed;
    this.arrivals = arrivals;
    ticks = profile.stateless() && arrivals != null && arrivals.onTicks();
    roots = new SessionDrawing(profile, profile.root(), profile.prefixes(), source);
    SessionShape shape = profile.subAgent();
    subAgents =
        shape == null
            ? null
            : new SessionDrawing(profile, shape, profile.subAgentPrefixes(), source);
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
    boolean clock = arrivals != null;
    try (TraceRowWriter writer =
        new TraceRowWriter(file, profile.blockSize(), clock, profile.blocksKnown())) {
      RandomStream gaps = new RandomStream(seed, "arrivals", 0);
      long start = 0;
      int left = requests;
      for (int i = 0; i < rootSessions && left > 0; i++) {
        List<SyntheticCall> tree = tree(i, start, clock ? Integer.MAX_VALUE : left);
        SyntheticArrivals process = arrivals;
        if (process == null) {
          writeOneByOne(writer, tree);
        } else {
          waiting.addAll(tree);
          start = process.next(start, gaps);
          writeUntil(writer, start, requests);
        }
        left = requests - rows;
      }
      writeUntil(writer, Long.MAX_VALUE, requests);
      writer.commit(source.count(), provenance());
    }
    return new Written(rows, sessions);
  }

  /** Sessions one after the other, each child behind its parent. */
  private void writeOneByOne(TraceRowWriter writer, List<SyntheticCall> tree) {
    List<SyntheticCall> calls = new ArrayList<>();
    for (SyntheticCall call : tree) {
      if (call.first) {
        calls.addAll(call.session.calls);
      }
    }
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).row = rows + i;
    }
    calls.forEach(call -> writer.write(row(call)));
  }

  /**
   * Rows that start before the next session begins, up to so many in all: a trace ends as recorded
   * ones do, amid its sessions. Where most sessions begin together, on ticks of a clock, the others
   * go on at the next tick.
   */
  private void writeUntil(TraceRowWriter writer, long next, int most) {
    while (rows < most && !waiting.isEmpty() && waiting.peek().start < next) {
      SyntheticCall call = waiting.remove();
      if (ticks && call.start > tick && next < Long.MAX_VALUE) {
        call.start = next;
        waiting.add(call);
      } else {
        call.row = rows;
        writer.write(row(call));
      }
    }
    tick = next;
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

  /** A root session and those that it starts, each request after those that it waits for. */
  private List<SyntheticCall> tree(int index, long start, int most) {
    RandomStream stream = new RandomStream(seed, "profile session", index);
    SyntheticSession root = roots.draw(null, most, stream);
    List<List<SyntheticSession>> children = children(root, index, most - root.calls.size());
    List<SyntheticCall> tree = new ArrayList<>();
    SyntheticCall before = null;
    for (int turn = 0; turn < root.calls.size(); turn++) {
      SyntheticCall call = root.calls.get(turn);
      place(call, before == null ? start : before.end() + call.waits.get(0), tree);
      if (turn > 0) {
        join(call, children.get(turn - 1));
      }
      for (SyntheticSession child : children.get(turn)) {
        SyntheticCall last = null;
        for (SyntheticCall own : child.calls) {
          if (last == null) {
            own.after(call, 0);
          }
          place(own, last == null ? call.end() : last.end() + own.waits.get(0), tree);
          last = own;
        }
      }
      before = call;
    }
    return tree;
  }

  private void place(SyntheticCall call, long start, List<SyntheticCall> tree) {
    call.start = start;
    call.order = orders++;
    tree.add(call);
  }

  /** A turn starts as long after the last of the children as it would after the turn before. */
  private static void join(SyntheticCall call, List<SyntheticSession> children) {
    long wait = call.waits.get(0);
    for (SyntheticSession child : children) {
      SyntheticCall last = child.calls.get(child.calls.size() - 1);
      call.after(last, wait);
      call.start = Math.max(call.start, last.end() + wait);
    }
  }

  /** The sessions that each turn starts. The last turn starts none: nobody would wait. */
  private List<List<SyntheticSession>> children(SyntheticSession root, int index, int most) {
    List<List<SyntheticSession>> children = new ArrayList<>();
    root.calls.forEach(call -> children.add(new ArrayList<>()));
    Knots count = profile.subAgents();
    RandomStream stream = new RandomStream(seed, "profile sub-agents", index);
    int turns = root.calls.size() - 1;
    if (subAgents == null || count == null || turns == 0) {
      return children;
    }
    if (!stream.chance(profile.subAgentShare())) {
      return children;
    }
    int left = most;
    for (long i = count.drawWhole(stream); i > 0 && left > 0; i--) {
      SyntheticSession child = subAgents.draw(root, left, stream);
      left -= child.calls.size();
      children.get(stream.below(turns)).add(child);
    }
    return children;
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
