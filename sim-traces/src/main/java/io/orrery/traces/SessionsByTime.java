package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/** The requests of each session under construction by arrival; equal stamps keep file order. */
final class SessionsByTime {
  private final IntColumn start;
  private final IntColumn requests;

  SessionsByTime(TraceAssembler assembler) {
    IntColumn order = StableOrder.of(assembler.arrival);
    int sessions = assembler.sessions.count();
    start = IntColumn.filled(sessions + 1, 0);
    for (int i = 0; i < order.size(); i++) {
      start.increase(assembler.session.get(i) + 1, 1);
    }
    for (int s = 0; s < sessions; s++) {
      start.increase(s + 1, start.get(s));
    }
    IntColumn next = start.copy();
    requests = IntColumn.filled(order.size(), 0);
    for (int i = 0; i < order.size(); i++) {
      int r = order.get(i);
      int session = assembler.session.get(r);
      requests.set(next.get(session), r);
      next.increase(session, 1);
    }
    next.release();
    order.release();
  }

  /** Place of the session's first request. */
  int start(int session) {
    return start.get(session);
  }

  /** Place behind the session's last request. */
  int end(int session) {
    return start.get(session + 1);
  }

  /** The request at a place. */
  int request(int place) {
    return requests.get(place);
  }

  /** The session's last request. */
  int last(int session) {
    return request(end(session) - 1);
  }
}
