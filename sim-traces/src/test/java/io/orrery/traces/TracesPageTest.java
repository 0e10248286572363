package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The page about traces says what the registry says. After a change, run this test once with {@code
 * -Dorrery.regenerate=true} to write the generated parts anew.
 */
class TracesPageTest {
  private static final Path PAGE = Path.of("docs/traces.md");

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = Files.readString(PAGE);
    String expected = withPart(withPart(page, "formats", formats()), "columns", columns());
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(PAGE, expected);
      page = expected;
    }
    assertThat(page).isEqualTo(expected);
  }

  /** Whoever has a trace finds its format in the guide. */
  @Test
  void theGuideNamesEveryFormat() throws IOException {
    String page = Files.readString(PAGE);
    String guide = page.substring(0, page.indexOf("## Files"));
    for (TraceFormat format : TraceFormat.values()) {
      if (format != TraceFormat.DYNAMO_AGENT) {
        assertThat(guide).contains("`" + format.formatName() + "`");
      }
    }
  }

  private static String formats() {
    StringBuilder text = new StringBuilder();
    for (TraceFormat format : TraceFormat.values()) {
      TraceReader.Description is = format.description();
      text.append("### `").append(format.formatName()).append("`: ").append(format.title());
      text.append("\n\n| | |\n|---|---|\n");
      row(text, "records", records(format.container()));
      row(text, "block size", is.blockSize());
      row(text, "time unit", is.timeUnit());
      row(text, "partial blocks", is.partialBlockRule());
      row(text, "time basis", is.timeBasis());
      row(text, "turns", is.turnSemantics());
      row(text, "written", TraceWriters.of(format).isPresent() ? "yes" : "no");
      text.append('\n');
    }
    return text.toString();
  }

  private static String records(TraceFormat.Container container) {
    return switch (container) {
      case JSON -> "JSON objects";
      case TABLE -> "comma-separated values under a header";
      case PARQUET -> "rows of a Parquet file";
      case ANY -> "JSON objects, or comma-separated values under a header";
    };
  }

  private static void row(StringBuilder text, String what, String is) {
    text.append("| ").append(what).append(" | ").append(is).append(" |\n");
  }

  private static String columns() {
    StringBuilder text = new StringBuilder("| column | type | |\n|---|---|---|\n");
    for (OrreryColumns.Documented column : OrreryColumns.ALL) {
      text.append("| `").append(column.name()).append("` | ").append(column.type());
      text.append(" | ").append(column.meaning()).append(" |\n");
    }
    return text.append("\nA type with a question mark may be without a value.\n").toString();
  }

  private static String withPart(String page, String name, String content) {
    String begin = "<!-- generated: " + name + " -->\n";
    String end = "<!-- end of " + name + " -->\n";
    assertThat(page).containsOnlyOnce(begin).containsOnlyOnce(end);
    return page.substring(0, page.indexOf(begin) + begin.length())
        + "\n"
        + content
        + (content.endsWith("\n\n") ? "" : "\n")
        + page.substring(page.indexOf(end));
  }
}
