package io.orrery.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Measured kernel tables, written by Arrow. Skipped where {@code -Dorrery.data} is absent. */
class KernelTablesTest {
  @Test
  void every_table_of_the_manifest_is_read_and_has_as_many_rows_as_it_says() throws IOException {
    Path folder = folder();
    int tables = 0;
    for (String line : Files.readAllLines(folder.resolve("MANIFEST.csv"))) {
      List<String> fields = List.of(line.split(",", -1));
      if (!fields.get(0).endsWith(".parquet")) {
        continue;
      }
      tables++;
      ParquetTable table = ParquetReader.readTable(folder.resolve(fields.get(0)));
      assertThat(table.rowCount()).as(line).isEqualTo(Integer.parseInt(fields.get(2)));
      assertThat(table.strings("framework")).as(line).doesNotContainNull();
    }
    assertThat(tables).isGreaterThan(50);
  }

  /** The folder of the tables. */
  static Path folder() {
    String data = System.getProperty("orrery.data");
    assumeTrue(data != null, "skipped: kernel tables need -Dorrery.data=DIR with DIR/perf");
    Path folder = Path.of(data, "perf");
    assumeTrue(
        Files.exists(folder.resolve("MANIFEST.csv")),
        "skipped: kernel tables are not there (" + folder + "/MANIFEST.csv)");
    return folder;
  }
}
