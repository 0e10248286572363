package io.orrery.traces;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The last step of building a trace: puts requests and sessions into their final order and numbers.
 */
final class TraceAssembly {
  /**
   * The latest start after the trace's origin that recorded times and waits alone may lead to, in
   * ns: about 73 years. Three times as much is left for the time that the requests take.
   */
  static final long LATEST_START = 1L << 61;

  private static final double NANOS_PER_S = 1e9;

  private final TraceAssembler in;
  private final TraceColumns out;
  private final EdgeTable.Grouped edges;

  /** Final order: the request at each place. */
  private final int[] order;

  /** Place of each request. */
  private final int[] place;

  TraceAssembly(TraceAssembler in, TraceProvenance provenance) {
    this.in = in;
    out = new TraceColumns(in.blockSize(), in.blockIds().count(), in.isSharedClock(), provenance);
    edges = in.edges.grouped();
    int[] ready = new int[in.requestCount()];
    int stuck = edges.onCycle(ready);
    if (stuck >= 0) {
      throw in.wrong(
          stuck, "waits for", "itself through other requests", "waiting without a cycle");
    }
    checkStarts(ready);
    order =
        in.isSharedClock()
            ? StableOrder.of(in.isTurnsByArrival() ? startKeys(ready) : dispatchKeys())
            : sessionOrder();
    place = new int[order.length];
    for (int p = 0; p < order.length; p++) {
      place[order[p]] = p;
    }
  }

  Trace trace() {
    int[] parents = in.sessions.parents();
    int[] roots = in.sessions.roots(parents);
    int[] sessionNumber = sessionNumbers();
    requests(sessionNumber);
    sessions(sessionNumber, parents, roots);
    turns();
    edges();
    new CompletionNaming(in, order, out).name();
    return new Trace(out);
  }

  /**
   * Sums waits along the longest path to each request, so that no clock that counts ns in a long
   * can overflow.
   *
   * @param ready the requests, each after those that it waits for
   */
  private void checkStarts(int[] ready) {
    long[] earliest = new long[ready.length];
    for (int r : ready) {
      long start = Math.max(0, in.arrival.get(r));
      if (start > LATEST_START) {
        throw tooLate(r, "arrival", seconds(start));
      }
      for (int e = edges.start()[r]; e < edges.start()[r + 1]; e++) {
        long before = earliest[edges.from()[e]];
        long delay = EdgeTable.Grouped.delay(edges.codedDelay()[e]);
        if (delay > LATEST_START - before) {
          throw tooLate(
              r, "delay", seconds(delay) + " after a request that starts at " + seconds(before));
        }
        start = Math.max(start, before + delay);
      }
      earliest[r] = start;
    }
  }

  private TraceException tooLate(int request, String field, String value) {
    return in.wrong(
        request,
        field,
        value,
        "starts within "
            + seconds(LATEST_START)
            + " (73 years) of the trace's first, waits summed");
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.0f s", nanos / NANOS_PER_S);
  }

  /** When a request would start if everything took no time but the recorded waits. */
  private long[] dispatchKeys() {
    long[] keys = new long[in.requestCount()];
    for (int r = 0; r < keys.length; r++) {
      long key = in.arrival.get(r);
      if (key == Trace.NO_TIME) {
        for (int e = edges.start()[r]; e < edges.start()[r + 1]; e++) {
          int from = edges.from()[e];
          if (from < r) {
            long start = keys[from] + EdgeTable.Grouped.delay(edges.codedDelay()[e]);
            key = Math.max(key, Math.min(LATEST_START, start));
          }
        }
      }
      if (in.previousInSession(r) >= 0) {
        key = Math.max(key, keys[in.previousInSession(r)]);
      }
      keys[r] = Math.max(0, key);
    }
    return keys;
  }

  /**
   * The same where a session's turns need not stand in file order.
   *
   * @param ready the requests, each after those that it waits for
   */
  private long[] startKeys(int[] ready) {
    long[] keys = new long[ready.length];
    for (int r : ready) {
      long key = in.arrival.get(r);
      if (key == Trace.NO_TIME) {
        for (int e = edges.start()[r]; e < edges.start()[r + 1]; e++) {
          long delay = EdgeTable.Grouped.delay(edges.codedDelay()[e]);
          key = Math.max(key, Math.min(LATEST_START, keys[edges.from()[e]] + delay));
        }
      }
      keys[r] = Math.max(0, key);
    }
    return keys;
  }

