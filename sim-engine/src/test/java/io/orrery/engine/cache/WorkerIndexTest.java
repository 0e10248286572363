package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerIndexTest {
  /** Prompt 10 11 12. Worker 0 holds 10 11, worker 1 all, worker 2 only 11 12: no prefix. */
  @Test
  void aWorkersDepthEndsAtTheFirstBlockItLacks() {
    WorkerIndex index = new WorkerIndex(4);
    hold(index, 0, 10, 11);
    hold(index, 1, 10, 11, 12);
    hold(index, 2, 11, 12);
    BlockKeys keys = new BlockKeys();
    keys.reset(1);
    keys.addRun(10, 3);

    assertThat(depths(index, keys, 3)).containsExactly(2, 3, 0, 0);
    assertThat(depths(index, keys, 2)).containsExactly(2, 2, 0, 0);
    assertThat(depths(index, keys, 0)).containsExactly(0, 0, 0, 0);
    assertThat(depths(index, keys, 5)).as("own blocks nobody holds").containsExactly(2, 3, 0, 0);
  }

  @Test
  void addingTwiceAndRemovingTwiceCountOnce() {
    WorkerIndex index = new WorkerIndex(2);
    assertThat(index.add(7, 1)).isTrue();
    assertThat(index.add(7, 1)).isFalse();
    assertThat(index.holds(7, 1)).isTrue();
    assertThat(index.holds(7, 0)).isFalse();
    assertThat(index.remove(7, 0)).isFalse();
    assertThat(index.remove(7, 1)).isTrue();
    assertThat(index.remove(7, 1)).isFalse();
    assertThat(index.holds(7, 1)).isFalse();
  }

  /** One, two and three words of workers, and both sides of each border. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16, 63, 64, 65, 100, 127, 128, 129, 130})
  void agreesWithAMapOfSets(int workers) {
    Random random = new Random(workers);
    WorkerIndex index = new WorkerIndex(workers);
    Map<Long, BitSet> reference = new HashMap<>();
    BlockKeys keys = new BlockKeys();
    for (int round = 0; round < 300; round++) {
      for (int i = 0; i < 200; i++) {
        change(random, workers, index, reference);
      }
      keys.reset(round);
      int length = 1 + random.nextInt(120);
      while (keys.named() < length) {
        keys.addRun(random.nextInt(400), 1 + random.nextInt(50));
      }
      assertThat(depths(index, keys, length)).isEqualTo(depths(reference, keys, length, workers));
    }
  }

  /** Adds or removes a few neighbouring blocks of one worker; most workers hold most blocks. */
  private static void change(
      Random random, int workers, WorkerIndex index, Map<Long, BitSet> reference) {
    int worker = random.nextInt(workers);
    long first = random.nextInt(400);
    boolean add = random.nextInt(10) < 9;
    for (long key = first; key < first + (add ? 40 : 2); key++) {
      BitSet holders = reference.computeIfAbsent(key, unused -> new BitSet());
      assertThat(index.holds(key, worker)).isEqualTo(holders.get(worker));
      assertThat(add ? index.add(key, worker) : index.remove(key, worker))
          .isEqualTo(holders.get(worker) != add);
      holders.set(worker, add);
    }
  }

  private static int[] depths(Map<Long, BitSet> reference, BlockKeys keys, int limit, int workers) {
    int[] depths = new int[workers];
    for (int worker = 0; worker < workers; worker++) {
      int position = 0;
      while (position < limit
          && reference.getOrDefault(keys.keyAt(position), new BitSet()).get(worker)) {
        position++;
      }
      depths[worker] = position;
    }
    return depths;
  }

  private static int[] depths(WorkerIndex index, BlockKeys keys, int limit) {
    int[] depths = new int[index.workers()];
    Arrays.fill(depths, -1);
    index.depths(keys, limit, depths);
    return depths;
  }

  private static void hold(WorkerIndex index, int worker, long... held) {
    for (long key : held) {
      index.add(key, worker);
    }
  }
}
