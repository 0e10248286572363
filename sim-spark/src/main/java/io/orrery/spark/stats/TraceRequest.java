package io.orrery.spark.stats;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.jspecify.annotations.Nullable;

/**
 * A row of a trace.
 *
 * @param row its number
 * @param parent session that started this one, in a session's first row; -1 elsewhere
 * @param arrivalNanos -1 where it is not recorded, as for all times
 * @param identified full prompt blocks with an identity
 * @param promptRuns how many of the runs are the prompt's
 * @param partial block at the prompt's end that is not full, -1 for none
 */
record TraceRequest(
    int row,
    int session,
    int parent,
    long arrivalNanos,
    long totalNanos,
    int input,
    int output,
    int identified,
    int promptRuns,
    int[] runFirst,
    int[] runLength,
    int partial,
    int[] waitFor,
    int[] waitTrigger,
    long[] waitNanos,
    @Nullable String finishReason,
    @Nullable String tools)
    implements Serializable {
  /** What is read of a file, in the order of {@link #of}. */
  static Column[] columns() {
    return List.of(
            "_metadata.row_index",
            "session",
            "parent_session",
            "arrival_nanos",
            "total_nanos",
            "input_tokens",
            "output_tokens",
            "prompt_blocks",
            "prompt_runs",
            "run_first",
            "run_length",
            "partial_block",
            "wait_for",
            "wait_trigger",
            "wait_nanos",
            "finish_reason",
            "tools")
        .stream()
        .map(functions::col)
        .toArray(Column[]::new);
  }

  static TraceRequest of(Row row) {
    return new TraceRequest(
        Math.toIntExact(row.getLong(0)),
        row.getInt(1),
        row.isNullAt(2) ? -1 : row.getInt(2),
        row.isNullAt(3) ? -1 : row.getLong(3),
        row.isNullAt(4) ? -1 : row.getLong(4),
        row.getInt(5),
        row.getInt(6),
        row.getInt(7),
        row.getInt(8),
        ints(row, 9),
        ints(row, 10),
        row.isNullAt(11) ? -1 : row.getInt(11),
        ints(row, 12),
        ints(row, 13),
        row.<Long>getList(14).stream().mapToLong(Long::longValue).toArray(),
        row.getString(15),
        row.getString(16));
  }

  private static int[] ints(Row row, int column) {
    return row.<Integer>getList(column).stream().mapToInt(Integer::intValue).toArray();
  }
}
