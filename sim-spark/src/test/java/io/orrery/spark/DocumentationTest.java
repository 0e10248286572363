package io.orrery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.spark.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the page on Spark, in the tests' Spark; results are written into a folder. */
class DocumentationTest {
  private static final Path PAGE = Path.of("docs/spark.md");
  private static final Pattern COMMAND = Pattern.compile("^\\$ (.*)$", Pattern.MULTILINE);
  private static final Pattern SUBMITTED = Pattern.compile("spark-submit .*orrery-spark\\.jar ");

  @TempDir Path folder;

  @Test
  void everyCommandWorks() throws IOException {
    List<String> run = new ArrayList<>();
    Matcher commands = COMMAND.matcher(Files.readString(PAGE));
    while (commands.find()) {
      String line = commands.group(1).replace("--master local[2]", "--master " + Sparks.MASTER);
      boolean submitted = SUBMITTED.matcher(line).lookingAt();
      String[] words = SUBMITTED.matcher(line).replaceFirst("").replace("./orrery ", "").split(" ");
      for (int i = 1; i < words.length; i++) {
        if (words[i - 1].equals("-o") || words[i].matches("[a-z]+\\.parquet")) {
          words[i] = folder.resolve(words[i]).toString();
        }
      }
      Sparks.session();
      Outcome outcome = Orrery.run(submitted ? SparkMain.withEngine(words) : words);
      assertThat(outcome.status()).as(line + "\n" + outcome.err()).isZero();
      run.add(words[0]);
    }
    assertThat(run).containsExactly("sweep", "plan", "sweep", "trace", "trace", "cells");
    assertThat(folder.resolve("sweep/points.parquet/variant=sweep-small")).isDirectory();
    assertThat(folder.resolve("cells.json")).isRegularFile();
  }
}
