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

  /**
   * Begins a file.
   *
   * @param sharedClock whether times of different sessions may be compared
   * @param blocksKnown whether prompts have block identities
   */
  public TraceRowWriter(Path file, int blockSize, boolean sharedClock, boolean blocksKnown) {
    writer = ParquetWriter.create(file, schema(), WriteOptions.of(CREATED_BY));
    this.blockSize = blockSize;
    this.sharedClock = sharedClock;
    this.blocksKnown = blocksKnown;
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
    column(REQUEST_ID).addNull();
    column(SESSION).add(row.session());
    column(SESSION_ID).addNull();
    orNull(PARENT, row.parent());
    orNull(ARRIVAL, row.arrivalNanos());
    column(INPUT).add(row.inputTokens());
    column(OUTPUT).add(row.outputTokens());
    column(PRIORITY).add(0);
    column(IDENTIFIED).add(row.promptBlocks());
    column(PROMPT_RUNS).add(row.promptRuns());
    int runs = row.runs().length / 2;
    int[] firsts = new int[runs];
    int[] lengths = new int[runs];
    for (int i = 0; i < runs; i++) {
      firsts[i] = row.runs()[2 * i];
      lengths[i] = row.runs()[2 * i + 1];
    }
    column(RUN_FIRST).add(firsts, 0, runs);
    column(RUN_LENGTH).add(lengths, 0, runs);
    column(PARTIAL).addNull();
    int waits = row.waitFor().length;
    int[] triggers = new int[waits];
    for (int i = 0; i < waits; i++) {
      triggers[i] = row.afterDispatch()[i] ? 1 : 0;
    }
    column(WAIT_FOR).add(row.waitFor(), 0, waits);
    column(WAIT_TRIGGER).add(triggers, 0, waits);
    column(WAIT_NANOS).add(row.waitNanos(), 0, waits);
    column(TTFT).addNull();
    orNull(TOTAL, row.totalNanos());
    column(CACHED).addNull();
    column(MODEL).addNull();
    column(ADAPTER).addNull();
    column(WORKER).addNull();
    column(FINISH).add(row.finishReason());
    column(TOOLS).addNull();
    writer.endRow();
  }

  private ColumnAppender column(String name) {
    return writer.column(name);
  }

  private void orNull(String name, long value) {
    if (value < 0) {
      column(name).addNull();
    } else if (name.equals(PARENT)) {
      column(name).add((int) value);
    } else {
      column(name).add(value);
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
