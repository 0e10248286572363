package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/** Opens the requests of Mooncake rows and lets the turns of a session follow each other. */
final class MooncakeTurns {
  private final TraceAssembler assembler;

  /** Per session: its last request, and its last one with a timestamp. */
  private final SparseColumn last = new SparseColumn(-1);

  private final SparseColumn lastStamped = new SparseColumn(-1);
  private long latest;

  MooncakeTurns(TraceAssembler assembler) {
    this.assembler = assembler;
  }

  /** The session's last request so far, -1 for none. */
  int lastOf(@Nullable String session) {
    int s = session == null ? -1 : assembler.sessions.find(session);
    return s < 0 ? -1 : (int) last.get(s);
  }

  /** Opens the row's request, with everything but its blocks. */
  int open(JsonRows rows, MooncakeRow row, int input) {
    String id = row.session;
    int known = id == null ? -1 : assembler.sessions.find(id);
    int previous = known < 0 ? -1 : (int) last.get(known);
    long stamp = row.stamp();
    if (stamp == Trace.NO_TIME && (previous < 0 || row.delay == Trace.NO_TIME)) {
      throw rows.wrong(
          "timestamp",
          "nothing",
          previous < 0 ? "a time in ms in a session's first row" : "a time in ms, or a delay");
    }
    int line = rows.rowLine();
    int s = known >= 0 ? known : open(id, line);
    int r = assembler.request(s, line);
    if (row.request != null) {
      assembler.requestId(r, row.request);
    }
    assembler.input(r, input);
    assembler.output(r, row.output);
    assembler.priority(r, row.priority);
    if (stamp != Trace.NO_TIME) {
      assembler.arrival(r, stamp);
      if (stamp < latest) {
        assembler.count("rows out of time order, sorted");
      }
      latest = Math.max(latest, stamp);
    }
    if (previous >= 0) {
      follow(r, s, previous, row);
    } else if (row.delay > 0) {
      assembler.count("delays in the first row of a session, without effect");
    }
    last.set(s, r);
    if (stamp != Trace.NO_TIME) {
      lastStamped.set(s, r);
    }
    return r;
  }

  private int open(@Nullable String id, int line) {
    return id == null ? assembler.session(line) : assembler.session(id, line);
  }

  private void follow(int r, int s, int previous, MooncakeRow row) {
    if (row.delay != Trace.NO_TIME) {
      assembler.edge(r, previous, EdgeTrigger.COMPLETION, row.delay);
      return;
    }
    assembler.count(TraceFindings.START_TO_START);
    int stamped = (int) lastStamped.get(s);
    if (stamped >= 0) {
      long gap = row.stamp() - assembler.arrival.get(stamped);
      if (gap < 0) {
        assembler.count("turns stamped before the turn they follow");
      }
      assembler.edge(r, stamped, EdgeTrigger.DISPATCH, Math.max(0, gap));
    }
    assembler.edge(r, previous, EdgeTrigger.COMPLETION, 0);
  }
}
