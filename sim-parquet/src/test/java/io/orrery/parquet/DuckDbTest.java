package io.orrery.parquet;

import static io.orrery.parquet.SampleTables.OPTIONS;
import static io.orrery.parquet.SampleTables.everyType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** DuckDB reads what is written here, and what DuckDB writes is read here. */
class DuckDbTest {
  private static Connection duckDb;

  @TempDir Path folder;

  @BeforeAll
  static void open() throws SQLException {
    duckDb = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = duckDb.createStatement()) {
      statement.execute("SET autoinstall_known_extensions = false");
      statement.execute("SET threads = 1");
    }
  }

  @AfterAll
  static void close() throws SQLException {
    duckDb.close();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void it_reads_every_type(Compression compression) throws SQLException {
    ParquetTable table = everyType(30_000, 7);
    Path file = folder.resolve("ours.parquet");
    ParquetWriter.writeTable(
        file, table, OPTIONS.withCompression(compression).withRowGroupRows(12_345));
    assertThat(rows(file, "*")).isEqualTo(rows(table));
  }

  @Test
  void it_reads_the_same_out_of_a_kernel_table() throws SQLException {
    Path file =
        KernelTablesTest.folder()
            .resolve("systems/data/b200_sxm/gemm/vllm/0.24.0/gemm_perf.parquet");
    String[] columns = {"gemm_dtype", "m", "n", "k", "latency"};
    assertThat(rows(ParquetReader.readTable(file, columns)))
        .isEqualTo(rows(file, String.join(",", columns)));
  }

  @Test
  void it_sees_metadata_and_writer() throws SQLException {
    Path file = folder.resolve("ours.parquet");
    ParquetWriter.writeTable(file, everyType(10, 8), OPTIONS);
    assertThat(one("SELECT created_by FROM parquet_file_metadata('" + file + "')"))
        .isEqualTo("orrery version 0.1.0");
    assertThat(one("SELECT decode(value) FROM parquet_kv_metadata('" + file + "') LIMIT 1"))
        .isEqualTo("made up");
  }

  /**
   * 50,000 rows i = 0, 1, …: numbers of all widths, i or a dictionary's worth of it, null where i
   * is a multiple of 3, lists of i mod 4 elements.
   */
  @ParameterizedTest
  @CsvSource({
    "snappy, v1",
    "zstd, v1",
    "gzip, v1",
    "uncompressed, v1",
    "snappy, v2",
    "zstd, v2",
    "gzip, v2"
  })
  void what_it_writes_is_read(String codec, String version) throws SQLException {
    Path file = folder.resolve("theirs.parquet");
    copy(
        """
        SELECT i::INTEGER AS int32, i * 5000000000 AS int64, (i % 100)::TINYINT AS int8,
               4294967295::UINTEGER - i::UINTEGER AS uint32, i::UBIGINT AS uint64,
               i / 8 AS double, (i / 8)::FLOAT AS float, i % 2 = 0 AS flag,
               'request-' || i AS request, 'engine-' || i % 3 AS engine,
               CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS some,
               [x::INTEGER FOR x IN range(i, i + i % 4)] AS ints,
               CASE WHEN i % 4 = 0 THEN NULL ELSE range(i, i + i % 4) END AS longs,
               {'m': i, 'n': 'x'} AS shape
        FROM range(50000) t(i)
        """,
        file, "CODEC '" + codec + "', PARQUET_VERSION " + version + ", ROW_GROUP_SIZE 20000");
    ParquetTable table = ParquetReader.readTable(file);
    assertThat(table.rowCount()).isEqualTo(50_000);
    int[] int32 = table.ints("int32");
    long[] int64 = table.longs("int64");
    int[] int8 = table.ints("int8");
    long[] uint32 = table.longs("uint32");
    long[] uint64 = table.longs("uint64");
    double[] doubles = table.doubles("double");
    double[] floats = table.doubles("float");
    boolean[] flags = table.booleans("flag");
    String[] requests = table.strings("request");
    String[] engines = table.strings("engine");
    long[] some = table.longs("some", -1);
    IntLists ints = table.intLists("ints");
    LongLists longs = table.longLists("longs");
    long[] members = table.longs("shape.m");
    for (int i = 0; i < 50_000; i++) {
      boolean right =
          int32[i] == i
              && int64[i] == i * 5_000_000_000L
              && int8[i] == i % 100
              && uint32[i] == 4_294_967_295L - i
              && uint64[i] == i
              && doubles[i] == i / 8.0
              && floats[i] == i / 8.0
              && flags[i] == (i % 2 == 0)
              && requests[i].equals("request-" + i)
              && engines[i].equals("engine-" + i % 3)
              && some[i] == (i % 3 == 0 ? -1 : i)
              && ints.length(i) == i % 4
              && longs.length(i) == i % 4
              && (i % 4 == 0 || ints.get(i, i % 4 - 1) == i + i % 4 - 1)
              && (i % 4 == 0 || longs.get(i, 0) == i)
              && table.isNull("longs", i) == (i % 4 == 0)
              && members[i] == i;
      assertThat(right).as("row %d", i).isTrue();
    }
  }

  /** Its pages have no checksums, so that the decoders meet what was changed. */
  @ParameterizedTest
  @CsvSource({"uncompressed, v1", "uncompressed, v2", "snappy, v1", "zstd, v2"})
  void a_changed_byte_ends_in_rows_or_in_a_message(String codec, String version)
      throws SQLException, IOException {
    Path file = folder.resolve("theirs.parquet");
    copy(
        """
        SELECT i * 7 AS number, i / 7 AS double, i % 2 = 0 AS flag, 'request-' || i AS request,
               'engine-' || i % 3 AS engine, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS some,
               range(i, i + i % 4) AS longs
        FROM range(200) t(i)
        """,
        file, "CODEC '" + codec + "', PARQUET_VERSION " + version);
    byte[] bytes = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(12);
    for (int position = 4; position < bytes.length - 4; position += random.nextInt(1, 6)) {
      byte[] changed = bytes.clone();
      changed[position] ^= (byte) random.nextInt(1, 256);
      HostileFilesTest.readOrRefuse(HostileFilesTest.write(folder, changed));
    }
  }

  @Test
  void a_column_of_an_unknown_type_does_not_hide_the_others() throws SQLException {
    Path file = folder.resolve("theirs.parquet");
    copy(
        """
        SELECT 1::INTEGER AS m, DATE '2026-11-29' AS day, 1.5::DECIMAL(9, 2) AS price,
               TIMESTAMP '2026-11-29 10:00:00' AS moment, ['a'] AS tools, MAP {'k': 1} AS pairs
        """,
        file,
        "CODEC 'zstd'");
    assertThat(ParquetReader.readTable(file, "m").ints("m")).containsExactly(1);
    try (ParquetReader reader = ParquetReader.open(file)) {
      assertThat(reader.schema().names())
          .containsExactly(
              "m",
              "day",
              "price",
              "moment",
              "tools",
              "pairs.key_value.key",
              "pairs.key_value.value");
      for (String name : new String[] {"day", "price", "moment", "tools"}) {
        assertThat(reader.schema().find(name).type()).isEqualTo(ColumnType.OTHER);
      }
    }
    assertThatThrownBy(() -> ParquetReader.readTable(file, "moment"))
        .isInstanceOf(ParquetException.class)
        .hasMessage(
            file
                + ": moment: found a column of type int64 (timestamp_micros), expected boolean, int,"
                + " long, float, double, string, or a list of int or long");
  }

  @ParameterizedTest
  @CsvSource({"brotli, BROTLI", "lz4_raw, LZ4_RAW"})
  void an_unsupported_compression_is_named(String codec, String name) throws SQLException {
    Path file = folder.resolve("theirs.parquet");
    copy("SELECT i FROM range(1000) t(i)", file, "CODEC '" + codec + "'");
    assertThatThrownBy(() -> ParquetReader.readTable(file))
        .isInstanceOf(ParquetException.class)
        .hasMessage(
            file
                + ": i: found pages compressed with "
                + name
                + ", expected one of UNCOMPRESSED, SNAPPY, GZIP, ZSTD");
  }

  private static void copy(String query, Path file, String options) throws SQLException {
    try (Statement statement = duckDb.createStatement()) {
      statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet, " + options + ")");
    }
  }

  private static String one(String query) throws SQLException {
    try (Statement statement = duckDb.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** Every row's cells as Java writes them. */
  private static String[] rows(ParquetTable table) {
    List<IntFunction<String>> columns = new ArrayList<>();
    for (Column column : table.schema().columns()) {
      String name = column.name();
      IntFunction<String> cell = cells(table, column);
      columns.add(row -> table.isNull(name, row) ? "null" : cell.apply(row));
    }
    String[] rows = new String[table.rowCount()];
    Arrays.setAll(
        rows,
        row -> {
          StringJoiner cells = new StringJoiner("|");
          columns.forEach(column -> cells.add(column.apply(row)));
          return cells.toString();
        });
    return rows;
  }

  private static IntFunction<String> cells(ParquetTable table, Column column) {
    String name = column.name();
    switch (column.type()) {
      case BOOLEAN -> {
        boolean[] values = table.booleans(name, false);
        return row -> Boolean.toString(values[row]);
      }
      case INT -> {
        int[] values = table.ints(name, 0);
        return row -> Integer.toString(values[row]);
      }
      case LONG -> {
        long[] values = table.longs(name, 0);
        return row -> Long.toString(values[row]);
      }
      case DOUBLE -> {
        double[] values = table.doubles(name, 0);
        return row -> Double.toString(values[row]);
      }
      case STRING -> {
        String[] values = table.nullableStrings(name);
        return row -> values[row];
      }
      case INT_LIST -> {
        IntLists lists = table.intLists(name);
        return row -> Arrays.toString(lists.row(row));
      }
      case LONG_LIST -> {
        LongLists lists = table.longLists(name);
        return row -> Arrays.toString(lists.row(row));
      }
      default -> throw new AssertionError(name);
    }
  }

  private static String[] rows(Path file, String columns) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = duckDb.createStatement();
        ResultSet result = statement.executeQuery("SELECT " + columns + " FROM '" + file + "'")) {
      int width = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringJoiner cells = new StringJoiner("|");
        for (int column = 1; column <= width; column++) {
          cells.add(String.valueOf(result.getObject(column)));
        }
        rows.add(cells.toString());
      }
    }
    return rows.toArray(new String[0]);
  }
}
