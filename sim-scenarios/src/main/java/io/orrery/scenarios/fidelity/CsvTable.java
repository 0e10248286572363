package io.orrery.scenarios.fidelity;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.orrery.models.Names;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A CSV file with a header of known columns, in any order; its rows are asked for by column. */
final class CsvTable {
  private final String source;
  private final List<String> header;
  private final List<Row> rows = new ArrayList<>();

  /** A row and where it stands. */
  final class Row {
    private final int line;
    private final List<String> fields;

    private Row(int line, List<String> fields) {
      this.line = line;
      this.fields = fields;
    }

    int line() {
      return line;
    }

    String text(String column) {
      return fields.get(header.indexOf(column));
    }

    /** A whole number of at least {@code least}. */
    int whole(String column, int least) {
      String text = text(column);
      try {
        int value = Integer.parseInt(text);
        if (value >= least) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw wrong(column, "a whole number of at least " + least);
      }
      throw wrong(column, "a whole number of at least " + least);
    }

    /** A finite number above 0. */
    double positive(String column) {
      double value = number(column);
      if (!(value > 0)) {
        throw wrong(column, "a number above 0");
      }
      return value;
    }

    /** A finite number of at least 0, NaN if the field is empty. */
    double numberOrNone(String column) {
      if (text(column).isEmpty()) {
        return Double.NaN;
      }
      double value = number(column);
      if (!(value >= 0)) {
        throw wrong(column, "a number of at least 0, or nothing");
      }
      return value;
    }

    private double number(String column) {
      try {
        double value = Double.parseDouble(text(column));
        if (Double.isFinite(value)) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw wrong(column, "a number");
      }
      throw wrong(column, "a number");
    }

    /** What is thrown for a field that makes no sense. */
    ScenarioException wrong(String column, String expected) {
      return new ScenarioException(position(line), column, '"' + text(column) + '"', expected);
    }
  }

  private CsvTable(String source, List<String> header) {
    this.source = source;
    this.header = header;
  }

  /**
   * Reads a table.
   *
   * @param source its name for messages
   * @param columns the columns that it must have, and no others
   * @throws ScenarioException if it is no CSV, a column is missing or unknown, or a row is cut off
   */
  static CsvTable read(String source, Reader text, List<String> columns) throws IOException {
    CsvTable table = null;
    try (CsvReader<CsvRecord> csv =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .ofCsvRecord(text)) {
      for (CsvRecord record : csv) {
        table = with(table, source, record, columns);
      }
    } catch (CsvParseException e) {
      throw new ScenarioException(
          Position.of(source), "", "no CSV (" + e.getMessage() + ")", "a table in CSV");
    }
    if (table == null || table.rows.isEmpty()) {
      throw new ScenarioException(
          Position.of(source), "", "no rows", "a header and at least one row");
    }
    return table;
  }

  private static CsvTable with(
      @Nullable CsvTable table, String source, CsvRecord record, List<String> columns) {
    if (table == null) {
      CsvTable begun = new CsvTable(source, record.getFields());
      begun.checkHeader(columns);
      return begun;
    }
    int line = (int) record.getStartingLineNumber();
    if (record.getFieldCount() != table.header.size()) {
      throw new ScenarioException(
          table.position(line),
          "",
          record.getFieldCount() + " fields",
          table.header.size() + ", as in the header");
    }
    table.rows.add(table.new Row(line, record.getFields()));
    return table;
  }

  private void checkHeader(List<String> columns) {
    Problems problems = new Problems();
    for (String column : columns) {
      int times = (int) header.stream().filter(column::equals).count();
      if (times != 1) {
        problems.add(position(1), column, times == 0 ? "no such column" : "it twice", "it once");
      }
    }
    for (String found : header) {
      if (!columns.contains(found)) {
        problems.add(
            position(1),
            found.isEmpty() ? "header" : found,
            "an unknown column" + Names.didYouMean(found, columns),
            "the columns " + String.join(", ", columns));
      }
    }
    problems.throwIfAny();
  }

  List<Row> rows() {
    return rows;
  }

  private Position position(int line) {
    return new Position(source, line, 0);
  }
}
