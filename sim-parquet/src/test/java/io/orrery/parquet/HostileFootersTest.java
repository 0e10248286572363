package io.orrery.parquet;

import static io.orrery.parquet.SampleTables.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Footers that are well formed and say what is not so. */
class HostileFootersTest {
  @TempDir Path folder;

  @Test
  void more_rows_than_memory_holds() throws IOException {
    Path file =
        with(
            footer -> {
              footer.setNum_rows(2_000_000_000);
              footer.getRow_groups().get(0).setNum_rows(2_000_000_000);
              chunk(footer).setNum_values(1L << 40);
            });
    try (ParquetReader reader = ParquetReader.open(file)) {
      assertThat(reader.rowCount()).isEqualTo(2_000_000_000);
      // 2^40 longs of 8 bytes are 2^23 MiB.
      assertThatThrownBy(() -> reader.read("time"))
          .isInstanceOf(ParquetException.class)
          .hasMessageStartingWith(
              file + ": found 2000000000 rows, 8388608 MiB, expected at most 2147483639 rows and")
          .hasMessageEndingWith("row groups read one at a time");
    }
  }

  @Test
  void other_rows_than_the_row_groups_have() throws IOException {
    Path file = with(footer -> footer.setNum_rows(4));
    assertThatThrownBy(() -> ParquetReader.open(file))
        .isInstanceOf(ParquetException.class)
        .hasMessage(file + ": found 4 rows, and 3 in row groups, expected an intact Parquet file");
  }

  @Test
  void other_rows_than_the_pages_have() throws IOException {
    Path file =
        with(
            footer -> {
              footer.setNum_rows(4);
              footer.getRow_groups().get(0).setNum_rows(4);
            });
    assertThatThrownBy(() -> ParquetReader.readTable(file))
        .isInstanceOf(ParquetException.class)
        .hasMessage(
            file
                + ": time: found 3 rows in row group 0, which has 4,"
                + " expected an intact Parquet file");
  }

  @Test
  void pages_of_another_type() throws IOException {
    Path file = with(footer -> chunk(footer).setType(Type.DOUBLE));
    assertThatThrownBy(() -> ParquetReader.readTable(file))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining(": time: found pages of DOUBLE for int64, expected");
  }

  @Test
  void pages_beyond_the_end() throws IOException {
    Path file = with(footer -> chunk(footer).setTotal_compressed_size(1_000_000));
    assertThatThrownBy(() -> ParquetReader.readTable(file))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("found a reference to bytes 4 to 1000004 of ");
  }

  @Test
  void an_unsupported_compression() throws IOException {
    Path file = with(footer -> chunk(footer).setCodec(CompressionCodec.LZO));
    assertThatThrownBy(() -> ParquetReader.readTable(file))
        .isInstanceOf(ParquetException.class)
        .hasMessage(
            file
                + ": time: found pages compressed with LZO,"
                + " expected one of UNCOMPRESSED, SNAPPY, GZIP, ZSTD");
  }

  @Test
  void another_compression_than_the_pages_have() throws IOException {
    Path file = with(footer -> chunk(footer).setCodec(CompressionCodec.GZIP));
    assertThatThrownBy(() -> ParquetReader.readTable(file))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining(": time: found damaged data in row group 0 (Not in GZIP format)");
  }

  @Test
  void two_columns_of_one_name() throws IOException {
    Path file = with(footer -> footer.getSchema().get(2).setName("time"));
    assertThatThrownBy(() -> ParquetReader.open(file))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("found two columns are called time");
  }

  @Test
  void a_schema_that_breaks_off() throws IOException {
    Path file = with(footer -> footer.getSchema().get(0).setNum_children(9));
    assertThatThrownBy(() -> ParquetReader.open(file))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("found a schema that breaks off");
  }

  private static ColumnMetaData chunk(FileMetaData footer) {
    return footer.getRow_groups().get(0).getColumns().get(0).getMeta_data();
  }

  /** A file with three rows of longs {@code time} and ints {@code count}, and a changed footer. */
  private Path with(Consumer<FileMetaData> change) throws IOException {
    Path file = folder.resolve("table.parquet");
    ParquetTable table =
        ParquetTable.builder()
            .longs("time", new long[] {1, 2, 3})
            .ints("count", new int[] {4, 5, 6})
            .build();
    ParquetWriter.writeTable(file, table, OPTIONS);
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int start = bytes.length - 8 - view.getInt(bytes.length - 8);
    FileMetaData footer = new FileMetaData();
    ThriftBytes.read(footer, bytes, start);
    change.accept(footer);
    byte[] changed = ThriftBytes.of(footer);
    ByteBuffer out = ByteBuffer.allocate(start + changed.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    out.put(bytes, 0, start).put(changed).putInt(changed.length).put(ParquetFile.MAGIC);
    return HostileFilesTest.write(folder, out.array());
  }
}
