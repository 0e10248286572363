package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** vLLM's rules for blocks, worked by hand. */
class BlockPoolTest {
  private final List<String> events = new ArrayList<>();
  private final PoolListener listener =
      new PoolListener() {
        @Override
        public void stored(long first, long last) {
          events.add("+" + run(first, last));
        }

        @Override
        public void removed(long first, long last) {
          events.add("-" + run(first, last));
        }

        private String run(long first, long last) {
          return first == last ? "" + first : first + ".." + last;
        }
      };

  @Test
  void blocksAreTakenFromTheFrontAndReturnLastBlockFirst() {
    BlockPool pool = new BlockPool(6, true, listener);
    assertThat(pool.usableBlocks()).isEqualTo(5);
    int[] table = {pool.take(), pool.take(), pool.take()};
    assertThat(table).containsExactly(1, 2, 3);
    pool.assign(1, 100);
    pool.assign(2, 101);

    pool.release(table, 3);
    // Block 3 has no key and goes to the front; then the untouched 4, 5; then 2 before 1.
    assertThat(queue(pool)).containsExactly(3, 4, 5, 2, 1);
    assertThat(events).containsExactly("+100", "+101");
  }

  @Test
  void theOlderVersionAppendsBlocksWithoutKeyToo() {
    BlockPool pool = new BlockPool(6, false, listener);
    int[] table = {pool.take(), pool.take(), pool.take()};
    pool.assign(1, 100);
    pool.assign(2, 101);
    pool.release(table, 3);
    assertThat(queue(pool)).containsExactly(4, 5, 3, 2, 1);
  }

  @Test
  void aFreedBlockKeepsItsKeyUntilItIsTaken() {
    BlockPool pool = new BlockPool(3, true, listener);
    int[] table = {pool.take()};
    pool.assign(1, 100);
    pool.release(table, 1);
    assertThat(pool.lookUp(100)).isEqualTo(1);

    pool.touch(1);
    assertThat(queue(pool)).containsExactly(2);
    assertThat(pool.references(1)).isEqualTo(1);
    pool.release(table, 1);
    assertThat(queue(pool)).containsExactly(2, 1);

    pool.take();
    assertThat(pool.lookUp(100)).isEqualTo(1);
    assertThat(pool.take()).isEqualTo(1);
    assertThat(pool.lookUp(100)).isZero();
    assertThat(events).containsExactly("+100", "-100");
    assertThatThrownBy(pool::take).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void duplicatesStayAndTheOldestInsertedIsFound() {
    BlockPool pool = new BlockPool(5, true, listener);
    int[] first = {pool.take()};
    int[] second = {pool.take()};
    int[] third = {pool.take()};
    pool.assign(2, 100);
    pool.assign(1, 100);
    pool.assign(3, 100);
    assertThat(pool.lookUp(100)).isEqualTo(2);
    assertThat(pool.keyedBlocks()).isEqualTo(3);

    // Queue: 4, then 2, 1, 3 in the order of their release.
    pool.release(second, 1);
    pool.release(first, 1);
    pool.release(third, 1);
    assertThat(queue(pool)).containsExactly(4, 2, 1, 3);
    pool.take();
    assertThat(pool.take()).isEqualTo(2);
    assertThat(pool.lookUp(100)).isEqualTo(1);
    assertThat(pool.take()).isEqualTo(1);
    assertThat(pool.lookUp(100)).isEqualTo(3);
    assertThat(pool.take()).isEqualTo(3);
    assertThat(pool.lookUp(100)).isZero();
    assertThat(events).containsExactly("+100", "-100");
  }

  @Test
  void runsOfKeysAreFoundUpToTheFirstGap() {
    BlockPool pool = new BlockPool(100, true, listener);
    for (int i = 0; i < 70; i++) {
      if (i != 50) {
        pool.assign(pool.take(), 1_000 + i);
      }
    }
    int[] found = new int[80];
    assertThat(pool.lookUpRun(1_000, 80, found, 0)).isEqualTo(50);
    assertThat(pool.lookUpRun(1_051, 80, found, 0)).isEqualTo(19);
    assertThat(pool.lookUpRun(999, 80, found, 0)).isZero();
  }

  @Test
  void aPoolNeedsAUsableBlock() {
    assertThatThrownBy(() -> new BlockPool(1, true, listener))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 2 blocks");
  }

  private static int[] queue(BlockPool pool) {
    int[] out = new int[pool.usableBlocks()];
    return Arrays.copyOf(out, pool.copyFreeQueue(out));
  }

  /** Blocks 1 2 3 4 hold 100 101 102 200; released, they are taken as 4 3 2 1. */
  @Test
  void keysThatFollowOneAnotherAreToldTogether() {
    BlockPool pool = new BlockPool(5, true, listener);
    BlockKeys keys = new BlockKeys();
    keys.reset(1);
    keys.addRun(100, 3);
    keys.addRun(200, 1);
    int[] table = new int[5];
    pool.take(table, 1, 4);
    assertThat(table).containsExactly(0, 1, 2, 3, 4);
    int[] held = {1, 2, 3, 4};
    pool.assign(held, keys, 0, 4);
    assertThat(events).containsExactly("+100..102", "+200");

    events.clear();
    pool.release(held, 4);
    pool.take(table, 0, 4);
    assertThat(table).startsWith(4, 3, 2, 1);
    assertThat(events).containsExactly("-200", "-102..100");
    assertThat(pool.freeBlocks()).isZero();
    assertThatThrownBy(() -> pool.take(table, 0, 1)).isInstanceOf(IllegalStateException.class);
  }
}
