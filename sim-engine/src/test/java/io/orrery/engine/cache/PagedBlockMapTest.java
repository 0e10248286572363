package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagedBlockMapTest {
  private final PagedBlockMap map = new PagedBlockMap();

  @Test
  void zeroMeansAbsent() {
    assertThat(map.get(42)).isZero();
    assertThat(map.put(42, 0)).isZero();
    assertThat(map.pages()).isZero();
    assertThat(map.put(42, 7)).isZero();
    assertThat(map.put(42, 9)).isEqualTo(7);
    assertThat(map.get(42)).isEqualTo(9);
    assertThat(map.put(42, 0)).isEqualTo(9);
    assertThat(map.get(42)).isZero();
    assertThat(map.pages()).isZero();
  }

  @Test
  void addCountsUpAndDownToAbsent() {
    assertThat(map.add(42, 2)).isEqualTo(2);
    assertThat(map.add(42, -1)).isEqualTo(1);
    assertThat(map.add(43, 0)).isZero();
    assertThat(map.add(42, -1)).isZero();
    assertThat(map.pages()).isZero();
  }

  /** Keys 30 … 35 lie on two pages of 32; 36 is absent. */
  @Test
  void copyLeadingCrossesPagesAndStopsAtAGap() {
    for (int key = 30; key < 36; key++) {
      map.put(key, key * 10);
    }
    map.put(37, 370);
    int[] target = new int[10];

    assertThat(map.copyLeading(30, 9, target, 1)).isEqualTo(6);
    assertThat(target).startsWith(0, 300, 310, 320, 330, 340, 350, 0);
    assertThat(map.copyLeading(30, 3, target, 0)).isEqualTo(3);
    assertThat(map.copyLeading(36, 3, target, 0)).isZero();
    assertThat(map.copyLeading(1000, 3, target, 0)).isZero();
  }

  /** Dense keys, sparse ones, and keys that differ only in their high bits (copies, own keys). */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void agreesWithAHashMap(int seed) {
    Random random = new Random(seed);
    Map<Long, Integer> reference = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long key = key(random, seed);
      if (random.nextInt(4) == 0) {
        int delta = random.nextInt(3) - 1;
        int sum = reference.getOrDefault(key, 0) + delta;
        assertThat(map.add(key, delta)).isEqualTo(sum);
        store(reference, key, sum);
      } else {
        int value = random.nextBoolean() ? random.nextInt(100) : 0;
        assertThat(map.put(key, value)).isEqualTo(reference.getOrDefault(key, 0));
        store(reference, key, value);
      }
      long asked = key(random, seed);
      assertThat(map.get(asked)).isEqualTo(reference.getOrDefault(asked, 0));
    }
    assertThat(map.pages())
        .isEqualTo((int) reference.keySet().stream().map(key -> key >> 5).distinct().count());
    for (long key : reference.keySet().toArray(Long[]::new)) {
      map.put(key, 0);
    }
    assertThat(map.pages()).isZero();
  }

  private static void store(Map<Long, Integer> reference, long key, int value) {
    if (value == 0) {
      reference.remove(key);
    } else {
      reference.put(key, value);
    }
  }

  private static long key(Random random, int seed) {
    return switch (seed % 3) {
      case 0 -> random.nextInt(2_000);
      case 1 -> random.nextInt(500) * 1_000_003L;
      default ->
          ((long) random.nextInt(40) << 40)
              + random.nextInt(100)
              + (random.nextBoolean() ? BlockKeys.PRIVATE : 0);
    };
  }
}
