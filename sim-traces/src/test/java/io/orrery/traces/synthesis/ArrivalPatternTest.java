package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Starts and when they are, by the time of day and by bursts. */
class ArrivalPatternTest {
  private static final double SECOND = 1e9;
  private static final double DAY = 86_400;

  private static long[] starts(SyntheticArrivals arrivals, int count) {
    RandomStream stream = new RandomStream(1, "starts", 0);
    long[] starts = new long[count];
    starts[0] = arrivals.first(stream);
    for (int i = 1; i < count; i++) {
      starts[i] = arrivals.next(starts[i - 1], stream);
    }
    return starts;
  }

  /** Three at 0, one at 2 s, two at 3 s. */
  @Test
  void whatStartsTogetherIsCounted() {
    long second = (long) SECOND;
    ArrivalPattern pattern =
        ArrivalPattern.of(new long[] {0, 0, 0, 2 * second, 3 * second, 3 * second});

    assertThat(pattern.together().values().v()).containsExactly(1, 2, 3);
    assertThat(pattern.gaps().values().v()).containsExactly(SECOND, 2 * SECOND);
    assertThat(pattern.day()).isNull();
  }

  /** Four days of a rate that goes up by noon; those made like them do, too. */
  @Test
  void severalDaysHaveHours() {
    long[] days = starts(SyntheticArrivals.atRate(0.1, 1, 0.8), 40_000);
    ArrivalPattern pattern = ArrivalPattern.of(days);
    List<Double> hours = pattern.day();
    assertThat(hours).isNotNull();
    assertThat((hours.get(11) + hours.get(12)) / (hours.get(23) + hours.get(0)))
        .isCloseTo(8.8, within(1.0));

    DayCurve curve = pattern.curve();
    assertThat(curve.until(3 * DAY)).isCloseTo(3 * DAY, within(1e-3));
    double mean = pattern.gaps().values().mean() / SECOND;
    assertThat(mean).as("at the day's mean rate").isCloseTo(10, within(0.5));
  }

  @Test
  void aDayCurveTurnsTimeIntoWhatIsExpectedAndBack() {
    for (DayCurve curve :
        List.of(DayCurve.flat(), DayCurve.wave(1), DayCurve.wave(0.3), new DayCurve(0, 2, 1, 0))) {
      double before = -1;
      for (double expected = 0; expected < 3 * DAY; expected += 977) {
        double time = curve.when(expected);
        assertThat(time).isGreaterThan(before);
        assertThat(curve.until(time)).isCloseTo(expected, within(1e-6));
        before = time;
      }
    }
    DayCurve night = new DayCurve(0, 2, 1, 0);
    assertThat(night.when(1)).as("nobody comes before 6 h").isGreaterThan(DAY / 4);
    assertThat(night.until(DAY / 4)).isZero();
  }

  @Test
  void aDayHas24Rates() {
    Series one = Series.of(new double[] {1});
    List<Double> none = Collections.nCopies(24, 0.0);
    for (List<Double> day : Arrays.asList(List.of(1.0), none, Collections.nCopies(24, -1.0))) {
      assertThatThrownBy(() -> new ArrivalPattern(one, one, day)).hasMessageContaining("24 rates");
    }
  }
}
