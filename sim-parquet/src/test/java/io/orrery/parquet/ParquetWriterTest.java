package io.orrery.parquet;

import static io.orrery.parquet.SampleTables.OPTIONS;
import static io.orrery.parquet.SampleTables.everyType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetWriterTest {
  private static final Schema STEPS =
      Schema.of(
          Column.required("step", ColumnType.INT),
          Column.nullable("reason", ColumnType.STRING),
          Column.required("runs", ColumnType.LONG_LIST));

  private static final Schema INTS_AND_TEXTS =
      Schema.of(
          Column.required("number", ColumnType.INT),
          Column.nullable("text", ColumnType.STRING),
          Column.required("list", ColumnType.INT_LIST));

  @TempDir Path folder;

  @Test
  void rows_are_written_one_by_one() {
    Path file = folder.resolve("steps.parquet");
    try (ParquetWriter writer = ParquetWriter.create(file, STEPS, OPTIONS)) {
      ColumnAppender step = writer.column("step");
      ColumnAppender reason = writer.column("reason");
      ColumnAppender runs = writer.column("runs");
      step.add(1);
      reason.add("capacity");
      runs.add(new long[] {10, 20, 30, 40}, 1, 3);
      writer.endRow();
      step.add(2);
      reason.addNull();
      runs.add(new long[0], 0, 0);
      writer.endRow();
      writer.metadata("rows", Long.toString(writer.rowCount()));
      writer.commit();
    }
    ParquetTable table = ParquetReader.readTable(file);
    assertThat(table.ints("step")).containsExactly(1, 2);
    assertThat(table.nullableStrings("reason")).containsExactly("capacity", null);
    assertThat(table.longLists("runs")).isEqualTo(LongLists.of(new long[][] {{20, 30}, {}}));
    assertThat(table.metadata()).containsExactly(Map.entry("rows", "2"));
  }

  @Test
  void columns_encoded_in_parallel_give_the_same_bytes() {
    Path inTurn = folder.resolve("in-turn.parquet");
    Path parallel = folder.resolve("parallel.parquet");
    writeIntsAndTexts(inTurn, OPTIONS.withRowGroupRows(25_000));
    writeIntsAndTexts(parallel, OPTIONS.withRowGroupRows(25_000).inParallel());
    assertThat(parallel).hasSameBinaryContentAs(inTurn);
    assertThat(ParquetReader.readTable(parallel).intLists("list").length(20_000))
        .isEqualTo(1 << 21);
  }

  /** More rows than are encoded at once, one of them a list that is encoded by itself. */
  private static void writeIntsAndTexts(Path file, WriteOptions options) {
    try (ParquetWriter writer = ParquetWriter.create(file, INTS_AND_TEXTS, options)) {
      writeIntsAndTexts(writer);
    }
  }

  private static void writeIntsAndTexts(ParquetWriter writer) {
    ColumnAppender number = writer.column("number");
    ColumnAppender text = writer.column("text");
    ColumnAppender list = writer.column("list");
    int[] elements = new int[1 << 21];
    for (int row = 0; row < 40_000; row++) {
      number.add(row % 777);
      text.add(row % 3 == 0 ? null : "row " + row % 500);
      list.add(elements, 0, row == 20_000 ? elements.length : row % 4);
      writer.endRow();
    }
    writer.commit();
  }

  @Test
  void the_same_rows_give_the_same_bytes_however_they_come() throws IOException {
    ParquetTable table = everyType(5_000, 6);
    WriteOptions options = OPTIONS.withRowGroupRows(1_700);
    Path once = folder.resolve("once.parquet");
    ParquetWriter.writeTable(once, table, options);
    Path again = folder.resolve("again.parquet");
    ParquetWriter.writeTable(again, everyType(5_000, 6), options);
    Path slices = folder.resolve("slices.parquet");
    try (ParquetWriter writer = ParquetWriter.create(slices, table.schema(), options)) {
      for (int from = 0; from < 5_000; from += 77) {
        for (int row = from; row < Math.min(5_000, from + 77); row++) {
          for (ColumnData column : table.columns()) {
            writer.column(column.column().name()).addAll(column, row, row + 1);
          }
          writer.endRow();
        }
      }
      // Metadata in another order.
      writer.metadata("seed", "6");
      writer.metadata("origin", "made up");
      writer.commit();
    }
    byte[] bytes = Files.readAllBytes(once);
    assertThat(Files.readAllBytes(again)).isEqualTo(bytes);
    assertThat(Files.readAllBytes(slices)).isEqualTo(bytes);
  }

  @Test
  void the_file_says_who_wrote_it_and_its_metadata_is_sorted() {
    Path file = folder.resolve("table.parquet");
    ParquetTable table =
        ParquetTable.builder()
            .ints("m", new int[] {1})
            .metadata("b", "2")
            .metadata("a", "1")
            .build();
    ParquetWriter.writeTable(file, table, WriteOptions.of("orrery version 9.9"));
    try (ParquetReader reader = ParquetReader.open(file)) {
      assertThat(reader.createdBy()).isEqualTo("orrery version 9.9");
      assertThat(reader.metadata().keySet()).containsExactly("a", "b");
    }
  }

  @Test
  void nothing_is_seen_before_commit_and_nothing_is_left_without_it() throws IOException {
    Path file = folder.resolve("steps.parquet");
    Files.writeString(file, "older");
    try (ParquetWriter writer = ParquetWriter.create(file, STEPS, OPTIONS)) {
      writer.column("step").add(1);
      assertThat(file).hasContent("older");
      assertThat(files()).hasSize(2);
    }
    assertThat(files()).containsExactly("steps.parquet");
    assertThat(file).hasContent("older");
  }

  @Test
  void two_writers_of_one_file_do_not_meet() throws IOException {
    Path file = folder.resolve("m.parquet");
    Schema schema = Schema.of(Column.required("m", ColumnType.INT));
    try (ParquetWriter first = ParquetWriter.create(file, schema, OPTIONS);
        ParquetWriter second = ParquetWriter.create(file, schema, OPTIONS)) {
      first.column("m").add(1);
      first.endRow();
      second.column("m").add(2);
      second.endRow();
      first.commit();
      second.commit();
    }
    assertThat(ParquetReader.readTable(file).ints("m")).containsExactly(2);
    assertThat(files()).containsExactly("m.parquet");
  }

  @Test
  void ints_go_where_longs_and_doubles_are_kept() {
    Path file = folder.resolve("wide.parquet");
    Schema schema =
        Schema.of(
            Column.required("tokens", ColumnType.LONG), Column.required("ms", ColumnType.DOUBLE));
    try (ParquetWriter writer = ParquetWriter.create(file, schema, OPTIONS)) {
      writer.column("tokens").add(3);
      writer.column("ms").add(4);
      writer.endRow();
      writer.commit();
    }
    ParquetTable table = ParquetReader.readTable(file);
    assertThat(table.longs("tokens")).containsExactly(3);
    assertThat(table.doubles("ms")).containsExactly(4.0);
  }

  @Test
  void a_value_of_another_type_is_refused() {
    Path file = folder.resolve("steps.parquet");
    try (ParquetWriter writer = ParquetWriter.create(file, STEPS, OPTIONS)) {
      assertThatThrownBy(() -> writer.column("step").add(1.5))
          .isInstanceOf(ParquetException.class)
          .hasMessage(file + ": step: found a value of type double, expected type int");
      assertThatThrownBy(() -> writer.column("step").addNull())
          .isInstanceOf(ParquetException.class)
          .hasMessage(file + ": step: found no value for row 0, expected a value in every row");
      assertThatThrownBy(() -> writer.column("stop"))
          .isInstanceOf(ParquetException.class)
          .hasMessageContaining("did you mean step?");
    }
  }

  @Test
  void a_row_has_one_value_in_every_column() {
    Path file = folder.resolve("steps.parquet");
    try (ParquetWriter writer = ParquetWriter.create(file, STEPS, OPTIONS)) {
      writer.column("step").add(1);
      assertThatThrownBy(writer::endRow)
          .isInstanceOf(ParquetException.class)
          .hasMessage(file + ": reason: found 0 values in row 0, expected one value a row");
      assertThatThrownBy(writer::commit)
          .isInstanceOf(ParquetException.class)
          .hasMessage(file + ": step: found a row that was not ended, expected whole rows");
    }
  }

  @Test
  void a_table_of_other_columns_is_refused() {
    ParquetTable table = ParquetTable.builder().ints("m", new int[] {1}).build();
    try (ParquetWriter writer =
        ParquetWriter.create(folder.resolve("steps.parquet"), STEPS, OPTIONS)) {
      assertThatThrownBy(() -> writer.write(table))
          .isInstanceOf(ParquetException.class)
          .hasMessageContaining("found a table of [m: int], expected columns [step: int, reason:");
    }
  }

  @Test
  void a_place_that_does_not_exist_is_named() {
    Path file = folder.resolve("nowhere/table.parquet");
    assertThatThrownBy(() -> ParquetWriter.create(file, STEPS, OPTIONS))
        .isInstanceOf(ParquetException.class)
        .hasMessageStartingWith(file + ": found a file that cannot be written");
  }

  @Test
  void a_committed_writer_takes_no_more() {
    ParquetWriter writer = ParquetWriter.create(folder.resolve("s.parquet"), STEPS, OPTIONS);
    writer.commit();
    assertThatThrownBy(writer::endRow).isInstanceOf(IllegalStateException.class);
    writer.close();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
