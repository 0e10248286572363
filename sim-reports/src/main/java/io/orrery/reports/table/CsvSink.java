package io.orrery.reports.table;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Writes a table as CSV (RFC 4180, lines end with {@code \n}). Texts that a spreadsheet would take
 * for a formula get an apostrophe in front.
 */
public final class CsvSink implements RowSink {
  private static final MathContext DIGITS = new MathContext(12);

  private final Writer out;
  private final StringBuilder line = new StringBuilder();
  private boolean first = true;

  private CsvSink(Writer out) {
    this.out = out;
  }

  /** Writes a whole table, header included. */
  public static void write(ResultTable table, Writer out) throws IOException {
    CsvSink sink = new CsvSink(out);
    for (ResultTable.Documented column : table.columns()) {
      sink.text(column.column().name());
    }
    sink.endRow();
    table.rows().into(sink);
  }

  @Override
  public void text(String value) {
    comma();
    String safe = isFormula(value) ? "'" + value : value;
    boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c < ' ');
    if (quoted) {
      line.append('"').append(safe.replace("\"", "\"\"")).append('"');
    } else {
      line.append(safe);
    }
  }

  private static boolean isFormula(String value) {
    return !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
  }

  @Override
  public void number(long value) {
    comma();
    line.append(value);
  }

  @Override
  public void decimal(double value) {
    comma();
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    line.append(rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString());
  }

  @Override
  public void nothing() {
    comma();
  }

  @Override
  public void endRow() throws IOException {
    line.append('\n');
    out.append(line);
    line.setLength(0);
    first = true;
  }

  private void comma() {
    if (!first) {
      line.append(',');
    }
    first = false;
  }
}
