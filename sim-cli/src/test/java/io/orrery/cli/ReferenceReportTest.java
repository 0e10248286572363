package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code reports/quickstart} is what the quickstart gives: text byte for byte, images by their
 * words, since fonts differ between machines. After a change, {@code -Dorrery.regenerate=true}
 * writes it anew.
 */
class ReferenceReportTest {
  private static final Path REFERENCE = Path.of("reports/quickstart");
  private static final List<String> TEXTS =
      List.of("report.html", "report.md", "summary.json", "run.yaml");
  private static final Pattern WORDS = Pattern.compile("<text[^>]*>([^<]*)</text");

  @TempDir Path folder;

  @Test
  void theReferenceReportIsWhatTheQuickstartGives() throws IOException {
    Path out = folder.resolve("quickstart");
    Orrery.run("run", "scenarios/quickstart.yaml", "-q", "--no-parquet", "-o", out.toString())
        .succeeded();
    if (Boolean.getBoolean("orrery.regenerate")) {
      regenerate(out);
    }
    for (String name : TEXTS) {
      assertThat(Files.readString(REFERENCE.resolve(name)))
          .as(REFERENCE.resolve(name) + ", which -Dorrery.regenerate=true writes anew")
          .isEqualTo(Files.readString(out.resolve(name)));
    }
    assertThat(images(REFERENCE)).isEqualTo(images(out)).isNotEmpty();
    for (String image : images(REFERENCE)) {
      assertThat(words(REFERENCE.resolve(image))).as(image).isEqualTo(words(out.resolve(image)));
    }
  }

  private static TreeSet<String> images(Path report) throws IOException {
    try (Stream<Path> files = Files.list(report.resolve("charts"))) {
      return files
          .map(file -> "charts/" + file.getFileName())
          .filter(name -> name.endsWith(".svg"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** The words of an image; lines may be broken elsewhere. */
  private static String words(Path image) throws IOException {
    StringBuilder words = new StringBuilder();
    Matcher text = WORDS.matcher(Files.readString(image).replaceAll("\\s+>", ">"));
    while (text.find()) {
      words.append(text.group(1).strip()).append(' ');
    }
    return words.toString().replaceAll("\\s+", " ");
  }

  private static void regenerate(Path out) throws IOException {
    if (Files.exists(REFERENCE)) {
      try (Stream<Path> old = Files.walk(REFERENCE)) {
        old.filter(Files::isRegularFile).forEach(ReferenceReportTest::delete);
      }
    }
    Files.createDirectories(REFERENCE.resolve("charts"));
    for (String name : TEXTS) {
      Files.copy(out.resolve(name), REFERENCE.resolve(name));
    }
    for (String image : images(out)) {
      Files.copy(out.resolve(image), REFERENCE.resolve(image));
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
