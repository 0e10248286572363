package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockFlagsTest {
  private static final int STORED = 1;
  private static final int EVICTED = 2;

  private final BlockFlags flags = new BlockFlags();
  private final BlockKeys keys = new BlockKeys();

  @Test
  void marksAddUp() {
    assertThat(flags.get(7)).isZero();
    flags.mark(7, STORED);
    assertThat(flags.get(7)).isEqualTo(STORED);
    flags.mark(7, EVICTED);
    assertThat(flags.get(7)).isEqualTo(STORED | EVICTED);
    assertThat(flags.get(8)).isZero();
  }

  @Test
  void allEightBitsCanBeUsed() {
    flags.mark(7, 0x80);
    assertThat(flags.get(7)).isEqualTo(0x80);
    flags.mark(7, 1);
    assertThat(flags.get(7)).isEqualTo(0x81);
    assertThat(flags.count(0x81, 0)).isEqualTo(1);
  }

  @Test
  void countsWhatHasSomeBitsAndLacksOthers() {
    for (int key = 0; key < 10_000; key++) {
      flags.mark(key, key % 10 == 0 ? STORED | EVICTED : STORED);
    }
    assertThat(flags.count(STORED, 0)).isEqualTo(10_000);
    assertThat(flags.count(STORED, EVICTED)).isEqualTo(9_000);
    assertThat(flags.count(EVICTED, STORED)).isZero();
  }

  /** Keys 0 to 31 are a page. */
  @Test
  void aForgottenPageLeavesNothingButItsCount() {
    for (int key = 30; key < 34; key++) {
      flags.mark(key, key == 31 ? STORED | EVICTED : STORED);
    }
    assertThat(flags.pages()).isEqualTo(2);
    assertThat(flags.forgetPageOf(5, STORED, EVICTED)).as("30, not 31").isEqualTo(1);
    assertThat(flags.pages()).isEqualTo(1);
    assertThat(flags.knowsPageOf(30)).isFalse();
    assertThat(flags.get(30)).isZero();
    assertThat(flags.get(32)).isEqualTo(STORED);
    assertThat(flags.count(STORED, 0)).isEqualTo(2);
    assertThat(flags.forgetPageOf(5, STORED, 0)).as("twice").isZero();

    flags.mark(1_000, EVICTED);
    assertThat(flags.get(1_000 + 30 - 8)).as("a page taken again is empty").isZero();
    assertThat(flags.count(EVICTED, 0)).isEqualTo(1);
  }

  /** Blocks 30 31 32 | 100 101 102: all marked but 101. */
  @Test
  void leadingWithStopsAtTheFirstBlockThatLacksTheBit() {
    keys.reset(1);
    keys.addRun(30, 3);
    keys.addRun(100, 3);
    for (long key : new long[] {30, 31, 32, 100, 102}) {
      flags.mark(key, STORED);
    }
    flags.mark(101, EVICTED);

    assertThat(flags.leadingWith(keys, 0, 6, STORED)).isEqualTo(4);
    assertThat(flags.leadingWith(keys, 2, 6, STORED)).isEqualTo(4);
    assertThat(flags.leadingWith(keys, 5, 6, STORED)).isEqualTo(6);
    assertThat(flags.leadingWith(keys, 0, 2, STORED)).isEqualTo(2);
    assertThat(flags.leadingWith(keys, 0, 6, EVICTED)).isZero();
    assertThat(flags.leadingWith(keys, 3, 3, STORED)).as("an empty range").isEqualTo(3);
  }

  @Test
  void leadingWithGoesOnIntoTheRequestsOwnBlocks() {
    keys.reset(1);
    keys.addRun(30, 2);
    for (int position = 0; position < 50; position++) {
      flags.mark(keys.keyAt(position), STORED);
    }
    assertThat(flags.leadingWith(keys, 0, 100, STORED)).isEqualTo(50);
  }

  @Test
  void leadingWithAgreesWithAskingBlockByBlock() {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      keys.reset(round);
      while (keys.named() < 200) {
        keys.addRun(random.nextInt(5_000), 1 + random.nextInt(60));
      }
      int lacking = random.nextInt(200);
      for (int position = 0; position < 200; position++) {
        if (position != lacking) {
          flags.mark(keys.keyAt(position), STORED);
        }
      }
      int from = random.nextInt(200);
      int expected = from;
      while (expected < 200 && (flags.get(keys.keyAt(expected)) & STORED) != 0) {
        expected++;
      }
      assertThat(flags.leadingWith(keys, from, 200, STORED)).isEqualTo(expected);
    }
  }
}
