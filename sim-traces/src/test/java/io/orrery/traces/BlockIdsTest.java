package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockIdsTest {
  /** Runs and single ids in any order: what stands before an id is what was given. */
  @Test
  void aRunIsIdsOneAfterTheOther() {
    SplittableRandom random = new SplittableRandom(3);
    BlockIds ids = new BlockIds();
    List<Integer> predecessors = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      int before = random.nextInt(-1, predecessors.size() + 1);
      before = Math.min(before, predecessors.size() - 1);
      int length = random.nextInt(3) == 0 ? random.nextInt(1, 9) : 1;
      int first = length == 1 ? ids.fresh(before) : ids.freshRun(before, length);
      assertThat(first).isEqualTo(predecessors.size());
      for (int k = 0; k < length; k++) {
        predecessors.add(k == 0 ? before : first + k - 1);
      }
    }
    assertThat(ids.count()).isEqualTo(predecessors.size());
    for (int id = 0; id < predecessors.size(); id++) {
      assertThat(ids.chained(id, predecessors.get(id))).isEqualTo(id);
    }
    assertThat(ids.forked()).isZero();
    int fork = ids.chained(5, 1_000_000);
    assertThat(fork).isEqualTo(predecessors.size());
    assertThat(ids.chained(5, 1_000_000)).isEqualTo(fork);
    assertThat(ids.forked()).isEqualTo(1);
  }

  @Test
  void aRunOfAThousandMillionTakesNoTimeAndNoMemory() {
    BlockIds ids = new BlockIds();
    int first = ids.freshRun(BlockIds.NONE, 1_000_000_000);
    int last = first + 999_999_999;

    assertThat(ids.fresh(last)).isEqualTo(1_000_000_000);
    assertThat(ids.chained(last, last - 1)).isEqualTo(last);
    assertThat(ids.chained(1_000_000_000, last)).isEqualTo(1_000_000_000);
  }

  /**
   * Lists of runs that go on, begin in the middle of known ones, or name a block behind another
   * one: the same ids as names one by one give.
   */
  @Test
  void aRunOfNamesIsItsNames() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 200; round++) {
      BlockIds byRun = new BlockIds();
      BlockIds byName = new BlockIds();
      BlockNames namesOfRuns = new BlockNames();
      BlockNames names = new BlockNames();
      if (round % 4 == 3) {
        byRun.freshRun(BlockIds.NONE, 5);
        byName.freshRun(BlockIds.NONE, 5);
      }
      int most = random.nextBoolean() ? 60 : 4_000;
      for (int list = 0; list < 30; list++) {
        HashRuns hashes = new HashRuns();
        for (int run = random.nextInt(4); run >= 0; run--) {
          hashes.add(random.nextInt(most) - round % 3, random.nextInt(1, 40));
        }
        int from = random.nextInt(hashes.size());
        int to = random.nextInt(from, hashes.size() + 1);
        RunColumn ids = new RunColumn();
        int last = byRun.internAll(namesOfRuns, hashes, from, to, BlockIds.NONE, ids);
        RunColumn expected = new RunColumn();
        int block = BlockIds.NONE;
        for (long name : slice(hashes, from, to)) {
          block = byName.intern(names, name, block);
          expected.add(block);
        }

        assertThat(last).isEqualTo(block);
        assertThat(ids.firsts().toArray()).isEqualTo(expected.firsts().toArray());
        assertThat(ids.lengths().toArray()).isEqualTo(expected.lengths().toArray());
        assertThat(byRun.count()).isEqualTo(byName.count());
        assertThat(byRun.forked()).isEqualTo(byName.forked());
      }
    }
  }

  private static long[] slice(HashRuns hashes, int from, int to) {
    LongStream.Builder all = LongStream.builder();
    for (int run = 0; run < hashes.runs(); run++) {
      for (int i = 0; i < hashes.length(run); i++) {
        all.add(hashes.first(run) + i);
      }
    }
    return all.build().skip(from).limit(to - from).toArray();
  }
}
