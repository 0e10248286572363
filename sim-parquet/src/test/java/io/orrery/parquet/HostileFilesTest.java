package io.orrery.parquet;

import static io.orrery.parquet.SampleTables.OPTIONS;
import static io.orrery.parquet.SampleTables.everyType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a file holds, reading it ends in rows or in a {@link ParquetException}. */
class HostileFilesTest {
  @TempDir Path folder;

  @Test
  void a_file_that_does_not_exist() {
    Path file = folder.resolve("missing.parquet");
    assertThatThrownBy(() -> ParquetReader.open(file))
        .isInstanceOf(ParquetException.class)
        .hasMessage(
            file
                + ": found a file that cannot be read (it does not exist),"
                + " expected a Parquet file");
  }

  @Test
  void a_folder() {
    assertThatThrownBy(() -> ParquetReader.open(folder)).isInstanceOf(ParquetException.class);
  }

  @Test
  void a_file_of_another_kind() throws IOException {
    Path file = write("m,n,k\n1,2,3\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> ParquetReader.open(file))
        .isInstanceOfSatisfying(
            ParquetException.class,
            e -> {
              assertThat(e.file()).isEqualTo(file.toString());
              assertThat(e.column()).isNull();
            })
        .hasMessage(file + ": found a file that begins with m,n,, expected a Parquet file (PAR1)");
  }

  @Test
  void an_empty_file() throws IOException {
    assertThatThrownBy(() -> ParquetReader.open(write(new byte[0])))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("found a file that begins with nothing");
  }

  @Test
  void an_encrypted_file() throws IOException {
    byte[] bytes = sample(Compression.ZSTD);
    bytes[bytes.length - 1] = 'E';
    assertThatThrownBy(() -> ParquetReader.open(write(bytes)))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("found an encrypted footer");
  }

  @Test
  void a_file_that_was_cut_off_anywhere() throws IOException {
    byte[] bytes = sample(Compression.ZSTD);
    for (int length = 0; length < bytes.length; length++) {
      Path file = write(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> ParquetReader.open(file))
          .as("%d of %d bytes", length, bytes.length)
          .isInstanceOf(ParquetException.class);
    }
    assertThatThrownBy(() -> ParquetReader.open(write(Arrays.copyOf(bytes, 1_000))))
        .hasMessageContaining("PAR1 at its end, too (it is truncated, or was not finished)");
  }

  @Test
  void a_file_with_a_piece_cut_out() throws IOException {
    byte[] bytes = sample(Compression.SNAPPY);
    for (int from = 4; from < bytes.length - 8; from += 29) {
      byte[] rest = new byte[bytes.length - 5];
      System.arraycopy(bytes, 0, rest, 0, from);
      System.arraycopy(bytes, from + 5, rest, from, rest.length - from);
      readOrRefuse(write(rest));
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void a_file_with_a_changed_byte(Compression compression) throws IOException {
    byte[] bytes = sample(compression);
    SplittableRandom random = new SplittableRandom(9);
    for (int position = 0; position < bytes.length; position += random.nextInt(1, 6)) {
      byte[] changed = bytes.clone();
      changed[position] ^= (byte) random.nextInt(1, 256);
      readOrRefuse(write(changed));
    }
  }

  @Test
  void a_changed_byte_in_a_page_is_always_noticed() throws IOException {
    ParquetTable table = ParquetTable.builder().longs("time", new long[] {1, 2, 3}).build();
    Path file = folder.resolve("table.parquet");
    ParquetWriter.writeTable(file, table, OPTIONS.withCompression(Compression.UNCOMPRESSED));
    byte[] bytes = Files.readAllBytes(file);
    // The last byte before the footer is the last of the only page.
    int footer = footerLength(bytes);
    bytes[bytes.length - 8 - footer - 1] ^= 1;
    assertThatThrownBy(() -> ParquetReader.readTable(write(bytes)))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining(
            ": time: found damaged data in row group 0 (a page with another checksum)");
  }

  @Test
  void noise_with_the_right_ends() throws IOException {
    SplittableRandom random = new SplittableRandom(10);
    for (int round = 0; round < 1_000; round++) {
      byte[] bytes = new byte[random.nextInt(12, 400)];
      random.nextBytes(bytes);
      int end = bytes.length;
      System.arraycopy(ParquetFile.MAGIC, 0, bytes, 0, 4);
      System.arraycopy(ParquetFile.MAGIC, 0, bytes, end - 4, 4);
      Arrays.fill(bytes, end - 8, end - 4, (byte) 0);
      int footer = end - 12;
      bytes[end - 8] = (byte) footer;
      bytes[end - 7] = (byte) (footer >> 8);
      readOrRefuse(write(bytes));
    }
  }

  @Test
  void a_footer_nested_without_end() throws IOException {
    // 0x1C: a structure in a structure, for ever.
    byte[] bytes = new byte[200_012];
    Arrays.fill(bytes, (byte) 0x1C);
    System.arraycopy(ParquetFile.MAGIC, 0, bytes, 0, 4);
    System.arraycopy(new byte[] {0x40, 0x0D, 3, 0}, 0, bytes, 200_004, 4);
    System.arraycopy(ParquetFile.MAGIC, 0, bytes, 200_008, 4);
    assertThatThrownBy(() -> ParquetReader.open(write(bytes)))
        .isInstanceOf(ParquetException.class)
        .hasMessageContaining("found a damaged footer");
  }

  @Test
  void a_column_that_is_not_there_or_of_another_type() throws IOException {
    Path file = write(sample(Compression.ZSTD));
    assertThatThrownBy(() -> ParquetReader.readTable(file, "time", "latenzy"))
        .isInstanceOf(ParquetException.class)
        .hasMessageStartingWith(file + ": latenzy: found no such column, expected one of flag, ")
        .hasMessageEndingWith("(did you mean latency?)");
    assertThatThrownBy(() -> ParquetReader.readTable(file, "time").strings("time"))
        .isInstanceOf(ParquetException.class)
        .hasMessage(file + ": time: found a column of type long, expected type string");
  }

  /** Reads everything; fails on anything but rows and {@link ParquetException}. */
  static void readOrRefuse(Path file) {
    try (ParquetReader reader = ParquetReader.open(file)) {
      for (Column column : reader.schema().columns()) {
        try {
          assertThat(reader.read(column.name()).rowCount()).isEqualTo((int) reader.rowCount());
        } catch (ParquetException e) {
          assertThat(e).hasMessageContaining(file.toString());
        }
      }
    } catch (ParquetException e) {
      assertThat(e).hasMessageStartingWith(file + ": ");
    }
  }

  private byte[] sample(Compression compression) throws IOException {
    Path file = folder.resolve("sample.parquet");
    ParquetWriter.writeTable(
        file, everyType(30, 11), OPTIONS.withCompression(compression).withRowGroupRows(20));
    return Files.readAllBytes(file);
  }

  private static int footerLength(byte[] bytes) {
    return (bytes[bytes.length - 8] & 255) | (bytes[bytes.length - 7] & 255) << 8;
  }

  private Path write(byte[] bytes) throws IOException {
    return write(folder, bytes);
  }

  /** A new file of these bytes; some file systems are slow where an old one is written over. */
  static Path write(Path folder, byte[] bytes) throws IOException {
    Path file = folder.resolve("hostile.parquet");
    Files.deleteIfExists(file);
    return Files.write(file, bytes);
  }
}
