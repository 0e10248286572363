package io.orrery.traces.synthesis;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When root sessions start, or single requests.
 *
 * @param gaps ns from one start to the next that is later, at the day's mean rate
 * @param together how many start at the same time
 * @param day relative rates by the hour, counted from the trace's beginning; null where the time of
 *     day is not known to matter
 */
public record ArrivalPattern(Series gaps, Series together, @Nullable List<Double> day) {
  private static final int HOURS = 24;
  private static final double NANOS_PER_S = 1e9;

  /** Days that a trace must have for its hours to be compared. */
  private static final int DAYS = 2;

  public ArrivalPattern {
    if (day != null) {
      day = List.copyOf(day);
      double sum = day.stream().mapToDouble(Double::doubleValue).sum();
      if (day.size() != HOURS || day.stream().anyMatch(rate -> !(rate >= 0)) || !(sum > 0)) {
        throw new IllegalArgumentException("day: expected 24 rates, some of them above 0");
      }
    }
  }

  /**
   * The pattern of starts.
   *
   * @param starts ns, rising; at least two different ones
   */
  static ArrivalPattern of(long[] starts) {
    double[] day = day(starts);
    DayCurve curve = day == null ? DayCurve.flat() : new DayCurve(day);
    Samples gaps = new Samples();
    Samples together = new Samples();
    int since = 0;
    for (int i = 1; i <= starts.length; i++) {
      if (i == starts.length) {
        together.add(i - since);
      } else if (starts[i] > starts[i - 1]) {
        together.add(i - since);
        since = i;
        gaps.add(
            day == null
                ? starts[i] - starts[i - 1]
                : NANOS_PER_S
                    * (curve.until(starts[i] / NANOS_PER_S)
                        - curve.until(starts[i - 1] / NANOS_PER_S)));
      }
    }
    return new ArrivalPattern(
        Series.of(gaps.all()),
        Series.of(together.all()),
        day == null ? null : Arrays.stream(day).boxed().toList());
  }

  /** Starts by the hour of whole days; null for shorter traces. */
  private static double @Nullable [] day(long[] starts) {
    double last = starts[starts.length - 1] / NANOS_PER_S;
    double days = Math.floor(last / DayCurve.DAY);
    if (days < DAYS) {
      return null;
    }
    double[] hours = new double[HOURS];
    for (long start : starts) {
      double seconds = start / NANOS_PER_S;
      if (seconds < days * DayCurve.DAY) {
        hours[(int) (seconds % DayCurve.DAY / (DayCurve.DAY / HOURS))]++;
      }
    }
    return hours;
  }

  DayCurve curve() {
    return day == null
        ? DayCurve.flat()
        : new DayCurve(day.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
