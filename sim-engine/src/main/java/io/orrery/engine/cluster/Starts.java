package io.orrery.engine.cluster;

import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.DispatchSettings.Timestamps;
import io.orrery.engine.Draws;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** What starts by itself, one after the other by time: requests, or trees of sessions. */
final class Starts {
  /** What may be sent later than this, 2^61 ns or 73 years, would not fit the clock in the end. */
  private static final long LATEST_NANOS = 1L << 61;

  private final int count;

  /** Numbers by time; null where they are in order. */
  private final @Nullable IntColumn order;

  /** The time of a number; asked once for each, in order. */
  private final IntToLongFunction nanosOf;

  private int at;
  private long next = Long.MAX_VALUE;

  private Starts(int count, @Nullable IntColumn order, IntToLongFunction nanosOf) {
    this.count = count;
    this.order = order;
    this.nanosOf = nanosOf;
    look();
  }

  /** Every request at its recorded time. */
  static Starts ofRequests(Trace trace, Timestamps timestamps, long seed) {
    int count = trace.requestCount();
    double speedup = timestamps.speedup();
    IntToLongFunction recorded = jittered(trace::arrivalNanos, timestamps.jitterNanos(), seed);
    IntToLongFunction sent = r -> (long) (recorded.applyAsLong(r) / speedup);
    boolean inOrder = true;
    long before = 0;
    for (int r = 0; r < count; r++) {
      long time = sent.applyAsLong(r);
      inOrder &= time >= before;
      before = time;
      if (time >= LATEST_NANOS) {
        throw new SimulatedTimeException(
            "trace.timestamps.speedup: found "
                + speedup
                + ", which sends request "
                + trace.requestId(r)
                + " after more than 73 years, expected a greater one");
      }
    }
    return inOrder ? new Starts(count, null, sent) : sorted(count, sent);
  }

  /** Every tree at the recorded time of its first request, or at the arrivals of a process. */
  static Starts ofTrees(Trace trace, SessionTrees trees, Arrivals arrivals, long seed) {
    if (arrivals instanceof Arrivals.Process process) {
      RenewalProcess gaps = new RenewalProcess(process, seed);
      IntToLongFunction check = arrivals(gaps);
      for (int i = 0; i < trees.count(); i++) {
        if (check.applyAsLong(i) == LATEST_NANOS) {
          throw new SimulatedTimeException(
              "trace.closedLoop.arrivals: found "
                  + process.perSecond()
                  + " sessions a second, which starts session "
                  + i
                  + " after more than 73 years, expected a greater rate");
        }
      }
      return new Starts(trees.count(), null, arrivals(gaps));
    }
    long jitter = ((Arrivals.Recorded) arrivals).jitterNanos();
    return byTime(
        trees.count(), jittered(i -> trace.arrivalNanos(trees.firstRequest(i)), jitter, seed));
  }

  /** So many at the beginning. */
  static Starts atOnce(int count) {
    return new Starts(count, null, i -> 0);
  }

  /** Recorded times, none before 0, each moved later by less than {@code jitterNanos}. */
  private static IntToLongFunction jittered(
      IntToLongFunction recorded, long jitterNanos, long seed) {
    if (jitterNanos == 0) {
      return i -> Math.max(0, recorded.applyAsLong(i));
    }
    Draws draws = new Draws(seed, "dispatch.jitter");
    return i -> Math.max(0, recorded.applyAsLong(i)) + (long) (draws.uniform(i, 0) * jitterNanos);
  }

  private static IntToLongFunction arrivals(RenewalProcess gaps) {
    long[] time = {0};
    return i -> {
      time[0] = Math.min(LATEST_NANOS, time[0] + gaps.gapNanos(i));
      return time[0];
    };
  }

  private static Starts byTime(int count, IntToLongFunction nanosOf) {
    long before = 0;
    for (int i = 0; i < count; i++) {
      long time = nanosOf.applyAsLong(i);
      if (time < before) {
        return sorted(count, nanosOf);
      }
      before = time;
    }
    return new Starts(count, null, nanosOf);
  }

  private static Starts sorted(int count, IntToLongFunction nanosOf) {
    LongColumn times = new LongColumn();
    for (int i = 0; i < count; i++) {
      times.add(nanosOf.applyAsLong(i));
    }
    IntColumn order = StableOrder.of(times);
    times.release();
    return new Starts(count, order, nanosOf);
  }

  private int number() {
    return order == null ? at : order.get(at);
  }

  private void look() {
    next = at < count ? nanosOf.applyAsLong(number()) : Long.MAX_VALUE;
  }

  /** When something starts next; {@link Long#MAX_VALUE} if nothing does. */
  long nextNanos() {
    return next;
  }

  /** The number of what starts next; there must be something. */
  int poll() {
    int number = number();
    at++;
    look();
    return number;
  }
}
