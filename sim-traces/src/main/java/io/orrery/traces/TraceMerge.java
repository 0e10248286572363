package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several traces as one. */
public final class TraceMerge {
  private TraceMerge() {}

  /**
   * All requests of the traces: by start where the sessions share a clock, else one trace's
   * sessions after the other's. Blocks of different traces are different ones. An id that an
   * earlier trace has gets its own trace's number in front.
   *
   * @param traces at least one
   * @throws IllegalArgumentException where block sizes differ, or some sessions share a clock and
   *     others do not
   */
  public static Trace of(List<Trace> traces) {
    Trace first = traces.get(0);
    int blockSize = blockSize(traces);
    int count = 0;
    for (Trace trace : traces) {
      if (trace.blocksKnown() && trace.blockSize() != blockSize) {
        throw new IllegalArgumentException(
            "found blocks of "
                + blockSize
                + " and of "
                + trace.blockSize()
                + " tokens, expected one size");
      }
      if (trace.sharedClock() != first.sharedClock()) {
        throw new IllegalArgumentException(
            "found a trace whose sessions share a clock and one whose sessions do not, expected"
                + " one kind");
      }
      count = Math.addExact(count, trace.requestCount());
    }
    IntColumn which = new IntColumn();
    IntColumn row = new IntColumn();
    LongColumn keys = new LongColumn();
    for (int t = 0; t < traces.size(); t++) {
      @Nullable LongColumn own = first.sharedClock() ? TraceRows.startKeys(traces.get(t)) : null;
      for (int r = 0; r < traces.get(t).requestCount(); r++) {
        which.add(t);
        row.add(r);
        keys.add(own == null ? 0 : own.get(r));
      }
    }
    IntColumn order = StableOrder.of(keys);
    return TraceRows.of(traces, picked(which, order), picked(row, order), provenance(traces));
  }

  /** That of the first trace whose prompts have blocks; without them the size does not matter. */
  static int blockSize(List<Trace> traces) {
    return traces.stream().filter(Trace::blocksKnown).findFirst().orElse(traces.get(0)).blockSize();
  }

  private static IntColumn picked(IntColumn values, IntColumn order) {
    IntColumn result = new IntColumn();
    for (int i = 0; i < order.size(); i++) {
      result.add(values.get(order.get(i)));
    }
    return result;
  }

  private static TraceProvenance provenance(List<Trace> traces) {
    TraceProvenance first = traces.get(0).provenance();
    List<TraceProvenance.SourceFile> files = new ArrayList<>();
    Map<String, Long> counters = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    boolean same = true;
    for (Trace trace : traces) {
      TraceProvenance other = trace.provenance();
      files.addAll(other.files());
      other.counters().forEach((what, times) -> counters.merge(what, times, Long::sum));
      other.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
      same &= other.format().equals(first.format());
    }
    notes.add(
        "Merged from "
            + traces.size()
            + " traces: blocks of different ones are different, whatever their names.");
    return new TraceProvenance(
        same ? first.format() : "merged",
        files,
        blockSize(traces),
        same ? first.timeUnit() : "ns",
        same ? first.partialBlockRule() : "as in the traces that were merged",
        same ? first.timeBasis() : "as in the traces that were merged",
        same ? first.turnSemantics() : "as in the traces that were merged",
        counters,
        notes);
  }
}
