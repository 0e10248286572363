package io.orrery.engine.cluster;

import io.orrery.engine.record.RunColumns;
import io.orrery.traces.Trace;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/** Counts the requests of sessions down, so as to know when a session is over. */
final class SessionCountdown {
  private final Trace trace;
  private final RunColumns columns;
  private final IntPredicate leftOut;

  /** Of sessions of which some requests have ended: how many have not. */
  private final Map<Integer, Integer> requestsLeft = new TreeMap<>();

  /**
   * @param leftOut whether the request of a row is never sent
   */
  SessionCountdown(RequestKeys requestKeys, IntPredicate leftOut) {
    trace = requestKeys.trace();
    columns = requestKeys.columns();
    this.leftOut = leftOut;
  }

  /**
   * The request of a row has ended.
   *
   * @return the number of its session if that is over, else -1
   */
  int ended(int row) {
    int r = columns.request(row);
    int session = trace.session(r);
    int number = columns.copy(row) * trace.sessionCount() + session;
    Integer known = requestsLeft.get(number);
    int left = known == null ? requests(session, row - r) : known;
    if (left > 1) {
      requestsLeft.put(number, left - 1);
      return -1;
    }
    requestsLeft.remove(number);
    return number;
  }

  private int requests(int session, int firstRow) {
    int count = 0;
    for (int turn = 0; turn < trace.requestCount(session); turn++) {
      count += leftOut.test(firstRow + trace.request(session, turn)) ? 0 : 1;
    }
    return count;
  }
}
