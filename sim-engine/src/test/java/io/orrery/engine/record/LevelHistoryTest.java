package io.orrery.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LevelHistoryTest {
  private static long sum(LevelHistory history) {
    long sum = 0;
    for (int i = 0; i < LevelHistory.STRETCHES; i++) {
      sum += history.integral(i);
    }
    return sum;
  }

  @Test
  void aLevelIsSharedOutOverTheStretchesThatItLasts() {
    LevelHistory history = new LevelHistory();
    long width = history.stretchNanos();
    history.add(width / 2, 3 * width + 5, 4);

    assertThat(history.integral(0)).isEqualTo(4 * (width - width / 2));
    assertThat(history.integral(1)).isEqualTo(4 * width);
    assertThat(history.integral(2)).isEqualTo(4 * width);
    assertThat(history.integral(3)).isEqualTo(20);
    assertThat(history.integral(4)).isZero();
  }

  @Test
  void stretchesDoubleWhenTimeOutgrowsThem() {
    LevelHistory history = new LevelHistory();
    long width = history.stretchNanos();
    history.add(0, width, 1);
    history.add(3 * width, 4 * width, 2);
    history.add(LevelHistory.STRETCHES * width, LevelHistory.STRETCHES * width + 1, 7);

    assertThat(history.stretchNanos()).isEqualTo(2 * width);
    assertThat(history.integral(0)).isEqualTo(width);
    assertThat(history.integral(1)).isEqualTo(2 * width);
    assertThat(history.integral(LevelHistory.STRETCHES / 2)).isEqualTo(7);
  }

  @Test
  void nothingIsLostWhateverComes() {
    Random random = new Random(3);
    for (int run = 0; run < 50; run++) {
      LevelHistory history = new LevelHistory();
      long now = 0;
      long expected = 0;
      for (int i = 0; i < 400; i++) {
        long span = (long) Math.exp(random.nextDouble() * 24);
        long level = random.nextInt(5);
        history.add(now, now + span, level);
        expected += level * span;
        now += span;
      }
      assertThat(sum(history)).isEqualTo(expected);
      assertThat(history.stretchNanos() * LevelHistory.STRETCHES).isGreaterThanOrEqualTo(now / 2);
    }
  }
}
