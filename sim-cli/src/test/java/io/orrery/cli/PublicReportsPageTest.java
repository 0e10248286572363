package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/misread-traces.md}: each public report has a test, which a tag {@code report-N}
 * names. Run once with {@code -Dorrery.regenerate=true}, this test writes where they are.
 */
class PublicReportsPageTest {
  private static final boolean REGENERATE = Boolean.getBoolean("orrery.regenerate");
  private static final Path PAGE = Path.of("docs/misread-traces.md");
  private static final int REPORTS = 50;

  /** A row: its number or name, what is written by hand, and the tests. */
  private static final Pattern ROW =
      Pattern.compile("^\\| ([a-z0-9-]+) (\\|.*\\|)([^|\n]*)\\|", Pattern.MULTILINE);

  private static final Pattern TAG = Pattern.compile("@Tag\\(\"report-([a-z0-9-]+)\"\\)");
  private static final Pattern METHOD = Pattern.compile("  (?:static )?void (\\w+)\\(");

  @Test
  void everyReportHasATest() throws IOException {
    Map<String, Set<String>> tests = tests();
    String text = Files.readString(PAGE);
    StringBuilder page = new StringBuilder();
    Set<String> rows = new TreeSet<>();
    Matcher row = ROW.matcher(text);
    while (row.find()) {
      String name = row.group(1);
      assertThat(tests).as("tests of report " + name).containsKey(name);
      assertThat(rows.add(name)).as("one row of " + name).isTrue();
      String where = String.join(", ", tests.get(name));
      row.appendReplacement(
          page, Matcher.quoteReplacement("| " + name + " " + row.group(2) + " " + where + " |"));
    }
    row.appendTail(page);
    if (REGENERATE) {
      Files.writeString(PAGE, page);
    }

    assertThat(rows).containsExactlyInAnyOrderElementsOf(tests.keySet());
    for (int report = 1; report <= REPORTS; report++) {
      assertThat(rows).contains(String.valueOf(report));
    }
    assertThat(Files.readString(PAGE))
        .as(PAGE + ", which -Dorrery.regenerate=true writes anew")
        .isEqualTo(page.toString());
  }

  /** Tests by the reports that their tags name, as {@code Class.method}. */
  private static Map<String, Set<String>> tests() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(""))) {
      for (Path module : modules.filter(path -> path.toString().startsWith("sim-")).toList()) {
        Path folder = module.resolve("src/test/java");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith("Test.java")).forEach(sources::add);
          }
        }
      }
    }
    Map<String, Set<String>> tests = new TreeMap<>();
    for (Path source : sources) {
      List<String> tags = new ArrayList<>();
      for (String line : Files.readAllLines(source)) {
        Matcher tag = TAG.matcher(line);
        Matcher method = METHOD.matcher(line);
        if (tag.find()) {
          tags.add(tag.group(1));
        } else if (method.find()) {
          String name = source.getFileName().toString().replace(".java", ".") + method.group(1);
          tags.forEach(report -> tests.computeIfAbsent(report, key -> new TreeSet<>()).add(name));
          tags.clear();
        }
      }
    }
    return tests;
  }
}
