package io.orrery.traces;

import static io.orrery.traces.OrreryColumns.*;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.parquet.IntLists;
import io.orrery.parquet.LongLists;
import io.orrery.parquet.ParquetTable;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Appends row groups of {@linkplain OrreryColumns Orrery's own format} to the columns of a trace.
 */
final class OrreryRows {
  private final String name;
  private final TraceColumns c;
  private int rows;

  private final SparseColumn priority = new SparseColumn(0);
  private final SparseColumn partial = new SparseColumn(-1);
  private final SparseColumn cached = new SparseColumn(-1);
  private final SparseColumn ttft = new SparseColumn(Trace.NO_TIME);
  private final SparseColumn total = new SparseColumn(Trace.NO_TIME);
  private final LabelColumn model = new LabelColumn();
  private final LabelColumn adapter = new LabelColumn();
  private final LabelColumn worker = new LabelColumn();
  private final LabelColumn finishReason = new LabelColumn();
  private final LabelColumn tools = new LabelColumn();
  private final SparseColumn requestText = new SparseColumn(-1);
  private final SparseColumn sessionText = new SparseColumn(-1);

  /**
   * Rows of a file.
   *
   * @param name the file's, for messages
   * @param columns without rows
   */
  OrreryRows(String name, TraceColumns columns) {
    this.name = name;
    c = columns;
  }

  /** Appends a row group. */
  void add(ParquetTable table) {
    addAll(c.arrival, table.longs(ARRIVAL, Trace.NO_TIME));
    addAll(c.input, table.ints(INPUT));
    addAll(c.output, table.ints(OUTPUT));
    addAll(c.identified, table.ints(IDENTIFIED));
    set(priority, table.ints(PRIORITY));
    setInts(partial, table, PARTIAL);
    setInts(cached, table, CACHED);
    setLongs(ttft, table, TTFT);
    setLongs(total, table, TOTAL);
    set(model, table, MODEL);
    set(adapter, table, ADAPTER);
    set(worker, table, WORKER);
    set(finishReason, table, FINISH);
    set(tools, table, TOOLS);
    addIds(table);
    addRuns(table);
    addEdges(table);
    addSessions(table);
    rows += table.rowCount();
  }

  /** Completes the columns. */
  void finish() {
    c.priority = priority.ints(rows);
    c.partial = partial.ints(rows);
    c.cached = cached.ints(rows);
    c.ttft = ttft.longs(rows);
    c.total = total.longs(rows);
    c.model = model.labels(rows);
    c.adapter = adapter.labels(rows);
    c.worker = worker.labels(rows);
    c.finishReason = finishReason.labels(rows);
    c.tools = tools.labels(rows);
    c.requestText = requestText.ints(rows);
    c.sessionText = sessionText.ints(c.parent.size());
    c.listSessions();
    c.root = roots();
  }

  private static void addAll(IntColumn column, int[] values) {
    column.addAll(values, 0, values.length);
  }

  private static void addAll(LongColumn column, long[] values) {
    column.addAll(values, 0, values.length);
  }

  private void set(SparseColumn column, int[] values) {
    for (int i = 0; i < values.length; i++) {
      column.set(rows + i, values[i]);
    }
  }

  private void setInts(SparseColumn column, ParquetTable table, String name) {
    if (table.hasValues(name)) {
      set(column, table.ints(name, -1));
    }
  }

  private void setLongs(SparseColumn column, ParquetTable table, String name) {
    if (table.hasValues(name)) {
      long[] values = table.longs(name, Trace.NO_TIME);
      for (int i = 0; i < values.length; i++) {
        column.set(rows + i, values[i]);
      }
    }
  }

  private void set(LabelColumn labels, ParquetTable table, String column) {
    if (table.schema().find(column) != null && table.hasValues(column)) {
      @Nullable String[] texts = table.nullableStrings(column);
      for (int i = 0; i < texts.length; i++) {
        labels.set(rows + i, texts[i]);
      }
    }
  }

  private void addIds(ParquetTable table) {
    if (!table.hasValues(REQUEST_ID)) {
      return;
    }
    @Nullable String[] ids = table.nullableStrings(REQUEST_ID);
    for (int i = 0; i < ids.length; i++) {
      String id = ids[i];
      if (id != null) {
        requestText.set(rows + i, c.requestIds.size());
        c.requestIds.add(id.getBytes(UTF_8));
      }
    }
  }

  private void addRuns(ParquetTable table) {
    IntLists first = table.intLists(RUN_FIRST);
    IntLists length = table.intLists(RUN_LENGTH);
    sameShape(RUN_LENGTH, first.offsets(), length.offsets());
    int[] offsets = first.offsets();
    int[] lengths = length.values();
    int[] promptRuns = table.ints(PROMPT_RUNS);
    int before = c.runFirst.size();
    for (int i = 0; i < promptRuns.length; i++) {
      if (promptRuns[i] < 0 || promptRuns[i] > first.length(i)) {
        throw wrongRow(PROMPT_RUNS, i, promptRuns[i], "0 to " + first.length(i));
      }
      c.promptRunEnd.add(before + offsets[i] + promptRuns[i]);
      c.runStart.add(before + offsets[i + 1]);
      long named = 0;
      for (int run = offsets[i]; run < offsets[i + 1]; run++) {
        named += lengths[run];
      }
      c.named.add((int) Math.min(Integer.MAX_VALUE, named));
    }
    addAll(c.runFirst, first.values());
    addAll(c.runLength, lengths);
  }

  private void addEdges(ParquetTable table) {
    IntLists from = table.intLists(WAIT_FOR);
    IntLists trigger = table.intLists(WAIT_TRIGGER);
    LongLists delay = table.longLists(WAIT_NANOS);
    sameShape(WAIT_TRIGGER, from.offsets(), trigger.offsets());
    sameShape(WAIT_NANOS, from.offsets(), delay.offsets());
    int before = c.edgeFrom.size();
    for (int i = 1; i < from.offsets().length; i++) {
      c.edgeStart.add(before + from.offsets()[i]);
    }
    addAll(c.edgeFrom, from.values());
    long[] delays = delay.values();
    for (int e = 0; e < delays.length; e++) {
      int kind = trigger.values()[e];
      if ((kind != 0 && kind != 1) || delays[e] < 0) {
        throw wrong(
            kind == 0 || kind == 1 ? WAIT_NANOS : WAIT_TRIGGER,
            Long.toString(kind == 0 || kind == 1 ? delays[e] : kind),
            "a wait of at least 0 ns after a completion (0) or a dispatch (1)");
      }
      c.edgeDelay.add(kind == 1 ? ~delays[e] : delays[e]);
    }
  }

  private void addSessions(ParquetTable table) {
    int[] sessions = table.ints(SESSION);
    @Nullable String[] ids = table.nullableStrings(SESSION_ID);
    int[] parents = table.ints(PARENT, -1);
    for (int i = 0; i < sessions.length; i++) {
      int session = sessions[i];
      int known = c.parent.size();
      if (session < 0 || session > known) {
        throw wrongRow(SESSION, i, session, "0 to " + known + ", in order of first rows");
      }
      if (session == known) {
        c.parent.add(parents[i]);
        c.sessionStart.add(0);
        String id = ids[i];
        if (id != null) {
          sessionText.set(session, c.sessionIds.size());
          c.sessionIds.add(id.getBytes(UTF_8));
        }
      }
      c.session.add(session);
      c.turn.add(c.sessionStart.get(session + 1));
      c.sessionStart.increase(session + 1, 1);
    }
  }

  private IntColumn roots() {
    int count = c.parent.size();
    for (int s = 0; s < count; s++) {
      if (c.parent.get(s) >= count) {
        throw wrongParent(c.parent.get(s));
      }
    }
    SessionRoots roots = new SessionRoots(c.parent);
    if (roots.onCycle() >= 0) {
      throw wrongParent(roots.onCycle());
    }
    return roots.roots();
  }

  private TraceException wrongParent(int parent) {
    return wrong(PARENT, Integer.toString(parent), "a session, without a cycle");
  }

  private void sameShape(String column, int[] offsets, int[] others) {
    if (!Arrays.equals(offsets, others)) {
      throw wrong(column, "lists of other lengths", "lists as long as those beside them");
    }
  }

  private TraceException wrong(String field, String value, String expected) {
    return new TraceException(name, 0, field, value, expected);
  }

  private TraceException wrongRow(String column, int row, long value, String expected) {
    return wrong(column, value + " in row " + (rows + row), expected);
  }
}
