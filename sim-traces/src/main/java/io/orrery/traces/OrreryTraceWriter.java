package io.orrery.traces;

import static io.orrery.traces.OrreryColumns.*;

import io.orrery.parquet.IntLists;
import io.orrery.parquet.LongLists;
import io.orrery.parquet.ParquetTable;
import io.orrery.parquet.ParquetTableBuilder;
import io.orrery.parquet.ParquetWriter;
import io.orrery.parquet.WriteOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes {@linkplain OrreryColumns Orrery's own format}, which holds all that a trace does. */
final class OrreryTraceWriter implements TraceWriter {
  private static final String CREATED_BY = "orrery";

  @Override
  public String nameEnding() {
    return ".parquet";
  }

  @Override
  public TraceFormat format() {
    return TraceFormat.ORRERY;
  }

  @Override
  public List<String> losses(Trace trace) {
    return List.of();
  }

  @Override
  public void write(Trace trace, Path file) throws IOException {
    ParquetTable table = table(trace);
    ParquetWriter.writeTable(file, table, WriteOptions.of(CREATED_BY));
  }

  private static ParquetTable table(Trace trace) {
    TraceColumns c = trace.columns();
    int n = trace.requestCount();
    ParquetTableBuilder table = ParquetTable.builder();
    table.nullableStrings(REQUEST_ID, texts(c.requestText, c.requestIds, n));
    table.ints(SESSION, c.session);
    sessions(trace, table);
    table.longs(ARRIVAL, c.arrival, Trace.NO_TIME);
    table.ints(INPUT, c.input);
    table.ints(OUTPUT, c.output);
    table.ints(PRIORITY, c.priority == null ? new int[n] : c.priority);
    table.ints(IDENTIFIED, c.identified);
    int[] promptRuns = new int[n];
    for (int r = 0; r < n; r++) {
      promptRuns[r] = c.promptRunEnd[r] - c.runStart[r];
    }
    table.ints(PROMPT_RUNS, promptRuns);
    table.intLists(RUN_FIRST, new IntLists(c.runStart, c.runFirst));
    table.intLists(RUN_LENGTH, new IntLists(c.runStart, c.runLength));
    table.ints(PARTIAL, c.partial == null ? filled(n, -1) : c.partial, -1);
    edges(trace, table);
    table.longs(TTFT, c.ttft == null ? times(n) : c.ttft, Trace.NO_TIME);
    table.longs(TOTAL, c.total == null ? times(n) : c.total, Trace.NO_TIME);
    table.ints(CACHED, c.cached == null ? filled(n, -1) : c.cached, -1);
    table.nullableStrings(MODEL, labels(c.model, n));
    table.nullableStrings(ADAPTER, labels(c.adapter, n));
    table.nullableStrings(WORKER, labels(c.worker, n));
    table.nullableStrings(FINISH, labels(c.finishReason, n));
    table.nullableStrings(TOOLS, labels(c.tools, n));
    table.metadata(VERSION_KEY, Integer.toString(VERSION));
    table.metadata(BLOCK_SIZE_KEY, Integer.toString(c.blockSize));
    table.metadata(BLOCK_COUNT_KEY, Long.toString(c.blockCount));
    table.metadata(SHARED_CLOCK_KEY, Boolean.toString(c.sharedClock));
    table.metadata(BLOCKS_KNOWN_KEY, Boolean.toString(c.blocksKnown));
    table.metadata(PROVENANCE_KEY, ProvenanceJson.write(c.provenance));
    return table.build();
  }

  private static void sessions(Trace trace, ParquetTableBuilder table) {
    TraceColumns c = trace.columns();
    int n = trace.requestCount();
    @Nullable String[] ids = new String[n];
    int[] parents = filled(n, -1);
    for (int s = 0; s < trace.sessionCount(); s++) {
      int first = trace.firstRequest(s);
      int text = c.sessionText == null ? -1 : c.sessionText[s];
      ids[first] = text < 0 ? null : c.sessionIds.get(text);
      parents[first] = c.parent[s];
    }
    table.nullableStrings(SESSION_ID, ids);
    table.ints(PARENT, parents, -1);
  }

  private static void edges(Trace trace, ParquetTableBuilder table) {
    TraceColumns c = trace.columns();
    int[] triggers = new int[c.edgeFrom.length];
    long[] delays = new long[c.edgeFrom.length];
    for (int e = 0; e < triggers.length; e++) {
      triggers[e] = trace.edgeTrigger(e) == EdgeTrigger.DISPATCH ? 1 : 0;
      delays[e] = trace.edgeDelayNanos(e);
    }
    table.intLists(WAIT_FOR, new IntLists(c.edgeStart, c.edgeFrom));
    table.intLists(WAIT_TRIGGER, new IntLists(c.edgeStart, triggers));
    table.longLists(WAIT_NANOS, new LongLists(c.edgeStart, delays));
  }

  private static @Nullable String[] texts(int @Nullable [] numbers, TextColumn texts, int n) {
    @Nullable String[] result = new String[n];
    for (int r = 0; numbers != null && r < n; r++) {
      result[r] = numbers[r] < 0 ? null : texts.get(numbers[r]);
    }
    return result;
  }

  private static @Nullable String[] labels(LabelColumn.Labels labels, int n) {
    @Nullable String[] result = new String[n];
    for (int r = 0; r < n; r++) {
      result[r] = labels.get(r);
    }
    return result;
  }

  private static int[] filled(int n, int value) {
    int[] result = new int[n];
    Arrays.fill(result, value);
    return result;
  }

  private static long[] times(int n) {
    long[] result = new long[n];
    Arrays.fill(result, Trace.NO_TIME);
    return result;
  }
}
