package io.orrery.traces.synthesis;

import java.util.Arrays;

/**
 * How much goes on at which time of the day: rates relative to the day's mean in equal parts of it.
 * It translates between time and what is expected until then, in seconds of the mean rate.
 */
final class DayCurve {
  static final double DAY = 86_400;

  private final double[] rates;

  /** Expected until the beginning of each part, and until the day's end. */
  private final double[] expected;

  /**
   * @param weights of the parts, none negative, some positive
   */
  DayCurve(double... weights) {
    double sum = Arrays.stream(weights).sum();
    rates = new double[weights.length];
    expected = new double[weights.length + 1];
    for (int i = 0; i < weights.length; i++) {
      rates[i] = weights[i] / sum * weights.length;
      expected[i + 1] = expected[i] + weights[i] / sum * DAY;
    }
    expected[weights.length] = DAY;
  }

  /** Always the same. */
  static DayCurve flat() {
    return new DayCurve(1);
  }

  /**
   * 1 − a cos(2π t / day): least at the start, which is midnight.
   *
   * @param amplitude a, from 0 to 1
   */
  static DayCurve wave(double amplitude) {
    if (amplitude == 0) {
      return flat();
    }
    double[] weights = new double[288];
    double part = 2 * Math.PI / weights.length;
    for (int i = 0; i < weights.length; i++) {
      double waved = StrictMath.sin((i + 1) * part) - StrictMath.sin(i * part);
      weights[i] = part - amplitude * waved;
    }
    return new DayCurve(weights);
  }

  /** Expected from midnight until then. */
  double until(double seconds) {
    double days = Math.floor(seconds / DAY);
    double inDay = seconds - days * DAY;
    int part = (int) Math.min(rates.length - 1, inDay / DAY * rates.length);
    double begun = DAY / rates.length * part;
    return days * DAY + expected[part] + rates[part] * (inDay - begun);
  }

  /** When so much is to be expected: the inverse of {@link #until}. */
  double when(double wanted) {
    double days = Math.floor(wanted / DAY);
    double inDay = wanted - days * DAY;
    int part = Arrays.binarySearch(expected, inDay);
    part = part < 0 ? -part - 2 : part;
    while (part > 0 && (part == rates.length || rates[part] == 0)) {
      part--;
    }
    double begun = DAY / rates.length * part;
    double more = rates[part] == 0 ? 0 : (inDay - expected[part]) / rates[part];
    return days * DAY + begun + more;
  }
}
