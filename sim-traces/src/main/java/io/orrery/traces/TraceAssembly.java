package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The last step of building a trace: checks it as a whole, and puts requests and sessions into
 * their final order and numbers.
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

  /** The requests, each after those that it waits for. */
  private final IntColumn ready = new IntColumn();

  private final IntColumn parents;
  private final IntColumn roots;

  /** Final order: the request at each place. */
  private IntColumn order = new IntColumn();

  /**
   * Checks waits, starts, and which session started which.
   *
   * @throws TraceException on what does not make sense
   */
  TraceAssembly(TraceAssembler in, TraceProvenance provenance) {
    this.in = in;
    out = new TraceColumns(in.blockSize(), in.blockIds().count(), in.isSharedClock(), provenance);
    edges = in.edges.grouped();
    int stuck = edges.onCycle(ready);
    if (stuck >= 0) {
      throw in.wrong(
          stuck, "waits for", "itself through other requests", "waiting without a cycle");
    }
    checkStarts();
    parents = in.sessions.parents();
    roots = in.sessions.roots(parents);
  }

  /**
   * Makes the trace; called once. What is copied is given up at once, so that columns that are not
   * in the heap use the same space one after the other.
   */
  Trace trace() {
    in.releaseNames();
    in.edges.release();
    order = in.isSharedClock() ? byStart() : sessionOrder();
    ready.release();
    IntColumn sessionNumber = sessionNumbers();
    requests(sessionNumber);
    in.releaseRequests();
    sessions(sessionNumber);
    sessionNumber.release();
    turns();
    edges(places());
    edges.release();
    new CompletionNaming(in, order, out).name();
    in.releaseBlocks();
    order.release();
    return new Trace(out.trimmed());
  }

  private IntColumn places() {
    IntColumn place = IntColumn.filled(order.size(), 0);
    for (int p = 0; p < order.size(); p++) {
      place.set(order.get(p), p);
    }
    return place;
  }

  private IntColumn byStart() {
    LongColumn keys = in.isTurnsByArrival() ? startKeys() : dispatchKeys();
    IntColumn result = StableOrder.of(keys);
    keys.release();
    return result;
  }

  /**
   * Sums waits along the longest path to each request, so that no clock that counts ns in a long
   * can overflow.
   */
  private void checkStarts() {
    LongColumn earliest = LongColumn.filled(ready.size(), 0);
    for (int i = 0; i < ready.size(); i++) {
      int r = ready.get(i);
      long start = Math.max(0, in.arrival.get(r));
      if (start > LATEST_START) {
        throw tooLate(r, "arrival", seconds(start));
      }
      for (int e = edges.start().get(r); e < edges.start().get(r + 1); e++) {
        long before = earliest.get(edges.from().get(e));
        long delay = EdgeTable.Grouped.delay(edges.codedDelay().get(e));
        if (delay > LATEST_START - before) {
          throw tooLate(
              r, "delay", seconds(delay) + " after a request that starts at " + seconds(before));
        }
        start = Math.max(start, before + delay);
      }
      earliest.set(r, start);
    }
    earliest.release();
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
  private LongColumn dispatchKeys() {
    LongColumn keys = new LongColumn();
    for (int r = 0; r < in.requestCount(); r++) {
      long key = in.arrival.get(r);
      if (key == Trace.NO_TIME) {
        for (int e = edges.start().get(r); e < edges.start().get(r + 1); e++) {
          int from = edges.from().get(e);
          if (from < r) {
            key = Math.max(key, startAfter(keys.get(from), e));
          }
        }
      }
      if (in.previousInSession(r) >= 0) {
        key = Math.max(key, keys.get(in.previousInSession(r)));
      }
      keys.add(Math.max(0, key));
    }
    return keys;
  }

  /** The same where a session's turns need not stand in file order. */
  private LongColumn startKeys() {
    LongColumn keys = LongColumn.filled(ready.size(), 0);
    for (int i = 0; i < ready.size(); i++) {
      int r = ready.get(i);
      long key = in.arrival.get(r);
      if (key == Trace.NO_TIME) {
        for (int e = edges.start().get(r); e < edges.start().get(r + 1); e++) {
          key = Math.max(key, startAfter(keys.get(edges.from().get(e)), e));
        }
      }
      keys.set(r, Math.max(0, key));
    }
    return keys;
  }

  private long startAfter(long before, int edge) {
    return Math.min(LATEST_START, before + EdgeTable.Grouped.delay(edges.codedDelay().get(edge)));
  }

  /** Sessions in the order of their opening, each session's requests in file order. */
  private IntColumn sessionOrder() {
    IntColumn next = IntColumn.filled(in.sessions.count() + 1, 0);
    for (int r = 0; r < in.requestCount(); r++) {
      next.increase(in.session.get(r) + 1, 1);
    }
    for (int s = 0; s < in.sessions.count(); s++) {
      next.increase(s + 1, next.get(s));
    }
    IntColumn result = IntColumn.filled(in.requestCount(), 0);
    for (int r = 0; r < result.size(); r++) {
      int session = in.session.get(r);
      result.set(next.get(session), r);
      next.increase(session, 1);
    }
    next.release();
    return result;
  }

  /**
   * Final number of each session: by its first request. Without a shared clock that is the order of
   * opening.
   */
  private IntColumn sessionNumbers() {
    IntColumn numbers = IntColumn.filled(in.sessions.count(), -1);
    int count = 0;
    for (int p = 0; p < order.size(); p++) {
      int session = in.session.get(order.get(p));
      if (numbers.get(session) < 0) {
        numbers.set(session, count++);
      }
    }
    return numbers;
  }

  private void requests(IntColumn sessionNumber) {
    for (int p = 0; p < order.size(); p++) {
      int request = order.get(p);
      out.session.add(sessionNumber.get(in.session.get(request)));
      out.input.add(in.input.get(request));
      out.output.add(in.output.get(request));
      out.arrival.add(in.arrival.get(request));
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

  private void sessions(IntColumn sessionNumber) {
    int n = sessionNumber.size();
    out.parent = IntColumn.filled(n, -1);
    out.root = IntColumn.filled(n, 0);
    @Nullable IntColumn texts = in.sessions.hasTexts() ? IntColumn.filled(n, -1) : null;
    for (int s = 0; s < n; s++) {
      int number = sessionNumber.get(s);
      out.parent.set(number, parents.get(s) < 0 ? -1 : sessionNumber.get(parents.get(s)));
      out.root.set(number, sessionNumber.get(roots.get(s)));
      if (texts != null) {
        texts.set(number, in.sessions.textOf(s));
      }
    }
    out.sessionText = texts;
    out.sessionIds = in.sessions.texts();
  }

  private void turns() {
    out.sessionStart = IntColumn.filled(out.parent.size() + 1, 0);
    for (int p = 0; p < order.size(); p++) {
      int session = out.session.get(p);
      out.turn.add(out.sessionStart.get(session + 1));
      out.sessionStart.increase(session + 1, 1);
    }
    out.listSessions();
  }

  private void edges(IntColumn place) {
    out.edgeStart = new IntColumn();
    for (int p = 0; p < order.size(); p++) {
      out.edgeStart.add(out.edgeFrom.size());
      int request = order.get(p);
      for (int e = edges.start().get(request); e < edges.start().get(request + 1); e++) {
        out.edgeFrom.add(place.get(edges.from().get(e)));
        out.edgeDelay.add(edges.codedDelay().get(e));
      }
    }
    out.edgeStart.add(out.edgeFrom.size());
    place.release();
  }
}
