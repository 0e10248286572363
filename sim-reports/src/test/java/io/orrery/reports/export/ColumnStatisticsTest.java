package io.orrery.reports.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.junit.jupiter.api.Test;

/** Digit for digit what Apache Commons Math computes of an array in the heap. */
class ColumnStatisticsTest {
  @Test
  void statisticsAreThoseOfAnArray() {
    SplittableRandom random = new SplittableRandom(1);
    for (int count : new int[] {2, 3, 10, 101, 5_000}) {
      long[] nanos = random.longs(count, 0, 1L << 40).toArray();
      double[] millis = Arrays.stream(nanos).mapToDouble(value -> value / 1e6).toArray();
      ColumnStatistics statistics =
          new ColumnStatistics(LongColumn.of(nanos), value -> value / 1e6);

      assertThat(statistics.mean()).isEqualTo(StatUtils.mean(millis));
      assertThat(statistics.min()).isEqualTo(StatUtils.min(millis));
      assertThat(statistics.max()).isEqualTo(StatUtils.max(millis));
      assertThat(statistics.sum()).isEqualTo(StatUtils.sum(millis));
      assertThat(statistics.standardDeviation()).isEqualTo(Math.sqrt(StatUtils.variance(millis)));
      Percentile percentile = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
      percentile.setData(millis);
      for (double p : new double[] {1, 25, 50, 99, 99.9, 100}) {
        assertThat(statistics.percentile(p)).isEqualTo(percentile.evaluate(p));
      }
    }
  }

  /** Bits of doubles that are not negative ascend with them. */
  @Test
  void valuesMayBeBitsOfDoubles() {
    LongColumn bits = new LongColumn();
    for (double number : new double[] {0.25, 3, 1e-9, 1e12}) {
      bits.add(Double.doubleToRawLongBits(number));
    }
    ColumnStatistics statistics = new ColumnStatistics(bits, Double::longBitsToDouble);

    assertThat(statistics.min()).isEqualTo(1e-9);
    assertThat(statistics.max()).isEqualTo(1e12);
    // Halfway between the second and the third of four.
    assertThat(statistics.percentile(50)).isEqualTo((0.25 + 3) / 2);
  }

  @Test
  void oneSampleIsAllPercentiles() {
    ColumnStatistics statistics = new ColumnStatistics(LongColumn.of(7), value -> value);

    assertThat(statistics.mean()).isEqualTo(7);
    assertThat(statistics.percentile(1)).isEqualTo(7);
    assertThat(statistics.percentile(99)).isEqualTo(7);
  }
}
