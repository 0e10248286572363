package io.orrery.reports.figures;

import java.util.List;

/**
 * A table of a report.
 *
 * @param id unique in its report
 * @param title what it lists
 * @param header names of the columns
 * @param rows cells as they are printed; the first cell names the row
 */
public record Table(String id, String title, List<String> header, List<List<String>> rows) {
  public Table {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException(title + ": " + row.size() + " of " + header.size());
      }
    }
  }
}
