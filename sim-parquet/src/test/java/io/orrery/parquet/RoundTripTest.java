package io.orrery.parquet;

import static io.orrery.parquet.SampleTables.OPTIONS;
import static io.orrery.parquet.SampleTables.assertSame;
import static io.orrery.parquet.SampleTables.everyType;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is what is read. */
class RoundTripTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Compression.class)
  void every_type_survives_every_compression(Compression compression) {
    ParquetTable table = everyType(1_000, 1);
    Path file = write(table, OPTIONS.withCompression(compression));
    assertSame(ParquetReader.readTable(file), table);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 8, 9, 255, 256, 257})
  void so_do_tables_of_any_length(int rows) {
    ParquetTable table = everyType(rows, rows);
    assertSame(ParquetReader.readTable(write(table, OPTIONS)), table);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void pages_and_row_groups_end_anywhere(Compression compression) {
    // 61,007 rows in groups of 25,000: 3 groups, each of several pages of about 20,000 values.
    ParquetTable table = everyType(61_007, 2);
    Path file = write(table, OPTIONS.withCompression(compression).withRowGroupRows(25_000));
    assertSame(ParquetReader.readTable(file), table);
  }

  @Test
  void two_hundred_thousand_rows() {
    ParquetTable table = everyType(200_000, 3);
    assertSame(ParquetReader.readTable(write(table, OPTIONS)), table);
  }

  @Test
  void a_large_file_is_read_row_group_by_row_group() {
    ParquetTable table = everyType(10_500, 4);
    Path file = write(table, OPTIONS.withRowGroupRows(1_000));
    try (ParquetReader reader = ParquetReader.open(file)) {
      assertThat(reader.rowCount()).isEqualTo(10_500);
      assertThat(reader.rowGroupCount()).isEqualTo(11);
      long[] expected = table.longs("time");
      int from = 0;
      for (int group = 0; group < reader.rowGroupCount(); group++) {
        ParquetTable rows = reader.readRowGroup(group, "time");
        assertThat(rows.rowCount()).isEqualTo(reader.rowCount(group));
        assertThat(rows.longs("time"))
            .isEqualTo(Arrays.copyOfRange(expected, from, from + rows.rowCount()));
        from += rows.rowCount();
      }
      assertThat(from).isEqualTo(10_500);
    }
  }

  @Test
  void a_row_may_hold_a_list_of_many_pages() {
    // 70,000 elements in one row; a page ends only where a row begins.
    long[] many = new SplittableRandom(5).longs(70_000).toArray();
    LongLists lists = LongLists.of(new long[][] {{1, 2}, many, {}, {3}});
    ParquetTable table = ParquetTable.builder().longLists("runs", lists).build();
    assertThat(ParquetReader.readTable(write(table, OPTIONS)).longLists("runs")).isEqualTo(lists);
  }

  @Test
  void a_column_may_be_null_throughout() {
    String[] nothing = new String[3_000];
    ParquetTable table =
        ParquetTable.builder()
            .nullableStrings("reason", nothing)
            .longs("ttft", new long[3_000], 0)
            .build();
    ParquetTable read = ParquetReader.readTable(write(table, OPTIONS));
    assertSame(read, table);
    assertThat(read.nullCount("reason")).isEqualTo(3_000);
    assertThat(read.longs("ttft", -1)).containsOnly(-1);
  }

  @Test
  void zeroes_keep_their_sign_in_a_dictionary_too() {
    double[] values = new double[9_000];
    Arrays.setAll(values, row -> row % 3 == 0 ? 0.0 : row % 3 == 1 ? -0.0 : Double.NaN);
    ParquetTable table = ParquetTable.builder().doubles("gain", values).build();
    assertSame(ParquetReader.readTable(write(table, OPTIONS)), table);
  }

  @Test
  void equal_texts_are_one_instance() {
    String[] texts = new String[50_000];
    Arrays.setAll(texts, row -> String.valueOf(row % 2 == 0 ? "vllm" : "sglang"));
    ParquetTable table = ParquetTable.builder().strings("engine", texts).build();
    // Two row groups, hence two dictionaries.
    String[] read =
        ParquetReader.readTable(write(table, OPTIONS.withRowGroupRows(30_000))).strings("engine");
    assertThat(read[0]).isSameAs(read[2]).isSameAs(read[49_998]);
    assertThat(read[1]).isSameAs(read[49_999]);
  }

  private Path write(ParquetTable table, WriteOptions options) {
    Path file = folder.resolve("table.parquet");
    ParquetWriter.writeTable(file, table, options);
    return file;
  }
}
