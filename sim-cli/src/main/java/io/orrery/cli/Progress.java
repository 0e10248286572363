package io.orrery.cli;

import io.orrery.reports.console.HumanUnits;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A line on the error stream that says how far the replay is, how fast, and how long it still
 * takes. Appears on a terminal only, and only when the replay lasts longer than a second.
 */
final class Progress implements AutoCloseable {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long INTERVAL_NANOS = 200_000_000L;
  private static final int BAR = 24;
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean shown;
  private final long expected;
  private final String things;
  private final LongSupplier clock;
  private final long started;
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong nextDrawing;

  /**
   * @param shown whether the line appears at all
   * @param expected how many in all, or 0 if nobody knows
   * @param things what is counted
   * @param clock nanoseconds that go on
   */
  Progress(PrintWriter err, boolean shown, long expected, String things, LongSupplier clock) {
    this.err = err;
    this.shown = shown;
    this.expected = expected;
    this.things = things;
    this.clock = clock;
    this.started = clock.getAsLong();
    this.nextDrawing = new AtomicLong(started + FIRST_NANOS);
  }

  /** For one run, which tells it how many of its requests have ended; runs may be concurrent. */
  LongConsumer ofRun() {
    if (!shown) {
      return runEnded -> {};
    }
    AtomicLong before = new AtomicLong();
    return runEnded -> {
      draw(ended.addAndGet(runEnded - before.getAndSet(runEnded)));
    };
  }

  /** One more has ended; calls may be concurrent. */
  void one() {
    if (shown) {
      draw(ended.incrementAndGet());
    }
  }

  private void draw(long all) {
    long now = clock.getAsLong();
    long due = nextDrawing.get();
    if (now - due >= 0 && nextDrawing.compareAndSet(due, now + INTERVAL_NANOS)) {
      err.print(CLEAR + line(all, expected, things, (now - started) / 1e9));
      err.flush();
    }
  }

  /** What the line says after so many requests and seconds. */
  static String line(long ended, long expected, String things, double seconds) {
    double rate = ended / seconds;
    StringBuilder line = new StringBuilder();
    if (expected >= ended && expected > 0) {
      int filled = (int) (BAR * ended / expected);
      line.append('[').append("#".repeat(filled)).append("-".repeat(BAR - filled)).append("] ");
      line.append(100 * ended / expected).append(" %  ");
    }
    line.append(HumanUnits.count(ended)).append(" ").append(things).append(", ");
    line.append(HumanUnits.amount(rate)).append("/s");
    if (expected >= ended && ended > 0) {
      line.append(", ").append(HumanUnits.seconds((expected - ended) / rate)).append(" left");
    }
    return line.toString();
  }

  /** Removes the line. */
  @Override
  public void close() {
    if (shown && nextDrawing.get() != started + FIRST_NANOS) {
      err.print(CLEAR);
      err.flush();
    }
  }
}
