package io.orrery.traces;

import static io.orrery.traces.OrreryColumns.*;

import io.orrery.parquet.Column;
import io.orrery.parquet.ColumnAppender;
import io.orrery.parquet.ColumnType;
import io.orrery.parquet.ParquetWriter;
import io.orrery.parquet.Schema;
import io.orrery.parquet.WriteOptions;
import java.io.Closeable;
import java.nio.file.Path;

/**
 * Writes a trace in Orrery's own format row by row, so that it need not fit in memory. Rows must
 * come in the order of a {@link Trace}. Without {@link #commit} there is no file.
 */
public final class TraceRowWriter implements Closeable {
  private static final String CREATED_BY = "orrery";

  private final ParquetWriter writer;
  private final int blockSize;
  private final boolean sharedClock;
  private final boolean blocksKnown;

  // the file's columns, in order
  private final ColumnAppender requestId;
  private final ColumnAppender session;
  private final ColumnAppender sessionId;
  private final ColumnAppender parent;
  private final ColumnAppender arrival;
  private final ColumnAppender input;
  private final ColumnAppender output;
  private final ColumnAppender priority;
  private final ColumnAppender identified;
  private final ColumnAppender promptRuns;
  private final ColumnAppender runFirst;
  private final ColumnAppender runLength;
  private final ColumnAppender partial;
  private final ColumnAppender waitFor;
  private final ColumnAppender waitTrigger;
  private final ColumnAppender waitNanos;
  private final ColumnAppender ttft;
  private final ColumnAppender total;
  private final ColumnAppender cached;
  private final ColumnAppender model;
  private final ColumnAppender adapter;
  private final ColumnAppender worker;
  private final ColumnAppender finish;
  private final ColumnAppender tools;

  // a row's lists
  private int[] firsts = new int[16];
  private int[] lengths = new int[16];
  private int[] sources = new int[16];
  private int[] triggers = new int[16];
  private long[] delays = new long[16];

  /**
   * Begins a file.
   *
   * @param sharedClock whether times of different sessions may be compared
   * @param blocksKnown whether prompts have block identities
   */
  public TraceRowWriter(Path file, int blockSize, boolean sharedClock, boolean blocksKnown) {
    writer = ParquetWriter.create(file, schema(), WriteOptions.of(CREATED_BY).inParallel());
    this.blockSize = blockSize;
    this.sharedClock = sharedClock;
    this.blocksKnown = blocksKnown;
    requestId = writer.column(REQUEST_ID);
    session = writer.column(SESSION);
    sessionId = writer.column(SESSION_ID);
    parent = writer.column(PARENT);
    arrival = writer.column(ARRIVAL);
    input = writer.column(INPUT);
    output = writer.column(OUTPUT);
    priority = writer.column(PRIORITY);
    identified = writer.column(IDENTIFIED);
    promptRuns = writer.column(PROMPT_RUNS);
    runFirst = writer.column(RUN_FIRST);
    runLength = writer.column(RUN_LENGTH);
    partial = writer.column(PARTIAL);
    waitFor = writer.column(WAIT_FOR);
    waitTrigger = writer.column(WAIT_TRIGGER);
    waitNanos = writer.column(WAIT_NANOS);
    ttft = writer.column(TTFT);
    total = writer.column(TOTAL);
    cached = writer.column(CACHED);
    model = writer.column(MODEL);
    adapter = writer.column(ADAPTER);
    worker = writer.column(WORKER);
    finish = writer.column(FINISH);
    tools = writer.column(TOOLS);
  }

  private static Schema schema() {
    return Schema.of(
        Column.nullable(REQUEST_ID, ColumnType.STRING),
        Column.required(SESSION, ColumnType.INT),
        Column.nullable(SESSION_ID, ColumnType.STRING),
        Column.nullable(PARENT, ColumnType.INT),
        Column.nullable(ARRIVAL, ColumnType.LONG),
        Column.required(INPUT, ColumnType.INT),
        Column.required(OUTPUT, ColumnType.INT),
        Column.required(PRIORITY, ColumnType.INT),
        Column.required(IDENTIFIED, ColumnType.INT),
        Column.required(PROMPT_RUNS, ColumnType.INT),
        Column.required(RUN_FIRST, ColumnType.INT_LIST),
        Column.required(RUN_LENGTH, ColumnType.INT_LIST),
        Column.nullable(PARTIAL, ColumnType.INT),
        Column.required(WAIT_FOR, ColumnType.INT_LIST),
        Column.required(WAIT_TRIGGER, ColumnType.INT_LIST),
        Column.required(WAIT_NANOS, ColumnType.LONG_LIST),
        Column.nullable(TTFT, ColumnType.LONG),
        Column.nullable(TOTAL, ColumnType.LONG),
        Column.nullable(CACHED, ColumnType.INT),
        Column.nullable(MODEL, ColumnType.STRING),
        Column.nullable(ADAPTER, ColumnType.STRING),
        Column.nullable(WORKER, ColumnType.STRING),
        Column.nullable(FINISH, ColumnType.STRING),
        Column.nullable(TOOLS, ColumnType.STRING));
  }

