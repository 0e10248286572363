package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTableTest {
  @Test
  void aBlockIsFoundByItsKeyUntilItIsRemoved() {
    BlockTable table = new BlockTable(8);
    put(table, 3, 1L << 40);
    assertThat(table.find(1L << 40)).isEqualTo(3);
    assertThat(table.find((1L << 40) + 1)).isZero();
    table.remove(3, 1L << 40);
    assertThat(table.find(1L << 40)).isZero();
  }

  @Test
  void aSuccessorTakesItsPlace() {
    BlockTable table = new BlockTable(8);
    put(table, 3, 77);
    table.setKey(5, 77);
    table.replace(3, 77, 5);
    assertThat(table.find(77)).isEqualTo(5);
  }

  /** With 8 blocks there are 32 slots: the keys 5, 37 and 69 share one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void ofBlocksThatShareASlotAnyCanLeaveOrGiveItsKeyToAnother(int leaving) {
    BlockTable table = new BlockTable(8);
    long[] keys = {-1, 5, 37, 69};
    for (int block = 1; block <= 3; block++) {
      put(table, block, keys[block]);
    }
    int replaced = leaving % 3 + 1;
    int staying = 6 - leaving - replaced;

    table.remove(leaving, keys[leaving]);
    table.setKey(4, keys[replaced]);
    table.replace(replaced, keys[replaced], 4);

    assertThat(table.find(keys[leaving])).isZero();
    assertThat(table.find(keys[replaced])).isEqualTo(4);
    assertThat(table.find(keys[staying])).isEqualTo(staying);
    table.remove(4, keys[replaced]);
    table.remove(staying, keys[staying]);
    assertThat(table.find(keys[staying])).isZero();
  }

  /** Runs of keys come and go, at the fullest that a pool can be, and the table grows. */
  @Test
  void agreesWithAMap() {
    SplittableRandom random = new SplittableRandom(3);
    BlockTable table = new BlockTable(512);
    Map<Long, Integer> reference = new HashMap<>();
    long[] keyOf = new long[2048];
    int next = 1;
    for (int round = 0; round < 20_000; round++) {
      if (round == 10_000) {
        table.grow();
        table.grow();
      }
      long first =
          random.nextInt(3) == 0
              ? BlockKeys.PRIVATE | random.nextLong(1L << 50)
              : random.nextLong(4000);
      int length = 1 + random.nextInt(20);
      for (long key = first; key < first + length; key++) {
        int block = next;
        next = next + 1 < table.room() ? next + 1 : 1;
        if (reference.remove(keyOf[block], block)) {
          table.remove(block, keyOf[block]);
        }
        keyOf[block] = key;
        assertThat(table.find(key)).isEqualTo(reference.getOrDefault(key, 0));
        if (!reference.containsKey(key)) {
          put(table, block, key);
          reference.put(key, block);
        }
      }
    }
    reference.forEach((key, block) -> assertThat(table.find(key)).isEqualTo(block));
  }

  private static void put(BlockTable table, int block, long key) {
    table.setKey(block, key);
    assertThat(table.addIfAbsent(block, key)).isZero();
  }
}
