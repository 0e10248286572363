package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.parquet.Column;
import io.orrery.parquet.ColumnType;
import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import io.orrery.spark.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepOnSparkTest {
  private static final List<String> SAME =
      List.of("points.jsonl", "summary.json", "report.json", "report.md");

  @TempDir Path folder;
  private String scenario;
  private Path local;
  private Path spark;

  @BeforeEach
  void write() throws IOException {
    Samples.trace(folder.resolve("small.jsonl"));
    scenario = file("small.yaml", Samples.SWEEP);
    local = folder.resolve("local");
    spark = folder.resolve("spark");
    Elsewhere.BROKEN.set(0);
    Elsewhere.OPENED.set(0);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private void assertSameBytes() throws IOException {
    for (String name : SAME) {
      assertThat(spark.resolve(name)).hasSameTextualContentAs(local.resolve(name));
    }
  }

  @Test
  void tasksThatFailAndAreTriedAgainChangeNothing() throws IOException {
    Outcome here = Orrery.run("sweep", scenario, "-o", local.toString()).succeeded();
    int failures = FailsAtFirst.FAILURES.get();

    Outcome there = Orrery.onSpark("sweep", scenario, "-o", spark.toString()).succeeded();

    assertThat(FailsAtFirst.FAILURES.get()).isEqualTo(failures + 2); // pieces 0 and 3
    assertThat(there.out()).isEqualTo(here.out());
    assertThat(there.err()).contains("Failed: kv workers=3 gpu=abacus: ", "12 points, 4 failed");
    assertSameBytes();
  }

  @Test
  void theTableHoldsWhatTheLocalOneHolds() throws IOException {
    Orrery.run("sweep", scenario, "-o", local.toString()).succeeded();
    Path table = folder.resolve("table");
    Orrery.onSpark("sweep", scenario, "-o", spark.toString(), "--table", table.toString())
        .succeeded();

    assertThat(spark.resolve("points.parquet")).doesNotExist();
    assertThat(table.resolve("variant=first")).isDirectory();
    assertThat(table.resolve("variant=kv")).isDirectory();
    Dataset<Row> points = Sparks.session().read().parquet(table.toString()).orderBy("point");
    List<Row> rows = points.collectAsList();
    try (ParquetReader reader = ParquetReader.open(local.resolve("points.parquet"))) {
      ParquetTable expected = reader.read();
      assertThat(rows).hasSize(expected.rowCount());
      for (int r = 0; r < rows.size(); r++) {
        Row row = rows.get(r);
        assertThat(row.<String>getAs("name")).isEqualTo(expected.strings("name")[r]);
        assertThat(row.<String>getAs("variant")).isEqualTo(expected.strings("variant")[r]);
        for (Column column : reader.schema().columns()) {
          if (column.type() == ColumnType.DOUBLE) {
            Object value = row.getAs(column.name());
            assertThat(value == null ? Double.NaN : (Double) value)
                .as(column.name())
                .isEqualTo(Double.valueOf(expected.doubles(column.name(), Double.NaN)[r]));
          }
        }
      }
    }
  }

  @Test
  void whatIsFinishedIsNotRunAgainWhereverItWasFinished() throws IOException {
    Orrery.run("sweep", scenario, "-o", local.toString()).succeeded();
    Files.createDirectories(spark);
    List<String> lines = Files.readAllLines(local.resolve("points.jsonl"));
    Files.write(spark.resolve("points.jsonl"), lines.subList(2, 7));

    Outcome rest = Orrery.onSpark("sweep", scenario, "-o", spark.toString()).succeeded();

    assertThat(rest.err()).contains("12 points, 5 of them finished before, 4 failed");
    assertSameBytes();
  }

  @Test
  void tracesAreReadFromAnyFileSystemOnceAProcess() throws IOException {
    Elsewhere.BROKEN.set(1);
    String trace = "elsewhere:" + folder.resolve("small.jsonl");
    Outcome there =
        Orrery.onSpark("sweep", scenario, "--trace", trace, "-o", spark.toString()).succeeded();

    assertThat(there.err()).contains("12 points, 4 failed");
    assertThat(Elsewhere.OPENED).hasValue(1);
    Orrery.run("sweep", scenario, "-o", local.toString()).succeeded();
    String here = Files.readString(local.resolve("summary.json"));
    // Only the configuration's digest tells the two names of the trace apart.
    String digest = "\"digest\": \"[0-9a-f]{64}\"";
    assertThat(Files.readString(spark.resolve("summary.json")).replaceAll(digest, ""))
        .isEqualTo(here.replaceAll(digest, ""));

    Files.writeString(
        folder.resolve("small.jsonl"),
        Files.readString(folder.resolve("small.jsonl"))
            .replace("\"output_length\": 20", "\"output_length\": 30"));
    Orrery.onSpark("sweep", scenario, "--trace", trace, "-o", spark.toString()).succeeded();
    assertThat(Elsewhere.OPENED).as("a file that has changed").hasValue(2);
  }

  @Test
  void whatCannotBeReadIsSaidAsTheLocalEngineSaysIt() throws IOException {
    String missing = folder.resolve("none.jsonl").toString();
    String one = file("one.yaml", Samples.SWEEP.replaceAll("(?s)variants:.*sweep:", "sweep:"));
    assertThat(Orrery.onSpark("sweep", one, "--trace", missing))
        .isEqualTo(Orrery.run("sweep", one, "--trace", missing))
        .extracting(Outcome::status)
        .isEqualTo(3);
    String far = "elsewhere:" + missing;
    assertThat(Orrery.onSpark("sweep", one, "--trace", far).err())
        .contains(far + ": found no such file");
    assertThat(Orrery.run("sweep", one, "--trace", far).err())
        .contains(
            far + ": found a file of another file system, expected a local file, or --engine");
    assertThat(Orrery.onSpark("sweep", scenario, "--fail-fast"))
        .isEqualTo(Orrery.run("sweep", scenario, "--fail-fast", "--threads", "1"))
        .extracting(Outcome::status)
        .isEqualTo(2);
  }

  @Test
  void aTaskThatFailsEveryTimeEndsTheWorkWithItsReason() {
    Elsewhere.BROKEN.set(1000);
    String trace = "elsewhere:" + folder.resolve("small.jsonl");
    Outcome outcome = Orrery.onSpark("sweep", scenario, "--trace", trace, "-o", spark.toString());
    assertThat(outcome.status()).isEqualTo(70);
    assertThat(outcome.err()).contains("orrery: Spark: ", "the connection was reset");
  }

  @Test
  void optionsThatDoNotGoTogetherAreRefused() {
    assertThat(Orrery.onSpark("sweep", scenario, "--threads", "2").err())
        .contains("--threads: found 2 with --engine spark");
    assertThat(Orrery.run("sweep", scenario, "--master", "local[2]").err())
        .contains("--master: found local[2] without --engine spark");
    assertThat(Orrery.run("sweep", scenario, "--table", "x").err())
        .contains("--table: found x without --engine spark");
    assertThat(Orrery.onSpark("sweep", scenario, "--master", "local[7]").err())
        .contains("found local[7], but this process has a Spark on local[2,4]");
    assertThat(Orrery.run("sweep", scenario, "--engine", "flink").err())
        .contains("--engine: found flink, expected one of local, spark");
  }
}
