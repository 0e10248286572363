package io.orrery.spark.stats;

import io.orrery.reports.traces.TraceNumber;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.analysis.Marginals;
import io.orrery.traces.analysis.Starts;
import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A session with all that it started, as a trace of its own. */
final class SessionTree {
  private final TraceShape shape;
  private final int root;
  private final List<TraceRequest> requests;
  private final Trace trace;

  /**
   * @param root number of its root session
   * @param all its requests, in any order
   */
  SessionTree(TraceShape shape, int root, Iterable<TraceRequest> all) {
    this.shape = shape;
    this.root = root;
    requests = new ArrayList<>();
    all.forEach(requests::add);
    requests.sort(Comparator.comparingInt(TraceRequest::row));
    trace = build();
  }

  private Trace build() {
    Map<Integer, Integer> parents = new HashMap<>();
    Set<Integer> rows = new HashSet<>();
    for (TraceRequest request : requests) {
      parents.merge(request.session(), request.parent(), Math::max);
      rows.add(request.row());
    }
    TraceBuilder builder = Trace.builder(shape.blockSize()).sharedClock(shape.sharedClock());
    for (TraceRequest request : requests) {
      int parent = parents.getOrDefault(request.session(), -1);
      builder.session(
          Integer.toString(request.session()), parent < 0 ? null : Integer.toString(parent));
      builder
          .request(Integer.toString(request.row()))
          .input(request.input())
          .output(request.output())
          .recordedTimes(Trace.NO_TIME, request.totalNanos())
          .recordedNames(null, request.finishReason(), request.tools());
      if (request.arrivalNanos() >= 0) {
        builder.arrival(request.arrivalNanos());
      }
      for (int e = 0; e < request.waitFor().length; e++) {
        addEdge(builder, request, e, rows);
      }
      if (shape.blocksKnown()) {
        builder.blocks(promptBlocks(request));
      }
    }
    return builder.build();
  }

  private void addEdge(TraceBuilder builder, TraceRequest request, int e, Set<Integer> rows) {
    int before = request.waitFor()[e];
    if (!rows.contains(before)) {
      throw new TraceException(
          shape.name(),
          request.row() + 1L,
          "wait_for",
          "a request of another tree of sessions, in row " + (before + 1),
          "requests that wait inside their tree; the local command reads this trace");
    }
    builder.after(
        Integer.toString(before),
        request.waitTrigger()[e] == 0 ? EdgeTrigger.COMPLETION : EdgeTrigger.DISPATCH,
        request.waitNanos()[e]);
  }

  private static long[] promptBlocks(TraceRequest request) {
    long[] blocks = new long[request.identified()];
    int count = 0;
    for (int run = 0; run < request.promptRuns(); run++) {
      for (int i = 0; i < request.runLength()[run] && count < blocks.length; i++) {
        blocks[count++] = request.runFirst()[run] + (long) i;
      }
    }
    return Arrays.copyOf(blocks, count);
  }

  TreeFacts facts() {
    LongColumn starts = Starts.of(trace);
    Map<Integer, Long> startOf = new HashMap<>();
    long[] from = new long[requests.size()];
    long[] to = new long[requests.size()];
    int timed = 0;
    long first = Long.MAX_VALUE;
    long last = 0;
    long end = 0;
    for (int r = 0; r < starts.size(); r++) {
      startOf.put(Integer.parseInt(trace.requestId(r)), starts.get(r));
      long total = trace.recordedTotalNanos(r);
      first = Math.min(first, starts.get(r));
      last = Math.max(last, starts.get(r));
      end = Math.max(end, starts.get(r) + Math.max(0, total));
      if (total != Trace.NO_TIME) {
        from[timed] = starts.get(r);
        to[timed++] = starts.get(r) + total;
      }
    }
    long partial = requests.stream().filter(request -> request.partial() >= 0).count();
    return new TreeFacts(
        TreeFacts.Counts.of(TraceStatistics.of(trace), partial, timed),
        samples(),
        starts.get(trace.firstRequest(rootSession())),
        first,
        last,
        end,
        Arrays.copyOf(from, timed),
        Arrays.copyOf(to, timed),
        shape.blocksKnown() ? touches(startOf) : List.of());
  }

  private int rootSession() {
    return trace.rootSession(0);
  }

  private Map<TraceNumber, long[]> samples() {
    Marginals all = Marginals.of(trace);
    Map<TraceNumber, long[]> samples = new EnumMap<>(TraceNumber.class);
    samples.put(TraceNumber.INPUT_TOKENS, longs(all.inputTokens()));
    samples.put(TraceNumber.OUTPUT_TOKENS, longs(all.outputTokens()));
    samples.put(TraceNumber.TURNS, longs(all.turns()));
    samples.put(TraceNumber.TURN_GROWTH, longs(all.growth()));
    samples.put(TraceNumber.RESENT, longs(all.resent()));
    samples.put(TraceNumber.SESSION_TIME, longs(all.sessionSpans()));
    samples.put(TraceNumber.TOOL_WAIT, longs(all.toolWaits()));
    samples.put(TraceNumber.OTHER_WAIT, longs(all.otherWaits()));
    if (shape.blocksKnown()) {
      samples.put(TraceNumber.SESSION_DISTINCT, new long[] {distinctTokens()});
    }
    return samples;
  }

  private static long[] longs(LongColumn column) {
    long[] values = new long[column.size()];
    Arrays.setAll(values, column::get);
    return values;
  }

  private long distinctTokens() {
    BitSet blocks = new BitSet();
    for (int r = 0; r < trace.requestCount(); r++) {
      for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
        blocks.set(trace.runFirst(run), trace.runFirst(run) + trace.runLength(run));
      }
    }
    return (long) blocks.cardinality() * trace.blockSize();
  }

  /** Touches, cut where a range of blocks ends. */
  private List<Touch> touches(Map<Integer, Long> startOf) {
    List<Touch> touches = new ArrayList<>();
    int owner = shape.sharedClock() ? 0 : root;
    for (TraceRequest request : requests) {
      long start = startOf.getOrDefault(request.row(), 0L);
      for (int run = 0; run < request.runFirst().length; run++) {
        int tokens = run < request.promptRuns() ? 0 : Touch.NOT_SENT;
        int next = request.runFirst()[run];
        int end = next + request.runLength()[run];
        while (next < end) {
          int cut = (int) Math.min(end, (next / shape.range() + 1L) * shape.range());
          touches.add(
              new Touch(owner, start, request.row(), request.input(), next, cut - next, tokens));
          next = cut;
        }
      }
      if (request.partial() >= 0) {
        touches.add(
            new Touch(
                owner,
                start,
                request.row(),
                request.input(),
                request.partial(),
                1,
                request.input() % shape.blockSize()));
      }
    }
    return touches;
  }
}
