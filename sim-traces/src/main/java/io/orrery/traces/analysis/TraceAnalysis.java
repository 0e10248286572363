package io.orrery.traces.analysis;

import io.orrery.traces.Computed;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.columns.LongColumn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All that is said about a trace.
 *
 * @param spanNanos from the first start to the last; of the longest session without a common clock
 * @param sessions how many session trees were alive at once; null without a common clock, or where
 *     nobody knows how long any was
 * @param inFlight how many requests were; null without a common clock or recorded durations
 * @param reuse null where blocks are unknown
 */
public record TraceAnalysis(
    Trace trace,
    TraceStatistics counts,
    Marginals marginals,
    long spanNanos,
    @Nullable Concurrency sessions,
    @Nullable Concurrency inFlight,
    @Nullable BlockReuse reuse) {
  private static final int MOST_STRETCHES = 10_000_000;

  /** Of a trace; reuse is counted by a second thread where there is a processor for it. */
  public static TraceAnalysis of(Trace trace) {
    boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
    Computed<BlockReuse> reuse =
        Computed.of(parallel && knowsBlocks(trace), () -> BlockReuse.of(trace));
    boolean timed = false;
    long span = 0;
    LongColumn starts = Starts.of(trace);
    for (int r = 0; r < starts.size(); r++) {
      timed |= trace.recordedTotalNanos(r) != Trace.NO_TIME;
      span = Math.max(span, starts.get(r));
    }
    return new TraceAnalysis(
        trace,
        TraceStatistics.of(trace),
        Marginals.of(trace),
        span,
        trace.sharedClock() && (timed || trace.sessionCount() < trace.requestCount())
            ? Concurrency.ofSessions(trace)
            : null,
        trace.sharedClock() && timed ? Concurrency.ofRequests(trace) : null,
        knowsBlocks(trace) ? reuse.get() : null);
  }

  private static boolean knowsBlocks(Trace trace) {
    return trace.blocksKnown() && trace.blockCount() > 0;
  }

  /**
   * How many requests start in each stretch of so long from the trace's beginning to its last
   * start; empty without a common clock, or where that is more than {@value #MOST_STRETCHES}
   * stretches.
   */
  public LongColumn starts(Duration stretch) {
    long stretches = spanNanos / stretch.toNanos() + 1;
    if (!trace.sharedClock() || stretches > MOST_STRETCHES) {
      return new LongColumn();
    }
    LongColumn counts = LongColumn.filled((int) stretches, 0);
    LongColumn starts = Starts.of(trace);
    for (int r = 0; r < starts.size(); r++) {
      counts.increase((int) (starts.get(r) / stretch.toNanos()), 1);
    }
    starts.release();
    return counts;
  }
}
