package io.orrery.reports.console;

import io.orrery.traces.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows in aligned columns, two blanks apart. The first column and those that are said to be text
 * stand left, the others right. Cells are made {@linkplain PrintableText printable}.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();
  private final boolean[] left;

  /**
   * A table.
   *
   * @param header names of the columns; a name that starts with {@code <} is a column of text, and
   *     is shown without that sign
   */
  public TextTable(String... header) {
    left = new boolean[header.length];
    String[] names = header.clone();
    for (int i = 0; i < names.length; i++) {
      left[i] = i == 0 || names[i].startsWith("<");
      names[i] = PrintableText.of(names[i].startsWith("<") ? names[i].substring(1) : names[i]);
    }
    rows.add(names);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has another number of cells than the header
   */
  public void add(String... cells) {
    if (cells.length != left.length) {
      throw new IllegalArgumentException(
          "found " + cells.length + " cells, expected " + left.length);
    }
    rows.add(Stream.of(cells).map(PrintableText::of).toArray(String[]::new));
  }

  /** The lines, each ending with {@code \n}. */
  @Override
  public String toString() {
    int[] widths = new int[left.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].codePointCount(0, row[i].length()));
      }
    }
    StringBuilder out = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String padding = " ".repeat(widths[i] - row[i].codePointCount(0, row[i].length()));
        line.append(i == 0 ? "" : GAP);
        line.append(left[i] ? row[i] + padding : padding + row[i]);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
