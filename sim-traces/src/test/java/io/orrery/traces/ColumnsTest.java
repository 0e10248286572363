package io.orrery.traces;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The small containers that a trace under construction is made of. */
class ColumnsTest {
  @Test
  void textsGetOneNumberEach() {
    TextIndex index = new TextIndex();
    Map<String, Integer> expected = new HashMap<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50_000; i++) {
      String text = "sess-" + random.nextInt(20_000) + (random.nextInt(9) == 0 ? "é→" : "");
      int number = expected.computeIfAbsent(text, t -> expected.size());
      assertThat(index.add(text)).isEqualTo(number);
    }
    expected.forEach(
        (text, number) -> {
          assertThat(index.find(text)).isEqualTo(number);
          assertThat(index.get(number)).isEqualTo(text);
        });
    assertThat(index.find("absent")).isEqualTo(-1);
    assertThat(index.size()).isEqualTo(expected.size());
  }

  @Test
  void rowsAreSortedStably() {
    SplittableRandom random = new SplittableRandom(2);
    for (int n : new int[] {0, 1, 2, 3, 7, 8, 9, 48, 49, 1_000, 4_097}) {
      long[] keys = random.longs(n, 0, n / 3 + 1).toArray();
      int[] expected =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingLong(i -> keys[i]))
              .mapToInt(i -> i)
              .toArray();
      assertThat(StableOrder.of(keys)).isEqualTo(expected);
      Arrays.sort(keys);
      assertThat(StableOrder.of(keys)).isEqualTo(IntStream.range(0, n).toArray());
    }
  }

  /** Of few keys by insertion, of many digit by digit; the farthest apart have all digits. */
  @Test
  void keysMayBeAsFarApartAsNumbersCanBe() {
    for (int n : new int[] {3, 300}) {
      long[] keys = new SplittableRandom(4).longs(n).toArray();
      keys[n / 3] = Long.MAX_VALUE;
      keys[n - 1] = Long.MIN_VALUE;
      int[] order = StableOrder.of(keys);
      assertThat(Arrays.stream(order).mapToLong(row -> keys[row]).toArray())
          .isEqualTo(Arrays.stream(keys).sorted().toArray())
          .isEqualTo(StableOrder.sorted(LongColumn.of(keys)).toArray());
    }
  }

  @Test
  void rowsOfAColumnAreSortedInChunksAsAllAtOnce() {
    SplittableRandom random = new SplittableRandom(3);
    for (int n : new int[] {0, 1, 9, 10, 11, 100, 3_000}) {
      for (int distinct : new int[] {1, 3, 1_000_000}) {
        long[] keys = random.longs(n, -distinct, distinct).toArray();
        for (int chunk : new int[] {1, 10, 17, 5_000}) {
          assertThat(new ColumnOrder(LongColumn.of(keys), chunk).order().toArray())
              .isEqualTo(StableOrder.of(keys));
          assertThat(new ColumnOrder(LongColumn.of(keys), chunk).sorted().toArray())
              .isEqualTo(Arrays.stream(keys).sorted().toArray());
        }
        Arrays.sort(keys);
        assertThat(new ColumnOrder(LongColumn.of(keys), 10).order().toArray())
            .isEqualTo(IntStream.range(0, n).toArray());
      }
    }
  }

  @Test
  void aSparseColumnIsAbsentUntilARowHasAValue() {
    SparseColumn column = new SparseColumn(-1);
    column.set(5, -1);
    assertThat(column.ints(IntColumn.of(0, 5))).isNull();
    column.set(40, 7);
    column.set(3, 9);
    IntColumn ints = requireNonNull(column.ints(IntColumn.of(3, 4, 40, 41)));
    assertThat(ints.toArray()).containsExactly(9, -1, 7, -1);
    LongColumn longs = requireNonNull(column.longs(IntColumn.of(40)));
    assertThat(longs.toArray()).containsExactly(7);
    assertThat(requireNonNull(column.longs(5)).toArray()).containsExactly(-1, -1, -1, 9, -1);
  }

  @Test
  void runsJoinConsecutiveIdsAndGiveSlices() {
    RunColumn runs = new RunColumn();
    runs.startList();
    for (int id : new int[] {5, 6, 7, 20, 21, 9}) {
      runs.add(id);
    }
    runs.startList();
    runs.add(10);
    assertThat(runs.firsts().toArray()).containsExactly(5, 20, 9, 10);
    assertThat(runs.lengths().toArray()).containsExactly(3, 2, 1, 1);
    assertThat(runs.at(0, 4)).isEqualTo(21);
    runs.startList();
    runs.addSlice(runs, 0, 1, 5);
    assertThat(runs.firsts().toArray()).containsExactly(5, 20, 9, 10, 6, 20);
    assertThat(runs.lengths().toArray()).containsExactly(3, 2, 1, 1, 2, 2);
    assertThat(runs.last()).isEqualTo(21);
  }
}
