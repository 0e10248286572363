package io.orrery.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** Patience with policies that tick: much, but not without end. */
class TickWatchTest {
  private static final long DAY = 86_400L * 1_000_000_000;

  private final TickWatch watch = new TickWatch();

  /** How many ticks, so far apart, until the run counts as stuck. */
  private long patience(long apart) {
    long ticks = 0;
    while (!watch.isStuck(ticks * apart, (ticks + 1) * apart)) {
      ticks++;
    }
    return ticks;
  }

  @Test
  void whoAsksForNoTickWaitsForEver() {
    assertThat(watch.isStuck(0, Long.MAX_VALUE)).isTrue();
  }

  /** A tick a day may wait for years, but not for a hundred thousand days. */
  @Test
  void manyTicksOverMoreThanAYearLeadNowhere() {
    assertThat(patience(DAY)).isEqualTo(100_000);
  }

  /** At a tick a second, 400 days are 34.56 million ticks: twenty million come first. */
  @Test
  void twentyMillionTicksLeadNowhere() {
    assertThat(patience(1_000_000_000)).isEqualTo(20_000_000);
  }

  @Test
  void whateverElseHappensBeginsAnew() {
    for (int i = 0; i < 99_999; i++) {
      assertThat(watch.isStuck(i * DAY, (i + 1) * DAY)).isFalse();
    }
    watch.moves();
    assertThat(patience(DAY)).isEqualTo(100_000);
  }

  /** A tick every nanosecond in front of an event that is a second away. */
  @Test
  void ticksThatHardlyLetTimePassAreSpinning() {
    long tick = 1;
    while (!watch.isSpinning(tick - 1, tick, 1_000_000_000)) {
      tick++;
    }
    assertThat(tick).isEqualTo(20_000_001);
    assertThat(watch.ticks(tick)).isEqualTo("20000001 ticks between 0 and 20000001 ns");
  }

  @Test
  void anEventInBetweenIsProgress() {
    for (long tick = 1; tick <= 30_000_000; tick++) {
      long others = tick % 1_000_000 == 0 ? tick : Long.MAX_VALUE - 1;
      if (watch.isSpinning(tick - 1, tick, others)) {
        fail("after " + tick);
      }
    }
  }
}
