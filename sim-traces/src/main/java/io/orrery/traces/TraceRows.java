package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
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
  private final IntColumn trace;

  /** Row in that trace. */
  private final IntColumn row;

  private final TraceColumns out;

  /** Row of the result for each row of each trace, -1 where it is left out. */
  private final IntColumn[] place;

  /** Session of the result for each session of each trace, -1 where it is left out. */
  private final IntColumn[] session;

  private final IntColumn[] block;
  private final @Nullable LongColumn[] starts;

  private TraceRows(
      List<Trace> traces, IntColumn trace, IntColumn row, TraceProvenance provenance) {
    this.traces = traces;
    this.trace = trace;
    this.row = row;
    place = new IntColumn[traces.size()];
    session = new IntColumn[traces.size()];
    block = new IntColumn[traces.size()];
    starts = new LongColumn[traces.size()];
    for (int t = 0; t < traces.size(); t++) {
      place[t] = IntColumn.filled(traces.get(t).requestCount(), -1);
      session[t] = IntColumn.filled(traces.get(t).sessionCount(), -1);
    }
    for (int p = 0; p < row.size(); p++) {
      place[trace.get(p)].set(row.get(p), p);
    }
    Trace first = traces.get(0);
    out =
        new TraceColumns(
            TraceMerge.blockSize(traces), numberBlocks(), first.sharedClock(), provenance);
    out.blocksKnown = traces.stream().anyMatch(Trace::blocksKnown);
  }

  /**
   * The rows, in this order: all requests of each session or none, by turn.
   *
   * @param trace which of the traces, for each row
   * @param row which of its requests
   */
  static Trace of(List<Trace> traces, IntColumn trace, IntColumn row, TraceProvenance provenance) {
    TraceRows rows = new TraceRows(traces, trace, row, provenance);
    rows.sessions();
    rows.numbers();
    rows.runs();
    rows.edges();
    rows.texts();
    return new Trace(rows.out.trimmed());
  }

  /**
   * The rows of one trace by the time at which they start, where its sessions share a clock. Equal
   * times keep their order, and so do the turns of a session.
   */
  static Trace byStart(Trace trace) {
    IntColumn order =
        trace.sharedClock()
            ? StableOrder.of(startKeys(trace))
            : ColumnOrder.upTo(trace.requestCount());
    return of(List.of(trace), IntColumn.filled(order.size(), 0), order, trace.provenance());
  }

  /** When each request starts by its recorded time or its waits, no turn before the one before. */
  static LongColumn startKeys(Trace trace) {
    LongColumn keys = StartTimes.of(trace);
    for (int s = 0; s < trace.sessionCount(); s++) {
      long latest = 0;
      for (int turn = 0; turn < trace.requestCount(s); turn++) {
        int r = trace.request(s, turn);
        latest = Math.max(latest, keys.get(r));
        keys.set(r, latest);
      }
    }
    return keys;
  }

  private int numberBlocks() {
    int next = 0;
    for (int t = 0; t < block.length; t++) {
      TraceColumns c = traces.get(t).columns();
      IntColumn used = IntColumn.filled(Math.toIntExact(c.blockCount) + 1, 0);
      for (int r = 0; r < place[t].size(); r++) {
        if (place[t].get(r) >= 0) {
          countBlocks(c, r, used);
        }
      }
      int depth = 0;
      for (int id = 0; id < used.size(); id++) {
        depth += used.get(id);
        used.set(id, depth > 0 ? next : -1);
        next = depth > 0 ? Math.addExact(next, 1) : next;
      }
      block[t] = used;
    }
    return next;
  }

  /** One more where a run begins, one less behind its end. */
  private static void countBlocks(TraceColumns c, int r, IntColumn used) {
    for (int run = c.runStart.get(r); run < c.runStart.get(r + 1); run++) {
      int first = c.runFirst.get(run);
      used.increase(first, 1);
      used.increase(first + c.runLength.get(run), -1);
    }
    int partial = c.partial == null ? -1 : c.partial.get(r);
    if (partial >= 0) {
      used.increase(partial, 1);
      used.increase(partial + 1, -1);
    }
  }

  private void sessions() {
    int count = 0;
    for (int p = 0; p < row.size(); p++) {
      Trace from = traces.get(trace.get(p));
      IntColumn numbers = session[trace.get(p)];
      int s = from.session(row.get(p));
      if (numbers.get(s) < 0) {
        numbers.set(s, count++);
      }
      out.session.add(numbers.get(s));
      out.turn.add(from.turn(row.get(p)));
    }
    out.sessionStart = IntColumn.filled(count + 1, 0);
    for (int p = 0; p < row.size(); p++) {
      out.sessionStart.increase(out.session.get(p) + 1, 1);
    }
    out.listSessions();
    out.parent = IntColumn.filled(count, -1);
    out.root = IntColumn.filled(count, 0);
    for (int t = 0; t < session.length; t++) {
      Trace from = traces.get(t);
      for (int s = 0; s < session[t].size(); s++) {
        int number = session[t].get(s);
        if (number >= 0) {
          int parent = from.parentSession(s);
          out.parent.set(number, parent < 0 ? -1 : session[t].get(parent));
          out.root.set(number, session[t].get(from.rootSession(s)));
        }
      }
    }
  }

  private void numbers() {
    SparseColumn priority = new SparseColumn(0);
    SparseColumn partial = new SparseColumn(-1);
    SparseColumn cached = new SparseColumn(-1);
    SparseColumn ttft = new SparseColumn(Trace.NO_TIME);
    SparseColumn total = new SparseColumn(Trace.NO_TIME);
    for (int p = 0; p < row.size(); p++) {
      Trace from = traces.get(trace.get(p));
      int r = row.get(p);
      out.input.add(from.inputTokens(r));
      out.output.add(from.outputTokens(r));
      out.identified.add(from.identifiedBlocks(r));
      out.named.add(from.namedBlocks(r));
      out.arrival.add(from.arrivalNanos(r));
      priority.set(p, from.priority(r));
      int named = from.partialBlock(r);
      partial.set(p, named < 0 ? -1 : block[trace.get(p)].get(named));
      cached.set(p, from.recordedCachedTokens(r));
      ttft.set(p, from.recordedTtftNanos(r));
      total.set(p, from.recordedTotalNanos(r));
    }
    out.priority = priority.ints(row.size());
    out.partial = partial.ints(row.size());
    out.cached = cached.ints(row.size());
    out.ttft = ttft.longs(row.size());
    out.total = total.longs(row.size());
  }

  private void runs() {
    RunColumn runs = new RunColumn();
    out.runStart = new IntColumn();
    for (int p = 0; p < row.size(); p++) {
      TraceColumns c = traces.get(trace.get(p)).columns();
      IntColumn numbers = block[trace.get(p)];
      int r = row.get(p);
      out.runStart.add(runs.size());
      copyRuns(runs, c, numbers, c.runStart.get(r), c.promptRunEnd.get(r));
      out.promptRunEnd.add(runs.size());
      copyRuns(runs, c, numbers, c.promptRunEnd.get(r), c.runStart.get(r + 1));
    }
    out.runStart.add(runs.size());
    out.runFirst = runs.firsts();
    out.runLength = runs.lengths();
  }

  /** Used blocks stay consecutive, so that a run is a run. */
  private static void copyRuns(
      RunColumn runs, TraceColumns c, IntColumn numbers, int from, int to) {
    runs.startList();
    for (int run = from; run < to; run++) {
      runs.add(numbers.get(c.runFirst.get(run)), c.runLength.get(run));
    }
  }

  private void edges() {
    for (int p = 0; p < row.size(); p++) {
      int t = trace.get(p);
      TraceColumns c = traces.get(t).columns();
      int r = row.get(p);
      for (int e = c.edgeStart.get(r); e < c.edgeStart.get(r + 1); e++) {
        int before = place[t].get(c.edgeFrom.get(e));
        if (before >= 0) {
          out.edgeFrom.add(before);
          out.edgeDelay.add(c.edgeDelay.get(e));
        }
      }
      out.edgeStart.add(out.edgeFrom.size());
      if (out.edgeStart.get(p) == out.edgeFrom.size() && out.arrival.get(p) == Trace.NO_TIME) {
        out.arrival.set(p, starts(t).get(r));
      }
    }
  }

  private LongColumn starts(int t) {
    LongColumn known = starts[t];
    if (known == null) {
      known = StartTimes.of(traces.get(t));
      starts[t] = known;
    }
    return known;
  }

  private void texts() {
    int n = row.size();
    LabelColumn model = new LabelColumn();
    LabelColumn adapter = new LabelColumn();
    LabelColumn worker = new LabelColumn();
    LabelColumn finish = new LabelColumn();
    LabelColumn tools = new LabelColumn();
    TextIndex requestIds = new TextIndex();
    SparseColumn requestText = new SparseColumn(-1);
    for (int p = 0; p < n; p++) {
      Trace from = traces.get(trace.get(p));
      int r = row.get(p);
      model.set(p, from.model(r));
      adapter.set(p, from.adapter(r));
      worker.set(p, from.recordedWorker(r));
      finish.set(p, from.recordedFinishReason(r));
      tools.set(p, from.recordedTools(r));
      String id = JsonLines.givenId(from, r);
      if (id != null) {
        requestText.set(p, distinct(requestIds, id, trace.get(p)));
      }
    }
    out.model = model.labels(n);
    out.adapter = adapter.labels(n);
    out.worker = worker.labels(n);
    out.finishReason = finish.labels(n);
    out.tools = tools.labels(n);
    out.requestIds = requestIds.column();
    out.requestText = requestText.ints(n);
    sessionTexts();
  }

  private void sessionTexts() {
    TextIndex ids = new TextIndex();
    SparseColumn texts = new SparseColumn(-1);
    for (int t = 0; t < session.length; t++) {
      Trace from = traces.get(t);
      for (int s = 0; s < session[t].size(); s++) {
        if (session[t].get(s) >= 0 && JsonLines.hasGivenId(from, s)) {
          texts.set(session[t].get(s), distinct(ids, from.sessionId(s), t));
        }
      }
    }
    out.sessionIds = ids.column();
    out.sessionText = texts.ints(out.parent.size());
  }

  /** An id that an earlier trace has too gets this one's number in front. */
  private static int distinct(TextIndex ids, String id, int trace) {
    String text = id;
    while (ids.find(text) >= 0) {
      text = (trace + 1) + ":" + text;
    }
    return ids.add(text);
  }
}
