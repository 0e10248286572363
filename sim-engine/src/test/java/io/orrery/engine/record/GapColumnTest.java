package io.orrery.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GapColumnTest {
  private final GapColumn column = new GapColumn();

  @Test
  void rowsHaveNoTimeUntilTheyGetOne() {
    column.ensure(3);
    column.set(1, 0);
    assertThat(column.get(0)).isEqualTo(GapColumn.NONE);
    assertThat(column.get(1)).isZero();
    column.set(1, GapColumn.NONE);
    assertThat(column.get(1)).isEqualTo(GapColumn.NONE);
  }

  @Test
  void theLongestNarrowGapAndTheFirstWideOneAreKeptExactly() {
    column.ensure(4);
    column.set(0, 0xFFFF_FFFFL);
    column.set(1, GapColumn.MOST_NARROW);
    column.set(2, GapColumn.MOST_NARROW + 1);
    assertThat(column.get(0)).isEqualTo(0xFFFF_FFFFL);
    assertThat(column.get(1)).isEqualTo(GapColumn.MOST_NARROW);
    assertThat(column.get(2)).isEqualTo(GapColumn.MOST_NARROW + 1);
    assertThat(column.get(3)).isEqualTo(GapColumn.NONE);
  }

  @Test
  void keepsWhatAnArrayWouldKeep() {
    Random random = new Random(1);
    for (int round = 0; round < 20; round++) {
      GapColumn gaps = new GapColumn();
      long[] expected = new long[1_000];
      Arrays.fill(expected, GapColumn.NONE);
      int rows = 0;
      while (rows < expected.length) {
        rows = Math.min(expected.length, rows + 1 + random.nextInt(300));
        gaps.ensure(rows);
        for (int i = 0; i < 200; i++) {
          int row = random.nextInt(rows);
          // Some rounds have a gap that needs more than five bytes, at some time.
          expected[row] = random.nextLong() >>> (i == 7 ? 18 + round : 24 + random.nextInt(40));
          gaps.set(row, expected[row]);
        }
      }
      for (int row = 0; row < rows; row++) {
        assertThat(gaps.get(row)).isEqualTo(expected[row]);
      }
    }
  }
}
