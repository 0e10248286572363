package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes of their own: the launcher, which is killed, and spark-submit, which goes on. */
class SubmitIT {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final Path TARGET = Path.of("sim-spark/target").toAbsolutePath();
  private static final List<String> SAME =
      List.of("points.jsonl", "summary.json", "report.json", "report.md");

  @TempDir Path folder;

  @Test
  void aKilledSweepGoesOnUnderSparkSubmitAndEndsWithTheLocalBytes() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "skipped: the launcher needs bash");
    Samples.trace(folder.resolve("small.jsonl"));
    String scenario =
        Files.writeString(
                folder.resolve("small.yaml"),
                """
                trace: {files: small.jsonl, blockSize: 64}
                engine: {blockSize: 64, kvBlocks: 120}
                sweep: {grid: {routing.policy: [random, kv-aware]}, seeds: 60}
                """)
            .toString();
    Path local = folder.resolve("local");
    Path spark = folder.resolve("spark");
    Orrery.run("sweep", scenario, "-o", local.toString()).succeeded();

    Path journal = spark.resolve("points.jsonl");
    Process killed = start("launcher", launcher(scenario, spark));
    while (killed.isAlive() && (!Files.exists(journal) || Files.size(journal) == 0)) {
      killed.waitFor(2, TimeUnit.MILLISECONDS);
    }
    killed.destroyForcibly().waitFor();
    assertThat(journal).as(log("launcher")).isNotEmptyFile();
    assertThat(spark.resolve("summary.json")).as("killed too late").doesNotExist();

    Process submitted = start("submit", submit(scenario, spark));

    assertThat(submitted.waitFor(3, TimeUnit.MINUTES)).isTrue();
    assertThat(submitted.exitValue()).as(log("submit")).isZero();
    assertThat(log("submit")).containsPattern("120 points, \\d+ of them finished before");
    for (String name : SAME) {
      assertThat(spark.resolve(name)).hasSameTextualContentAs(local.resolve(name));
    }
    assertThat(spark.resolve("points.parquet/_SUCCESS")).exists();
  }

  private static List<String> launcher(String scenario, Path output) {
    return List.of(
        Path.of("orrery").toAbsolutePath().toString(),
        "sweep",
        scenario,
        "--engine",
        "spark",
        "--master",
        "local[2]",
        "-o",
        output.toString());
  }

  /** As bin/spark-submit starts it: Spark alone on the class path, our jar handed over. */
  private static List<String> submit(String scenario, Path output) {
    return List.of(
        JAVA.toString(),
        "-Xmx1g",
        "-cp",
        TARGET.resolve("lib") + "/*",
        "org.apache.spark.deploy.SparkSubmit",
        "--master",
        "local[2]",
        "--conf",
        "spark.driver.host=127.0.0.1",
        "--conf",
        "spark.driver.bindAddress=127.0.0.1",
        "--class",
        "io.orrery.spark.SparkMain",
        TARGET.resolve("orrery-spark.jar").toString(),
        "sweep",
        scenario,
        "-o",
        output.toString());
  }

  private Process start(String name, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
    builder.environment().put("ORRERY_BUILD", "never");
    builder.environment().put("ORRERY_ARCHIVE", "never");
    return builder
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".log").toFile())
        .start();
  }

  private String log(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".log"));
  }
}
