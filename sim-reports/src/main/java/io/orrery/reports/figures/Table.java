package io.orrery.reports.figures;

import java.util.List;

/**
 * A table of a report.
 *
 * @param id unique in its report
 * @param title what it lists
 * @param folded whether it is opened only when somebody asks for it
 * @param header names of the columns
 * @param rows cells as they are printed; the first cell names the row
 * @param links cells that lead elsewhere in the report
 */
public record Table(
    String id,
    String title,
    boolean folded,
    List<String> header,
    List<List<String>> rows,
    List<Link> links) {
  /**
   * A cell that leads elsewhere.
   *
   * @param row from 0
   * @param column from 0
   * @param target the id of a table, or of a row as {@link #rowId} gives it
   */
  public record Link(int row, int column, String target) {}

  public Table {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
    links = List.copyOf(links);
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException(title + ": " + row.size() + " of " + header.size());
      }
    }
  }

  /** A table that is open and leads nowhere. */
  public static Table of(String id, String title, List<String> header, List<List<String>> rows) {
    return new Table(id, title, false, header, rows, List.of());
  }

  /** The id of a row of the table of an id. */
  public static String rowId(String table, int row) {
    return table + "-row-" + row;
  }
}
