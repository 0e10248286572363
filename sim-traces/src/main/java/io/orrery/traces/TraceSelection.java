package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import io.orrery.traces.synthesis.RandomStream;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

  /**
   * One of so many parts of a trace: a root session with all that it started belongs to the part
   * that the hash of its id says. A part without sessions is empty.
   *
   * @param part from 0
   */
  public static Optional<Trace> part(Trace trace, int part, int parts) {
    BitSet chosen = new BitSet();
    int root = 0;
    for (int s = 0; s < trace.sessionCount(); s++) {
      if (trace.parentSession(s) < 0) {
        chosen.set(root++, Long.remainderUnsigned(hash(trace.sessionId(s)), parts) == part);
      }
    }
    String note =
        String.format(Locale.ROOT, "Part %,d of %,d, by the hash of sessions.", part + 1, parts);
    return chosen.isEmpty() ? Optional.empty() : Optional.of(of(trace, chosen, note));
  }

  /** FNV-1a over UTF-8, mixed, so that neighbouring ids do not follow one another. */
  private static long hash(String id) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : id.getBytes(UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return hash ^ (hash >>> 33);
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
        List.of(trace), IntColumn.filled(rows.size(), 0), rows, trace.provenance().ofPart(note));
  }
}