  /** Sessions in the order of their opening, each session's requests in file order. */
  private int[] sessionOrder() {
    int[] next = new int[in.sessions.count() + 1];
    for (int r = 0; r < in.requestCount(); r++) {
      next[in.session.get(r) + 1]++;
    }
    for (int s = 0; s < in.sessions.count(); s++) {
      next[s + 1] += next[s];
    }
    int[] result = new int[in.requestCount()];
    for (int r = 0; r < result.length; r++) {
      result[next[in.session.get(r)]++] = r;
    }
    return result;
  }

  /**
   * Final number of each session: by its first request. Without a shared clock that is the order of
   * opening.
   */
  private int[] sessionNumbers() {
    int[] numbers = new int[in.sessions.count()];
    int count = 0;
    for (int request : order) {
      int session = in.session.get(request);
      if (numbers[session] == 0) {
        numbers[session] = ++count;
      }
    }
    for (int s = 0; s < numbers.length; s++) {
      numbers[s]--;
    }
    return numbers;
  }

  private void requests(int[] sessionNumber) {
    int n = order.length;
    out.session = new int[n];
    out.input = new int[n];
    out.output = new int[n];
    out.arrival = new long[n];
    for (int p = 0; p < n; p++) {
      int request = order[p];
      out.session[p] = sessionNumber[in.session.get(request)];
      out.input[p] = in.input.get(request);
      out.output[p] = in.output.get(request);
      out.arrival[p] = in.arrival.get(request);
    }
    out.priority = in.priority.ints(order);
    out.cached = in.cached.ints(order);
    out.ttft = in.ttft.longs(order);
    out.total = in.total.longs(order);
    out.model = in.model.labels(order);
    out.adapter = in.adapter.labels(order);
    out.worker = in.worker.labels(order);
    out.finishReason = in.finishReason.labels(order);
    out.tools = in.tools.labels(order);
    out.blocksKnown = in.areBlocksKnown();
    out.requestText = in.requestText.ints(order);
    out.requestIds = in.requestIds.column();
  }

  private void sessions(int[] sessionNumber, int[] parents, int[] roots) {
    int n = sessionNumber.length;
    out.parent = new int[n];
    out.root = new int[n];
    int @Nullable [] texts = in.sessions.hasTexts() ? new int[n] : null;
    for (int s = 0; s < n; s++) {
      int number = sessionNumber[s];
      out.parent[number] = parents[s] < 0 ? -1 : sessionNumber[parents[s]];
      out.root[number] = sessionNumber[roots[s]];
      if (texts != null) {
        texts[number] = in.sessions.textOf(s);
      }
    }
    out.sessionText = texts;
    out.sessionIds = in.sessions.texts();
  }

  private void turns() {
    int n = order.length;
    out.turn = new int[n];
    out.sessionStart = new int[out.parent.length + 1];
    for (int p = 0; p < n; p++) {
      out.turn[p] = out.sessionStart[out.session[p] + 1]++;
    }
    for (int s = 0; s < out.parent.length; s++) {
      out.sessionStart[s + 1] += out.sessionStart[s];
    }
    out.sessionRequests = new int[n];
    for (int p = 0; p < n; p++) {
      out.sessionRequests[out.sessionStart[out.session[p]] + out.turn[p]] = p;
    }
  }

  private void edges() {
    out.edgeStart = new int[order.length + 1];
    out.edgeFrom = new int[edges.from().length];
    out.edgeDelay = new long[edges.from().length];
    int next = 0;
    for (int p = 0; p < order.length; p++) {
      out.edgeStart[p] = next;
      for (int e = edges.start()[order[p]]; e < edges.start()[order[p] + 1]; e++) {
        out.edgeFrom[next] = place[edges.from()[e]];
        out.edgeDelay[next++] = edges.codedDelay()[e];
      }
    }
    out.edgeStart[order.length] = next;
  }
}
