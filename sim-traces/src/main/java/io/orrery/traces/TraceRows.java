package io.orrery.traces;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a trace of whole sessions of other traces. Blocks keep their order, those of each trace in
 * a namespace of its own; numbers that nobody uses any more are closed up. An edge to a request
 * that is left out is dropped; whoever loses its last one starts when its waits alone would have
 * let it.
 */
final class TraceRows {
  private final List<Trace> traces;

  /** Trace of each row of the result. */
  private final int[] trace;

  /** Row in that trace. */
  private final int[] row;

  private final TraceColumns out;

  /** Row of the result for each row of each trace, -1 where it is left out. */
  private final int[][] place;

  /** Session of the result for each session of each trace, -1 where it is left out. */
  private final int[][] session;

  private final int[][] block;
  private final long[] @Nullable [] starts;

  private TraceRows(List<Trace> traces, int[] trace, int[] row, TraceProvenance provenance) {
    this.traces = traces;
    this.trace = trace;
    this.row = row;
    place = new int[traces.size()][];
    session = new int[traces.size()][];
    block = new int[traces.size()][];
    starts = new long[traces.size()][];
    for (int t = 0; t < traces.size(); t++) {
      place[t] = filled(traces.get(t).requestCount(), -1);
      session[t] = filled(traces.get(t).sessionCount(), -1);
    }
    for (int p = 0; p < row.length; p++) {
      place[trace[p]][row[p]] = p;
    }
    Trace first = traces.get(0);
    out = new TraceColumns(first.blockSize(), numberBlocks(), first.sharedClock(), provenance);
    out.blocksKnown = traces.stream().anyMatch(Trace::blocksKnown);
  }

  /**
   * The rows, in this order: all requests of each session or none, by turn.
   *
   * @param trace which of the traces, for each row
   * @param row which of its requests
   */
  static Trace of(List<Trace> traces, int[] trace, int[] row, TraceProvenance provenance) {
    TraceRows rows = new TraceRows(traces, trace, row, provenance);
    rows.sessions();
    rows.numbers();
    rows.runs();
    rows.edges();
    rows.texts();
    return new Trace(rows.out);
  }

  /**
   * The rows of one trace by the time at which they start, where its sessions share a clock. Equal
   * times keep their order, and so do the turns of a session.
   */
  static Trace byStart(Trace trace) {
    int[] order =
        trace.sharedClock() ? StableOrder.of(startKeys(trace)) : upTo(trace.requestCount());
    return of(List.of(trace), new int[order.length], order, trace.provenance());
  }

  /** When each request starts by its recorded time or its waits, no turn before the one before. */
  static long[] startKeys(Trace trace) {
    long[] keys = StartTimes.of(trace);
    for (int s = 0; s < trace.sessionCount(); s++) {
      long latest = 0;
      for (int turn = 0; turn < trace.requestCount(s); turn++) {
        int r = trace.request(s, turn);
        latest = Math.max(latest, keys[r]);
        keys[r] = latest;
      }
    }
    return keys;
  }

