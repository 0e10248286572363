package io.orrery.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool without limit is, block for block, a pool that is large enough. */
class UnlimitedBlockPoolTest {
  private static final int ENOUGH = 60_000;

  private static final class Evictions implements PoolListener {
    private int count;

    @Override
    public void stored(long first, long last) {}

    @Override
    public void removed(long first, long last) {}

    @Override
    public void evicted(int block, long key) {
      count++;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void behavesLikeAPoolThatIsLargeEnough(boolean unkeyedToFront) {
    SplittableRandom random = new SplittableRandom(7);
    Evictions evictions = new Evictions();
    BlockPool large = new BlockPool(ENOUGH, unkeyedToFront, new Evictions());
    BlockPool unlimited = new BlockPool(BlockPool.UNLIMITED, unkeyedToFront, evictions);
    List<int[]> tables = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      if (random.nextInt(3) > 0 || tables.isEmpty()) {
        tables.add(fill(large, unlimited, random));
      } else {
        int[] table = tables.remove(random.nextInt(tables.size()));
        large.release(table, table.length);
        unlimited.release(table, table.length);
      }
      assertThat(unlimited.usableBlocks() - unlimited.freeBlocks())
          .isEqualTo(large.usableBlocks() - large.freeBlocks());
      assertThat(unlimited.keyedBlocks()).isEqualTo(large.keyedBlocks());
    }
    assertThat(evictions.count).isZero();
  }

  /** A request of a few blocks, some found, some taken, of which some get keys. */
  private static int[] fill(BlockPool large, BlockPool unlimited, SplittableRandom random) {
    int[] table = new int[1 + random.nextInt(12)];
    boolean found = true;
    long firstKey = random.nextInt(400) * 32L;
    for (int k = 0; k < table.length; k++) {
      long key = firstKey + k;
      int block = found ? unlimited.lookUp(key) : 0;
      if (found) {
        assertThat(block).isEqualTo(large.lookUp(key));
      }
      found = block != 0;
      if (found) {
        large.touch(block);
        unlimited.touch(block);
      } else {
        block = unlimited.take();
        assertThat(large.take()).isEqualTo(block);
        if (random.nextInt(4) > 0) {
          large.assign(block, key);
          unlimited.assign(block, key);
        }
      }
      table[k] = block;
    }
    return table;
  }
}
