package io.orrery.traces;

import java.util.StringJoiner;

/** A request's edges as text for assertions: {@code COMPLETION a#0 +5 ms}, joined by commas. */
final class EdgeText {
  private EdgeText() {}

  static String of(Trace trace, String requestId) {
    return of(trace, indexOf(trace, requestId));
  }

  static String of(Trace trace, int r) {
    StringJoiner text = new StringJoiner(", ");
    for (int e = trace.edgeStart(r); e < trace.edgeEnd(r); e++) {
      double millis = trace.edgeDelayNanos(e) / 1e6;
      String delay =
          millis == (long) millis ? Long.toString((long) millis) : Double.toString(millis);
      text.add(
          trace.edgeTrigger(e) + " " + trace.requestId(trace.edgeFrom(e)) + " +" + delay + " ms");
    }
    return text.toString();
  }

  static int indexOf(Trace trace, String requestId) {
    for (int r = 0; r < trace.requestCount(); r++) {
      if (trace.requestId(r).equals(requestId)) {
        return r;
      }
    }
    throw new AssertionError("no request " + requestId);
  }
}