  static int[] upTo(int count) {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = i;
    }
    return rows;
  }

  private int numberBlocks() {
    int next = 0;
    for (int t = 0; t < block.length; t++) {
      TraceColumns c = traces.get(t).columns();
      int[] used = new int[Math.toIntExact(c.blockCount) + 1];
      for (int r = 0; r < place[t].length; r++) {
        for (int run = c.runStart[r]; place[t][r] >= 0 && run < c.runStart[r + 1]; run++) {
          used[c.runFirst[run]]++;
          used[c.runFirst[run] + c.runLength[run]]--;
        }
        if (place[t][r] >= 0 && c.partial != null && c.partial[r] >= 0) {
          used[c.partial[r]]++;
          used[c.partial[r] + 1]--;
        }
      }
      int depth = 0;
      for (int id = 0; id < used.length; id++) {
        depth += used[id];
        used[id] = depth > 0 ? next : -1;
        next = depth > 0 ? Math.addExact(next, 1) : next;
      }
      block[t] = used;
    }
    return next;
  }

  private void sessions() {
    int n = row.length;
    int count = 0;
    out.session = new int[n];
    out.turn = new int[n];
    for (int p = 0; p < n; p++) {
      int s = traces.get(trace[p]).session(row[p]);
      if (session[trace[p]][s] < 0) {
        session[trace[p]][s] = count++;
      }
      out.session[p] = session[trace[p]][s];
      out.turn[p] = traces.get(trace[p]).turn(row[p]);
    }
    out.sessionStart = new int[count + 1];
    for (int s : out.session) {
      out.sessionStart[s + 1]++;
    }
    for (int s = 0; s < count; s++) {
      out.sessionStart[s + 1] += out.sessionStart[s];
    }
    out.sessionRequests = new int[n];
    for (int p = 0; p < n; p++) {
      out.sessionRequests[out.sessionStart[out.session[p]] + out.turn[p]] = p;
    }
    out.parent = new int[count];
    out.root = new int[count];
    for (int t = 0; t < session.length; t++) {
      for (int s = 0; s < session[t].length; s++) {
        if (session[t][s] >= 0) {
          int parent = traces.get(t).parentSession(s);
          out.parent[session[t][s]] = parent < 0 ? -1 : session[t][parent];
          out.root[session[t][s]] = session[t][traces.get(t).rootSession(s)];
        }
      }
    }
  }

  private void numbers() {
    int n = row.length;
    out.input = new int[n];
    out.output = new int[n];
    out.identified = new int[n];
    out.named = new int[n];
    out.arrival = new long[n];
    int[] priority = new int[n];
    int[] partial = new int[n];
    int[] cached = new int[n];
    long[] ttft = new long[n];
    long[] total = new long[n];
    for (int p = 0; p < n; p++) {
      Trace from = traces.get(trace[p]);
      int r = row[p];
      out.input[p] = from.inputTokens(r);
      out.output[p] = from.outputTokens(r);
      out.identified[p] = from.identifiedBlocks(r);
      out.named[p] = from.namedBlocks(r);
      out.arrival[p] = from.arrivalNanos(r);
      priority[p] = from.priority(r);
      partial[p] = from.partialBlock(r) < 0 ? -1 : block[trace[p]][from.partialBlock(r)];
      cached[p] = from.recordedCachedTokens(r);
      ttft[p] = from.recordedTtftNanos(r);
      total[p] = from.recordedTotalNanos(r);
    }
    out.priority = Arrays.stream(priority).allMatch(v -> v == 0) ? null : priority;
    out.partial = Arrays.stream(partial).allMatch(v -> v < 0) ? null : partial;
    out.cached = Arrays.stream(cached).allMatch(v -> v < 0) ? null : cached;
    out.ttft = Arrays.stream(ttft).allMatch(v -> v < 0) ? null : ttft;
    out.total = Arrays.stream(total).allMatch(v -> v < 0) ? null : total;
  }

  private void runs() {
    RunColumn runs = new RunColumn();
    out.runStart = new int[row.length + 1];
    out.promptRunEnd = new int[row.length];
    for (int p = 0; p < row.length; p++) {
      TraceColumns c = traces.get(trace[p]).columns();
      int r = row[p];
      out.runStart[p] = runs.size();
      copyRuns(runs, c, block[trace[p]], c.runStart[r], c.promptRunEnd[r]);
      out.promptRunEnd[p] = runs.size();
      copyRuns(runs, c, block[trace[p]], c.promptRunEnd[r], c.runStart[r + 1]);
    }
    out.runStart[row.length] = runs.size();
    out.runFirst = runs.firsts();
    out.runLength = runs.lengths();
  }

  /** Used blocks stay consecutive, so that a run is a run. */
  private static void copyRuns(RunColumn runs, TraceColumns c, int[] numbers, int from, int to) {
    runs.startList();
    for (int run = from; run < to; run++) {
      runs.add(numbers[c.runFirst[run]], c.runLength[run]);
    }
  }

  private void edges() {
    IntColumn from = new IntColumn();
    LongColumn delay = new LongColumn();
    out.edgeStart = new int[row.length + 1];
    for (int p = 0; p < row.length; p++) {
      TraceColumns c = traces.get(trace[p]).columns();
      for (int e = c.edgeStart[row[p]]; e < c.edgeStart[row[p] + 1]; e++) {
        int before = place[trace[p]][c.edgeFrom[e]];
        if (before >= 0) {
          from.add(before);
          delay.add(c.edgeDelay[e]);
        }
      }
      out.edgeStart[p + 1] = from.size();
      if (out.edgeStart[p] == from.size() && out.arrival[p] == Trace.NO_TIME) {
        out.arrival[p] = starts(trace[p])[row[p]];
      }
    }
    out.edgeFrom = from.toArray();
    out.edgeDelay = delay.toArray();
  }

  private long[] starts(int t) {
    long @Nullable [] known = starts[t];
    if (known == null) {
      known = StartTimes.of(traces.get(t));
      starts[t] = known;
    }
    return known;
  }

  private void texts() {
    int n = row.length;
    LabelColumn model = new LabelColumn();
    LabelColumn adapter = new LabelColumn();
    LabelColumn worker = new LabelColumn();
    LabelColumn finish = new LabelColumn();
    LabelColumn tools = new LabelColumn();
    TextIndex requestIds = new TextIndex();
    int[] requestText = filled(n, -1);
    for (int p = 0; p < n; p++) {
      Trace from = traces.get(trace[p]);
      model.set(p, from.model(row[p]));
      adapter.set(p, from.adapter(row[p]));
      worker.set(p, from.recordedWorker(row[p]));
      finish.set(p, from.recordedFinishReason(row[p]));
      tools.set(p, from.recordedTools(row[p]));
      String id = JsonLines.givenId(from, row[p]);
      if (id != null) {
        requestText[p] = distinct(requestIds, id, trace[p]);
      }
    }
    int[] all = upTo(n);
    out.model = model.labels(all);
    out.adapter = adapter.labels(all);
    out.worker = worker.labels(all);
    out.finishReason = finish.labels(all);
    out.tools = tools.labels(all);
    out.requestIds = requestIds.column();
    out.requestText = unlessNone(requestText);
    sessionTexts();
  }

  private void sessionTexts() {
    TextIndex ids = new TextIndex();
    int[] texts = filled(out.parent.length, -1);
    for (int t = 0; t < session.length; t++) {
      Trace from = traces.get(t);
      for (int s = 0; s < session[t].length; s++) {
        if (session[t][s] >= 0 && JsonLines.hasGivenId(from, s)) {
          texts[session[t][s]] = distinct(ids, from.sessionId(s), t);
        }
      }
    }
    out.sessionIds = ids.column();
    out.sessionText = unlessNone(texts);
  }

  /** An id that an earlier trace has too gets this one's number in front. */
  private static int distinct(TextIndex ids, String id, int trace) {
    String text = id;
    while (ids.find(text) >= 0) {
      text = (trace + 1) + ":" + text;
    }
    return ids.add(text);
  }

  private static int @Nullable [] unlessNone(int[] values) {
    return Arrays.stream(values).allMatch(v -> v < 0) ? null : values;
  }

  private static int[] filled(int count, int value) {
    int[] result = new int[count];
    Arrays.fill(result, value);
    return result;
  }
}
