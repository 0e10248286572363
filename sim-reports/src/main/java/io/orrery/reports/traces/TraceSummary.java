package io.orrery.reports.traces;

import io.orrery.reports.TraceDescription;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceProvenance;
import io.orrery.traces.TraceStatistics;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Concurrency;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.TraceAnalysis;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a trace in numbers: all of {@link TraceAnalysis} but the samples.
 *
 * @param provenance where the trace comes from
 * @param description the same for machines
 * @param sharedClock whether its sessions have a clock in common
 * @param spanNanos from the first start to the last; of the longest session without a common clock
 * @param distributions of what is known, in the numbers' own units
 * @param sessions how many session trees were alive at once, null where nobody knows
 * @param inFlight how many requests were, null where nobody knows
 * @param reuse what caches would find, null where blocks are unknown
 */
public record TraceSummary(
    TraceProvenance provenance,
    TraceDescription description,
    boolean sharedClock,
    TraceStatistics counts,
    long spanNanos,
    Map<TraceNumber, Distribution> distributions,
    @Nullable Concurrency sessions,
    @Nullable Concurrency inFlight,
    @Nullable BlockReuse reuse) {
  /** A summary. */
  public TraceSummary {
    EnumMap<TraceNumber, Distribution> inOrder = new EnumMap<>(TraceNumber.class);
    inOrder.putAll(distributions);
    distributions = Collections.unmodifiableMap(inOrder);
  }

  /** Of a trace that has been analysed. */
  public static TraceSummary of(TraceAnalysis analysis) {
    Trace trace = analysis.trace();
    Map<TraceNumber, Distribution> distributions = new EnumMap<>(TraceNumber.class);
    TraceNumbers.rows(analysis).forEach(row -> distributions.put(row.number(), row.numbers()));
    return new TraceSummary(
        trace.provenance(),
        TraceDescription.of(trace),
        trace.sharedClock(),
        analysis.counts(),
        analysis.spanNanos(),
        distributions,
        analysis.sessions(),
        analysis.inFlight(),
        analysis.reuse());
  }
}
