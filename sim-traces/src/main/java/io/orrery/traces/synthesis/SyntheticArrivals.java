package io.orrery.traces.synthesis;

import org.jspecify.annotations.Nullable;

/**
 * When root sessions start: at gaps drawn from a profile, or at a rate that may go up and down
 * within a day, with gaps that vary as much as wanted.
 *
 * <p>Gaps of a coefficient of variation c above 1 are drawn from two exponential distributions with
 * balanced means (Whitt, "Approximating a point process by a renewal process, I", Operations
 * Research 30(1), 1982). The rate at time t is r (1 − a cos(2π t / day)): least at the start, which
 * is midnight. Gaps are measured in expected sessions and turned into time by the rate's integral.
 */
public final class SyntheticArrivals {
  private static final double NANOS_PER_S = 1e9;
  private static final double DAY = 86_400;

  private final double rate;
  private final double burstiness;
  private final double diurnal;
  private final @Nullable Knots gaps;

  private SyntheticArrivals(double rate, double burstiness, double diurnal, @Nullable Knots gaps) {
    this.rate = rate;
    this.burstiness = burstiness;
    this.diurnal = diurnal;
    this.gaps = gaps;
  }

  /** Gaps as in a profile with a common clock. */
  public static SyntheticArrivals like(TraceProfile profile) {
    if (profile.gaps() == null) {
      throw new IllegalArgumentException("found a profile without a common clock, expected a rate");
    }
    return new SyntheticArrivals(0, 1, 0, profile.gaps());
  }

  /**
   * At a rate.
   *
   * @param rate root sessions per second, above 0
   * @param burstiness coefficient of variation of the gaps, at least 1: 1 for a Poisson process
   * @param diurnal from 0, the same all day, to 1, none at midnight and twice the mean at noon
   */
  public static SyntheticArrivals atRate(double rate, double burstiness, double diurnal) {
    if (!(rate > 0 && Double.isFinite(rate))) {
      throw new IllegalArgumentException("rate: found " + rate + ", expected a number above 0");
    }
    if (!(burstiness >= 1 && Double.isFinite(burstiness))) {
      throw new IllegalArgumentException(
          "burstiness: found " + burstiness + ", expected a number of at least 1");
    }
    if (!(diurnal >= 0 && diurnal <= 1)) {
      throw new IllegalArgumentException("diurnal: found " + diurnal + ", expected 0 to 1");
    }
    return new SyntheticArrivals(rate, burstiness, diurnal, null);
  }

  /** Whether most sessions begin together with another. */
  boolean onTicks() {
    return gaps != null && gaps.at(0.5) <= 0;
  }

  /** The start of the session after one that started so many ns after the trace's beginning. */
  long next(long nanos, RandomStream stream) {
    if (gaps != null) {
      return nanos + Math.max(0, gaps.drawKnot(stream));
    }
    double from = nanos / NANOS_PER_S;
    double wanted = expected(from) + gap(stream);
    double low = from;
    double high = from + 1 / rate;
    while (expected(high) < wanted) {
      high = from + 2 * (high - from);
    }
    for (int i = 0; i < 64 && high - low > 1e-9 * Math.max(1, high); i++) {
      double middle = (low + high) / 2;
      if (expected(middle) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.max(nanos, Math.round(high * NANOS_PER_S));
  }

  /** Sessions expected until then. */
  private double expected(double seconds) {
    double angle = 2 * Math.PI * seconds / DAY;
    return rate * (seconds - diurnal * DAY / (2 * Math.PI) * StrictMath.sin(angle));
  }

  /** Of mean 1. */
  private double gap(RandomStream stream) {
    double exponential = -StrictMath.log(1 - stream.uniform());
    if (burstiness == 1) {
      return exponential;
    }
    double squared = burstiness * burstiness;
    double share = 0.5 * (1 + StrictMath.sqrt((squared - 1) / (squared + 1)));
    double weight = stream.chance(share) ? share : 1 - share;
    return exponential / (2 * weight);
  }
}
