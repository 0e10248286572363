package io.orrery.traces;

import io.orrery.traces.synthesis.RandomStream;
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
    long[] keys = new long[roots];
    for (int i = 0; i < roots; i++) {
      keys[i] = (long) (new RandomStream(seed, "sample", i).uniform() * Long.MAX_VALUE);
    }
    int[] drawn = StableOrder.of(keys);
    boolean[] chosen = new boolean[roots];
    for (int i = 0; i < Math.min(sessions, roots); i++) {
      chosen[drawn[i]] = true;
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

  private static Trace of(Trace trace, boolean[] chosen, String note) {
    boolean[] session = new boolean[trace.sessionCount()];
    int root = 0;
    for (int s = 0; s < session.length; s++) {
      if (trace.parentSession(s) < 0) {
        session[s] = chosen[root++];
      }
    }
    IntColumn rows = new IntColumn();
    for (int r = 0; r < trace.requestCount(); r++) {
      if (session[trace.rootSession(trace.session(r))]) {
        rows.add(r);
      }
    }
    int[] chosenRows = rows.toArray();
    return TraceRows.of(
        List.of(trace), new int[chosenRows.length], chosenRows, trace.provenance().noting(note));
  }
}
