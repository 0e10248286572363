package io.orrery.scenarios.measured;

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
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file with a header, its columns in any order; its rows are asked for by column. Spaces
 * around names and values do not count.
 */
public final class CsvTable {
  private final String source;
  private final List<String> header;
  private final List<Row> rows = new ArrayList<>();

  /** A row and where it stands. */
  public final class Row {
    private final int line;
    private final List<String> fields;

    private Row(int line, List<String> fields) {
      this.line = line;
      this.fields = fields;
    }

    /** Its first line in the file, from 1. */
    public int line() {
      return line;
    }

    /** The field of a column, without spaces around it; empty where there is no such column. */
    public String text(String column) {
      int at = header.indexOf(column);
      return at < 0 ? "" : fields.get(at);
    }

    /** Whether the column is there and the field not empty. */
    public boolean has(String column) {
      return !text(column).isEmpty();
    }

    /** All fields that are not empty, by column. */
    public Map<String, String> fields() {
      Map<String, String> named = new LinkedHashMap<>();
      for (String column : header) {
        if (has(column)) {
          named.put(column, text(column));
        }
      }
      return named;
    }

    /** A whole number of at least {@code least}. */
    public int whole(String column, int least) {
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

    /** A number above 0 and at most {@code most}. */
    public double positive(String column, double most) {
      double value = number(column);
      if (!(value > 0 && value <= most)) {
        throw wrong(
            column, "a number above 0 and at most " + String.format(Locale.ROOT, "%,.0f", most));
      }
      return value;
    }

    /** A finite number of at least 0, NaN if the field is empty. */
    public double numberOrNone(String column) {
      if (!has(column)) {
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
    public ScenarioException wrong(String column, String expected) {
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
   * @param columns the columns that it must have
   * @param optional the columns that it may have; null for any others
   * @throws ScenarioException if it is no CSV, a column is missing or unknown, or a row is cut off
   */
  public static CsvTable read(
      String source, Reader text, List<String> columns, @Nullable List<String> optional)
      throws IOException {
    CsvTable table = null;
    try (CsvReader<CsvRecord> csv =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .ofCsvRecord(text)) {
      for (CsvRecord record : csv) {
        table = with(table, source, record, columns, optional);
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

  /** The names in a table's first line. */
  public static List<String> header(String line) {
    try (CsvReader<CsvRecord> csv = CsvReader.builder().ofCsvRecord(line)) {
      return csv.stream()
          .findFirst()
          .map(record -> record.getFields().stream().map(String::strip).toList())
          .orElse(List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CsvParseException e) {
      return List.of();
    }
  }

  private static CsvTable with(
      @Nullable CsvTable table,
      String source,
      CsvRecord record,
      List<String> columns,
      @Nullable List<String> optional) {
    List<String> fields = record.getFields().stream().map(String::strip).toList();
    if (table == null) {
      CsvTable begun = new CsvTable(source, fields);
      begun.checkHeader(columns, optional);
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
    table.rows.add(table.new Row(line, fields));
    return table;
  }

  private void checkHeader(List<String> columns, @Nullable List<String> optional) {
    Problems problems = new Problems();
    List<String> known = new ArrayList<>(columns);
    if (optional != null) {
      known.addAll(optional);
    }
    for (String column : known) {
      int times = (int) header.stream().filter(column::equals).count();
      if (times > 1 || (times == 0 && columns.contains(column))) {
        problems.add(position(1), column, times == 0 ? "no such column" : "it twice", "it once");
      }
    }
    for (String found : header) {
      if (optional != null && !known.contains(found)) {
        problems.add(
            position(1),
            found.isEmpty() ? "header" : found,
            "an unknown column" + Names.didYouMean(found, known),
            "the columns " + String.join(", ", known));
      }
    }
    problems.throwIfAny();
  }

  /** The rows in the order of the file. */
  public List<Row> rows() {
    return rows;
  }

  private Position position(int line) {
    return new Position(source, line, 0);
  }
}
