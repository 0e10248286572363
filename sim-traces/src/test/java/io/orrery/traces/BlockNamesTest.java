package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
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
}
