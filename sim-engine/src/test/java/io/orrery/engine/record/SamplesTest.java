package io.orrery.engine.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.engine.Draws;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void quantilesAreNearestRanks() {
    // 1, 1, 1, 5, 9: ranks 1..5. p50 is rank 3, p60 rank 3, p61 rank 4, p80 rank 4, p81 rank 5.
    Samples samples = new Samples();
    samples.add(9, 1);
    samples.add(1, 3);
    samples.add(5, 1);

    assertThat(samples.count()).isEqualTo(5);
    assertThat(samples.mean()).isEqualTo(17.0 / 5);
    assertThat(samples.quantile(0.5)).isEqualTo(1);
    assertThat(samples.quantile(0.6)).isEqualTo(1);
    assertThat(samples.quantile(0.61)).isEqualTo(5);
    assertThat(samples.quantile(0.8)).isEqualTo(5);
    assertThat(samples.quantile(0.81)).isEqualTo(9);
    assertThat(samples.quantile(1)).isEqualTo(9);
    assertThat(samples.min()).isEqualTo(1);
    assertThat(samples.max()).isEqualTo(9);
    assertThat(samples.exact()).isTrue();
    assertThat(samples.exactSamples()).isDeepEqualTo(new long[][] {{1, 3}, {5, 1}, {9, 1}});
  }

  @Test
  void noSamplesHaveNoMean() {
    assertThat(new Samples().mean()).isNaN();
    assertThat(new Samples().count()).isZero();
  }

  @Test
  void beyondTheLimitQuantilesStayWithinTheErrorStated() {
    Draws draws = new Draws(3, "samples");
    int n = (int) Samples.EXACT_LIMIT + 50_000;
    long[] values = new long[n];
    Samples samples = new Samples();
    long sum = 0;
    for (int i = 0; i < n; i++) {
      values[i] = draws.bits(i, 0) >>> (20 + draws.below(40, i, 1));
      samples.add(values[i], 1);
      sum = Math.addExact(sum, values[i]);
    }
    Arrays.sort(values);
    assertThat(samples.exact()).isFalse();
    assertThat(samples.mean()).isCloseTo((double) sum / n, within(1e-9 * sum / n));
    for (double q : new double[] {0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1}) {
      double exact = values[(int) Math.ceil(q * n) - 1];
      assertThat(samples.quantile(q)).isCloseTo(exact, within(exact * samples.relativeError() + 1));
    }
    assertThat(samples.max()).isEqualTo(values[n - 1]);
    assertThat(samples.min()).isEqualTo(values[0]);
  }

  @Test
  void orderAndMergingDoNotMatter() {
    Draws draws = new Draws(4, "samples");
    Samples forwards = new Samples();
    Samples backwards = new Samples();
    Samples left = new Samples();
    Samples right = new Samples();
    int n = 600_000;
    for (int i = 0; i < n; i++) {
      forwards.add(draws.bits(i, 0) >>> 30, 2);
      backwards.add(draws.bits(n - 1 - i, 0) >>> 30, 2);
      (i % 3 == 0 ? left : right).add(draws.bits(i, 0) >>> 30, 2);
    }
    left.addAll(right);
    for (Samples other : new Samples[] {backwards, left}) {
      assertThat(other.count()).isEqualTo(forwards.count());
      assertThat(other.mean()).isEqualTo(forwards.mean());
      for (double q : new double[] {0.01, 0.5, 0.99}) {
        assertThat(other.quantile(q)).isEqualTo(forwards.quantile(q));
      }
    }
  }

  /** Before, at and after the change to buckets. */
  @Test
  void gapsAreSamplesOfTheirOwn() {
    Draws draws = new Draws(5, "samples");
    Samples together = new Samples();
    Samples apart = new Samples();
    long[] times = new long[1_000];
    for (int round = 0; round < 500; round++) {
      for (int i = 1; i < times.length; i++) {
        times[i] = times[i - 1] + draws.below(1 << 24, round, i);
      }
      together.addGaps(times, 10, 990, 3);
      for (int i = 11; i <= 990; i++) {
        apart.add(times[i] - times[i - 1], 3);
      }
    }
    assertThat(together.exact()).isFalse();
    assertThat(together.count()).isEqualTo(apart.count()).isEqualTo(500L * 980 * 3);
    assertThat(together.mean()).isEqualTo(apart.mean());
    assertThat(together.min()).isEqualTo(apart.min());
    assertThat(together.max()).isEqualTo(apart.max());
    for (double q : new double[] {0.01, 0.5, 0.99}) {
      assertThat(together.quantile(q)).isEqualTo(apart.quantile(q));
    }
    together.addGaps(times, 5, 5, 1);
    assertThat(together.count()).isEqualTo(apart.count());
  }

  @Test
  void theMeanOfHugeSumsIsExact() {
    Samples samples = new Samples();
    samples.add(Long.MAX_VALUE, 4);
    samples.add(Long.MAX_VALUE - 2, 4);
    assertThat(samples.mean()).isEqualTo((double) (Long.MAX_VALUE - 1));
  }
}