  /** Appends a row. */
  public void write(TraceRow row) {
    requestId.addNull();
    session.add(row.session());
    sessionId.addNull();
    addInt(parent, row.parent());
    addLong(arrival, row.arrivalNanos());
    input.add(row.inputTokens());
    output.add(row.outputTokens());
    priority.add(0);
    identified.add(row.promptBlocks());
    promptRuns.add(row.promptRuns());
    int runs = row.runs().length / 2;
    reserveRuns(runs);
    for (int i = 0; i < runs; i++) {
      firsts[i] = row.runs()[2 * i];
      lengths[i] = row.runs()[2 * i + 1];
    }
    addRuns(runs);
    partial.addNull();
    int waits = row.waitFor().length;
    reserveWaits(waits);
    for (int i = 0; i < waits; i++) {
      sources[i] = row.waitFor()[i];
      triggers[i] = row.afterDispatch()[i] ? 1 : 0;
      delays[i] = row.waitNanos()[i];
    }
    addWaits(waits);
    ttft.addNull();
    addLong(total, row.totalNanos());
    cached.addNull();
    model.addNull();
    adapter.addNull();
    worker.addNull();
    finish.add(row.finishReason());
    tools.addNull();
    writer.endRow();
  }

  /** Appends a request of a trace. */
  void write(Trace trace, int r) {
    int s = trace.session(r);
    boolean opens = trace.turn(r) == 0;
    requestId.add(JsonLines.givenId(trace, r));
    session.add(s);
    sessionId.add(opens && JsonLines.hasGivenId(trace, s) ? trace.sessionId(s) : null);
    addInt(parent, opens ? trace.parentSession(s) : -1);
    addLong(arrival, trace.arrivalNanos(r));
    input.add(trace.inputTokens(r));
    output.add(trace.outputTokens(r));
    priority.add(trace.priority(r));
    identified.add(trace.identifiedBlocks(r));
    promptRuns.add(trace.promptRunEnd(r) - trace.runStart(r));
    writeRuns(trace, r);
    addInt(partial, trace.partialBlock(r));
    writeWaits(trace, r);
    addLong(ttft, trace.recordedTtftNanos(r));
    addLong(total, trace.recordedTotalNanos(r));
    addInt(cached, trace.recordedCachedTokens(r));
    model.add(trace.model(r));
    adapter.add(trace.adapter(r));
    worker.add(trace.recordedWorker(r));
    finish.add(trace.recordedFinishReason(r));
    tools.add(trace.recordedTools(r));
    writer.endRow();
  }

  private void writeRuns(Trace trace, int r) {
    int start = trace.runStart(r);
    int runs = trace.runEnd(r) - start;
    reserveRuns(runs);
    for (int i = 0; i < runs; i++) {
      firsts[i] = trace.runFirst(start + i);
      lengths[i] = trace.runLength(start + i);
    }
    addRuns(runs);
  }

  private void writeWaits(Trace trace, int r) {
    int start = trace.edgeStart(r);
    int waits = trace.edgeEnd(r) - start;
    reserveWaits(waits);
    for (int i = 0; i < waits; i++) {
      sources[i] = trace.edgeFrom(start + i);
      triggers[i] = trace.edgeTrigger(start + i) == EdgeTrigger.DISPATCH ? 1 : 0;
      delays[i] = trace.edgeDelayNanos(start + i);
    }
    addWaits(waits);
  }

  private void reserveRuns(int runs) {
    if (runs > firsts.length) {
      firsts = new int[2 * runs];
      lengths = new int[2 * runs];
    }
  }

  private void addRuns(int runs) {
    runFirst.add(firsts, 0, runs);
    runLength.add(lengths, 0, runs);
  }

  private void reserveWaits(int waits) {
    if (waits > sources.length) {
      sources = new int[2 * waits];
      triggers = new int[2 * waits];
      delays = new long[2 * waits];
    }
  }

  private void addWaits(int waits) {
    waitFor.add(sources, 0, waits);
    waitTrigger.add(triggers, 0, waits);
    waitNanos.add(delays, 0, waits);
  }

  private static void addInt(ColumnAppender column, int value) {
    if (value < 0) {
      column.addNull();
    } else {
      column.add(value);
    }
  }

  private static void addLong(ColumnAppender column, long value) {
    if (value < 0) {
      column.addNull();
    } else {
      column.add(value);
    }
  }

  /**
   * Completes the file.
   *
   * @param blockCount number of distinct blocks
   */
  public void commit(long blockCount, TraceProvenance provenance) {
    writer.metadata(VERSION_KEY, Integer.toString(VERSION));
    writer.metadata(BLOCK_SIZE_KEY, Integer.toString(blockSize));
    writer.metadata(BLOCK_COUNT_KEY, Long.toString(blockCount));
    writer.metadata(SHARED_CLOCK_KEY, Boolean.toString(sharedClock));
    writer.metadata(BLOCKS_KNOWN_KEY, Boolean.toString(blocksKnown));
    writer.metadata(PROVENANCE_KEY, ProvenanceJson.write(provenance));
    writer.commit();
  }

  @Override
  public void close() {
    writer.close();
  }
}
