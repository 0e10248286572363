package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The map against the JDK's. */
class LongIntMapTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void behavesLikeAHashMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LongIntMap map = new LongIntMap();
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      long key = key(random, (int) seed);
      Integer before = expected.putIfAbsent(key, i);
      assertThat(map.putIfAbsent(key, i)).isEqualTo(before == null ? LongIntMap.MISSING : before);
    }
    assertThat(map.size()).isEqualTo(expected.size());
    expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    for (int i = 0; i < 10_000; i++) {
      long key = random.nextLong();
      assertThat(map.get(key)).isEqualTo(expected.getOrDefault(key, LongIntMap.MISSING));
    }
  }

  /** Dense, sparse, all high bits, multiples of a power of two, and the ends of the range. */
  private static long key(SplittableRandom random, int kind) {
    return switch (kind) {
      case 1 -> random.nextInt(50_000);
      case 2 -> random.nextLong();
      case 3 -> (long) random.nextInt(50_000) << 40;
      case 4 -> random.nextInt(50_000) * 4096L;
      default -> random.nextBoolean() ? Long.MIN_VALUE + random.nextInt(9) : -random.nextInt(9);
    };
  }
}
