package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Names found in an array or a hash map, as in a {@link HashMap}. */
class BlockNamesTest {
  @Test
  void givesEachNameOneId() {
    SplittableRandom random = new SplittableRandom(1);
    BlockNames names = new BlockNames();
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long name =
          switch (random.nextInt(5)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(1_000_000);
            case 2 -> -random.nextInt(100);
            case 3 -> random.nextInt(20_000_000);
            default -> i / 2;
          };
      Integer known = expected.putIfAbsent(name, i);
      assertThat(names.putIfAbsent(name, i)).isEqualTo(known == null ? LongIntMap.MISSING : known);
    }
  }

  /** Sessions out of order: the numbers come in short runs, the greatest early. */
  @Test
  void numbersMayComeInAnyOrder() {
    int length = 5;
    List<Integer> runs = new ArrayList<>();
    for (int run = 0; run < 20_000; run++) {
      runs.add(run);
    }
    Collections.shuffle(runs, new Random(1));
    BlockNames names = new BlockNames();
    for (int i = 0; i < runs.size(); i++) {
      putRun(names, (long) runs.get(i) * length, length, i * length);
    }
    for (int i = 0; i < runs.size(); i++) {
      long first = (long) runs.get(i) * length;
      assertThat(names.putIfAbsent(first, -1)).isEqualTo(i * length);
      assertThat(names.inOrder(first, length, i * length)).isEqualTo(length);
    }
  }

  private static void putRun(BlockNames names, long first, int length, int id) {
    int done = names.putNew(first, length, id);
    for (int i = done; i < length; i++) {
      assertThat(names.putIfAbsent(first + i, id + i)).isEqualTo(LongIntMap.MISSING);
    }
  }
}
