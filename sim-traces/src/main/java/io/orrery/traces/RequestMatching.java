package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.function.LongUnaryOperator;

/**
 * Which request of a second trace is which of a first one, as many in number: by what they are, one
 * criterion after the other, since a format may drop any of it and put rows into another order.
 * Requests that are alike are taken in their order.
 */
final class RequestMatching {
  private static final int NONE = -1;

  private final Trace first;
  private final Trace second;
  private final IntColumn match;
  private final IntColumn taken;

  private RequestMatching(Trace first, Trace second) {
    this.first = first;
    this.second = second;
    match = IntColumn.filled(first.requestCount(), NONE);
    taken = IntColumn.filled(first.requestCount(), 0);
  }

  /** The request of the second trace for each of the first. */
  static IntColumn of(Trace first, Trace second) {
    if (isInOrder(first, second)) {
      return ColumnOrder.upTo(first.requestCount());
    }
    RequestMatching matching = new RequestMatching(first, second);
    matching.match();
    matching.taken.release();
    return matching.match;
  }

  private static boolean isInOrder(Trace first, Trace second) {
    boolean ids = true;
    boolean numbers = true;
    for (int r = 0; r < first.requestCount() && (ids || numbers); r++) {
      ids &= first.requestId(r).equals(second.requestId(r));
      numbers &=
          first.inputTokens(r) == second.inputTokens(r)
              && first.outputTokens(r) == second.outputTokens(r)
              && first.arrivalNanos(r) == second.arrivalNanos(r)
              && first.turn(r) == second.turn(r);
    }
    return ids || numbers;
  }

  /** Names may be given anew, so at first they count only with the lengths. */
  private void match() {
    if (matchIds()) {
      return;
    }
    pair((trace, r) -> mixed(lengths(trace, r), hash(trace.requestId(r))));
    pair((trace, r) -> mixed(lengths(trace, r), mixed(session(trace, r), trace.turn(r))));
    pair((trace, r) -> mixed(lengths(trace, r), mixed(trace.arrivalNanos(r), trace.turn(r))));
    pair((trace, r) -> mixed(lengths(trace, r), trace.arrivalNanos(r)));
    pair((trace, r) -> mixed(lengths(trace, r), trace.turn(r)));
    pair(RequestMatching::lengths);
    pair((trace, r) -> hash(trace.requestId(r)));
    pair((trace, r) -> mixed(session(trace, r), trace.turn(r)));
    pair((trace, r) -> 0);
  }

  /** Where both traces have the same ids, nothing else is asked. */
  private boolean matchIds() {
    pair((trace, r) -> hash(trace.requestId(r)));
    boolean all = true;
    for (int r = 0; r < match.size() && all; r++) {
      all = match.get(r) != NONE && first.requestId(r).equals(second.requestId(match.get(r)));
    }
    for (int r = 0; r < match.size() && !all; r++) {
      match.set(r, NONE);
      taken.set(r, 0);
    }
    return all;
  }

  /** What requests are told apart by, as a number. */
  @FunctionalInterface
  private interface Key {
    long of(Trace trace, int r);
  }

  /** Pairs those that are left and have the same key, in their order. */
  private void pair(Key key) {
    IntColumn left = left(match, NONE);
    IntColumn right = left(taken, 0);
    LongColumn leftKeys = keys(left, r -> key.of(first, (int) r));
    LongColumn rightKeys = keys(right, r -> key.of(second, (int) r));
    IntColumn leftOrder = StableOrder.of(leftKeys);
    IntColumn rightOrder = StableOrder.of(rightKeys);
    int i = 0;
    int k = 0;
    while (i < left.size() && k < right.size()) {
      int a = leftOrder.get(i);
      int b = rightOrder.get(k);
      int which = Long.compare(leftKeys.get(a), rightKeys.get(b));
      if (which == 0) {
        match.set(left.get(a), right.get(b));
        taken.set(right.get(b), 1);
      }
      i += which <= 0 ? 1 : 0;
      k += which >= 0 ? 1 : 0;
    }
    for (IntColumn column : new IntColumn[] {left, right, leftOrder, rightOrder}) {
      column.release();
    }
    leftKeys.release();
    rightKeys.release();
  }

  private static IntColumn left(IntColumn column, int free) {
    IntColumn left = new IntColumn();
    for (int r = 0; r < column.size(); r++) {
      if (column.get(r) == free) {
        left.add(r);
      }
    }
    return left;
  }

  /** None is below 0, so that sorting and comparing agree. */
  private static LongColumn keys(IntColumn requests, LongUnaryOperator key) {
    LongColumn keys = new LongColumn();
    for (int i = 0; i < requests.size(); i++) {
      keys.add(key.applyAsLong(requests.get(i)) & Long.MAX_VALUE);
    }
    return keys;
  }

  private static long lengths(Trace trace, int r) {
    return mixed(trace.inputTokens(r), trace.outputTokens(r));
  }

  private static long session(Trace trace, int r) {
    return hash(trace.sessionId(trace.session(r)));
  }

  private static long hash(String text) {
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = mixed(hash, text.charAt(i));
    }
    return hash;
  }

  /** The finaliser of SplitMix64 over a step; two different pairs are hardly ever one number. */
  private static long mixed(long a, long b) {
    long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
