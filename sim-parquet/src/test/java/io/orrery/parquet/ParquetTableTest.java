package io.orrery.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ParquetTableTest {
  private static final ParquetTable KERNELS =
      ParquetTable.builder()
          .strings("gemm_dtype", new String[] {"fp8", "nvfp4"})
          .longs("m", new long[] {1, 32_768})
          .ints("heads", new int[] {8, 64})
          .doubles("latency", new double[] {0.5, 12.25})
          .longs("bytes", new long[] {5_000_000_000L, -1}, -1)
          .build();

  @Test
  void numbers_are_given_as_the_caller_can_use_them() {
    assertThat(KERNELS.ints("m")).containsExactly(1, 32_768);
    assertThat(KERNELS.longs("heads")).containsExactly(8, 64);
    assertThat(KERNELS.doubles("heads")).containsExactly(8, 64);
  }

  @Test
  void but_not_where_they_do_not_fit() {
    assertThatThrownBy(() -> KERNELS.ints("bytes", 0))
        .isInstanceOf(ParquetException.class)
        .hasMessage(
            "bytes: found 5000000000 in row 0, expected numbers from -2147483648 to 2147483647");
    // A long may have more digits than a double.
    assertThatThrownBy(() -> KERNELS.doubles("m"))
        .isInstanceOf(ParquetException.class)
        .hasMessage("m: found a column of type long, expected type double");
  }

  @Test
  void a_row_without_a_value_is_an_error_or_what_the_caller_says() {
    assertThat(KERNELS.longs("bytes", 0)).containsExactly(5_000_000_000L, 0);
    assertThat(KERNELS.isNull("bytes", 1)).isTrue();
    assertThat(KERNELS.nullCount("bytes")).isEqualTo(1);
    assertThatThrownBy(() -> KERNELS.longs("bytes"))
        .isInstanceOf(ParquetException.class)
        .hasMessage("bytes: found no value in row 1 of 2, expected a value in every row");
  }

  @Test
  void another_type_is_named() {
    assertThatThrownBy(() -> KERNELS.strings("latency"))
        .isInstanceOf(ParquetException.class)
        .hasMessage("latency: found a column of type double, expected type string");
    assertThatThrownBy(() -> KERNELS.longLists("m"))
        .isInstanceOf(ParquetException.class)
        .hasMessage("m: found a column of type long, expected type list of long");
  }

  @Test
  void a_missing_column_is_named_with_the_nearest_and_all_there_are() {
    assertThatThrownBy(() -> KERNELS.doubles("latncy"))
        .isInstanceOfSatisfying(
            ParquetException.class,
            e -> {
              assertThat(e.column()).isEqualTo("latncy");
              assertThat(e.file()).isNull();
            })
        .hasMessage(
            "latncy: found no such column, expected one of gemm_dtype, m, heads, latency, bytes"
                + " (did you mean latency?)");
    assertThatThrownBy(() -> KERNELS.doubles("throughput"))
        .isInstanceOf(ParquetException.class)
        .hasMessageEndingWith("expected one of gemm_dtype, m, heads, latency, bytes");
  }

  @Test
  void columns_of_a_table_have_one_length_and_different_names() {
    ParquetTableBuilder uneven = ParquetTable.builder().ints("m", new int[2]).ints("n", new int[3]);
    assertThatThrownBy(uneven::build).hasMessage("n has 3 rows, not 2");
    assertThatThrownBy(() -> uneven.ints("m", new int[2])).hasMessage("two columns are called m");
    assertThatThrownBy(() -> uneven.strings("s", new String[] {"a", null}))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void nulls_are_marked_where_no_number_is_free_to_mean_them() {
    BitSet second = new BitSet();
    second.set(1);
    ParquetTable table =
        ParquetTable.builder()
            .booleans("warm", new boolean[] {true, true})
            .nulls("warm", second)
            .strings("engine", new String[] {"vllm", "none"})
            .nulls("engine", second)
            .build();
    assertThat(table.booleans("warm", false)).containsExactly(true, false);
    assertThat(table.nullableStrings("engine")).containsExactly("vllm", null);
    assertThatThrownBy(
            () ->
                ParquetTable.builder()
                    .intLists("runs", IntLists.of(new int[][] {{}, {1}}))
                    .nulls("runs", second))
        .hasMessage("runs: a null list has no elements");
  }

  @Test
  void lists_are_cut_from_one_array() {
    IntLists lists = new IntLists(new int[] {0, 2, 2, 3}, new int[] {5, 6, 7});
    assertThat(lists).isEqualTo(IntLists.of(new int[][] {{5, 6}, {}, {7}}));
    assertThat(lists.rowCount()).isEqualTo(3);
    assertThat(lists.length(0)).isEqualTo(2);
    assertThat(lists.get(0, 1)).isEqualTo(6);
    assertThat(lists.row(2)).containsExactly(7);
    assertThatThrownBy(() -> new IntLists(new int[] {0, 2}, new int[3]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LongLists(new int[] {0, 2, 1, 3}, new long[3]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
