package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LevelOverTimeTest {
  /** 5 for 10 ns, 0 for 80 ns, 100,000 for 10 ns. */
  @Test
  void weighsLevelsByTheTimeTheyLast() {
    LevelOverTime level = new LevelOverTime();
    level.add(5, 4);
    level.add(0, 80);
    level.add(100_000, 10);
    level.add(5, 6);

    assertThat(level.nanos()).isEqualTo(100);
    assertThat(level.mean()).isEqualTo((5 * 10 + 100_000 * 10) / 100.0);
    assertThat(level.max()).isEqualTo(100_000);
    assertThat(level.quantile(0.8)).isZero();
    assertThat(level.quantile(0.81)).isEqualTo(5);
    assertThat(level.quantile(0.9)).isEqualTo(5);
    assertThat(level.quantile(0.91)).isEqualTo(100_000);
    assertThat(level.relativeError()).isZero();
  }

  @Test
  void whatLastsNoTimeDoesNotCount() {
    LevelOverTime level = new LevelOverTime();
    level.add(7, 0);
    level.add(1, 1);

    assertThat(level.max()).isEqualTo(1);
  }

  /** Levels 2^20 .. 2^20 + 2^21 - 1, one nanosecond each, in an order that is not sorted. */
  @Test
  void manyDistinctLevelsAreRoundedWithinTheErrorItStates() {
    int count = 2 * LevelOverTime.EXACT_LIMIT;
    long base = 1 << 20;
    LevelOverTime level = new LevelOverTime();
    for (int i = 0; i < count; i++) {
      level.add(base + (i * 1_000_003L) % count, 1);
    }

    assertThat(level.relativeError()).isPositive().isLessThan(0.01);
    for (double q : new double[] {0.01, 0.5, 0.95, 1}) {
      double exact = base + Math.ceil(q * count) - 1;
      assertThat((double) level.quantile(q))
          .isCloseTo(exact, within(exact * level.relativeError()));
    }
    assertThat(level.max()).isEqualTo(base + count - 1);
    assertThat(level.mean()).isCloseTo(base + (count - 1) / 2.0, within(1e-3));
  }
}
