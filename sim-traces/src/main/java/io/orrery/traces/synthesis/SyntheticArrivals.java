package io.orrery.traces.synthesis;

import io.orrery.traces.TraceException;
import org.jspecify.annotations.Nullable;

/**
 * When root sessions start: as a profile says, or at a rate that may go up and down within a day,
 * with gaps that vary as much as wanted. For one trace: it remembers where it stands.
 *
 * <p>Gaps of a coefficient of variation c above 1 are drawn from two exponential distributions with
 * balanced means (Whitt, "Approximating a point process by a renewal process, I", Operations
 * Research 30(1), 1982). The rate at time t is r (1 − a cos(2π t / day)): least at the start, which
 * is midnight. Gaps are measured in expected sessions and turned into time by the rate's integral.
 */
public final class SyntheticArrivals {
  private static final double NANOS_PER_S = 1e9;
  private static final double MOST_BURSTINESS = 1_000;

  private final double rate;
  private final double burstiness;
  private final DayCurve day;
  private final Series.@Nullable Drawing gaps;
  private final Series.@Nullable Drawing together;

  /** Sessions that start at the same time as the one before. */
  private long withIt;

  private SyntheticArrivals(
      double rate, double burstiness, DayCurve day, @Nullable ArrivalPattern pattern) {
    this.rate = rate;
    this.burstiness = burstiness;
    this.day = day;
    gaps = pattern == null ? null : pattern.gaps().new Drawing();
    together = pattern == null ? null : pattern.together().new Drawing();
  }

  /** As in a profile with a common clock. */
  public static SyntheticArrivals like(TraceProfile profile) {
    ArrivalPattern pattern = profile.arrivals();
    if (pattern == null) {
      throw new IllegalArgumentException("found a profile without a common clock, expected a rate");
    }
    return new SyntheticArrivals(0, 1, pattern.curve(), pattern);
  }

  /**
   * At a rate.
   *
   * @param rate root sessions per second, above 0
   * @param burstiness coefficient of variation of the gaps, 1 for a Poisson process, at most
   *     {@value #MOST_BURSTINESS}
   * @param diurnal from 0, the same all day, to 1, none at midnight and twice the mean at noon
   */
  public static SyntheticArrivals atRate(double rate, double burstiness, double diurnal) {
    if (!(rate > 0 && Double.isFinite(rate))) {
      throw new IllegalArgumentException("rate: found " + rate + ", expected a number above 0");
    }
    if (!(burstiness >= 1 && burstiness <= MOST_BURSTINESS)) {
      throw new IllegalArgumentException(
          "burstiness: found " + burstiness + ", expected a number from 1 to 1000");
    }
    if (!(diurnal >= 0 && diurnal <= 1)) {
      throw new IllegalArgumentException("diurnal: found " + diurnal + ", expected 0 to 1");
    }
    return new SyntheticArrivals(rate, burstiness, DayCurve.wave(diurnal), null);
  }

  /** The first start. */
  long first(RandomStream stream) {
    if (together != null) {
      withIt = Math.round(together.next(stream)) - 1;
    }
    return 0;
  }

  /**
   * The start of the session after one that started so many ns after the trace's beginning.
   *
   * @throws TraceException if that is beyond the clock
   */
  long next(long nanos, RandomStream stream) {
    if (withIt > 0) {
      withIt--;
      return nanos;
    }
    double seconds = gap(stream);
    if (together != null) {
      withIt = Math.round(together.next(stream)) - 1;
    }
    double start = day.when(day.until(nanos / NANOS_PER_S) + seconds);
    return SyntheticCall.onClock(Math.max(nanos, Math.round(start * NANOS_PER_S)));
  }

  /** In seconds of the day's mean rate. */
  private double gap(RandomStream stream) {
    if (gaps != null) {
      return gaps.next(stream) / NANOS_PER_S;
    }
    double exponential = -StrictMath.log(1 - stream.uniform());
    if (burstiness == 1) {
      return exponential / rate;
    }
    double squared = burstiness * burstiness;
    double share = 0.5 * (1 + StrictMath.sqrt((squared - 1) / (squared + 1)));
    double weight = stream.chance(share) ? share : 1 - share;
    return exponential / (2 * weight) / rate;
  }
}
