package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import io.orrery.traces.synthesis.RandomStream;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;

/** Whole sessions of a trace, with the sessions that they started. */
public final class TraceSelection {
  private TraceSelection() {}

  /**
   * So many root sessions, drawn without replacement, with all below them. Which are drawn depends
   * on the seed and their number, so that more sessions contain the fewer.
   *
   * @param sessions at least 1; where there are not more, all
   */
  public static Trace sample(Trace trace, int sessions, long seed) {
    int roots = rootSessions(trace);
    LongColumn keys = new LongColumn();
    for (int i = 0; i < roots; i++) {
      keys.add((long) (new RandomStream(seed, "sample", i).uniform() * Long.MAX_VALUE));
    }
    IntColumn drawn = StableOrder.of(keys);
    BitSet chosen = new BitSet();
    for (int i = 0; i < Math.min(sessions, roots); i++) {
      chosen.set(drawn.get(i));
    }
    String note =
        String.format(
            Locale.ROOT,
            "Sampled: %,d of %,d root sessions, seed %d.",
            Math.min(sessions, roots),
            roots,
            seed);
    return of(trace, chosen, note);
  }

  /** How many sessions no other has started. */
  public static int rootSessions(Trace trace) {
    int roots = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      roots += trace.parentSession(s) < 0 ? 1 : 0;
    }
    return roots;
  }

  private static Trace of(Trace trace, BitSet chosen, String note) {
    BitSet session = new BitSet();
    int root = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) < 0) {
        session.set(s, chosen.get(root++));
      }
    }
    IntColumn rows = new IntColumn();
    for (int r = 0; r < trace.requestCount(); r++) {
      if (session.get(trace.rootSession(trace.session(r)))) {
        rows.add(r);
      }
    }
    return TraceRows.of(
        List.of(trace), IntColumn.filled(rows.size(), 0), rows, trace.provenance().noting(note));
  }
}
