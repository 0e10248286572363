package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.table.RequestsTable;
import io.orrery.reports.table.ResultTable;
import io.orrery.reports.table.SessionsTable;
import io.orrery.reports.table.TimeseriesTable;
import io.orrery.reports.table.WorkersTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reports.md} lists the columns of the tables as the code has them. After a change, run
 * this test once with {@code -Dorrery.regenerate=true} to write the list anew.
 */
class ReportsPageTest {
  private static final Path PAGE = Path.of("docs/reports.md");
  private static final String MARK = "<!-- generated from the code below this line -->\n";

  @Test
  void thePageListsTheColumnsOfTheTables() throws IOException {
    String page = Files.readString(PAGE);
    String written = page.substring(0, page.indexOf(MARK) + MARK.length());
    String expected = written + columns();
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as(PAGE + ", which -Dorrery.regenerate=true writes anew")
        .isEqualTo(expected);
  }

  private static String columns() {
    StringBuilder text = new StringBuilder();
    for (ResultTable table :
        List.of(
            RequestsTable.of(List.of()),
            SessionsTable.of(List.of()),
            WorkersTable.of(List.of()),
            TimeseriesTable.of(List.of()))) {
      text.append("\n### ").append(table.name()).append("\n\n");
      text.append("| column | type | meaning |\n|---|---|---|\n");
      for (ResultTable.Documented column : table.columns()) {
        text.append("| `").append(column.column().name()).append("` | ");
        text.append(column.column().type().toString().toLowerCase(Locale.ROOT));
        text.append(column.column().nullable() ? ", may be missing" : "").append(" | ");
        text.append(column.meaning().replace("|", "\\|")).append(" |\n");
      }
    }
    return text.toString();
  }

  @Test
  void everyFileOfARunIsNamed() throws IOException {
    String page = Files.readString(PAGE);
    for (String file : RunFiles.NAMES) {
      assertThat(page).contains("`" + file.replaceAll("\\.(parquet|csv)$", ""));
    }
  }
}
