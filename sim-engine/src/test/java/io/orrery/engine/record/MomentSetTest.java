package io.orrery.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Against a tree of the JDK. */
class MomentSetTest {
  @Test
  void theGreatestNumberIsFoundHoweverFarTheNextOneIs() {
    SplittableRandom random = new SplittableRandom(1);
    MomentSet set = new MomentSet();
    set.ensure(100_000);
    TreeSet<Integer> expected = new TreeSet<>();
    for (int step = 0; step < 20_000; step++) {
      if (expected.isEmpty() || random.nextInt(100) < 30) {
        int number = random.nextInt(100_000);
        set.add(number);
        expected.add(number);
      } else {
        boolean greatest = random.nextInt(3) > 0;
        int number = greatest ? expected.last() : expected.first();
        set.remove(number);
        expected.remove(number);
      }
      if (!expected.isEmpty()) {
        assertThat(set.last()).isEqualTo(expected.last());
      }
    }
  }

  @Test
  void roomMayBeMadeLater() {
    MomentSet set = new MomentSet();
    set.ensure(1);
    set.add(0);
    set.ensure(1_000_000);
    assertThat(set.last()).isZero();
    set.add(999_999);
    assertThat(set.last()).isEqualTo(999_999);
  }
}
