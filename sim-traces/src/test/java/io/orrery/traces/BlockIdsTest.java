package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
}
