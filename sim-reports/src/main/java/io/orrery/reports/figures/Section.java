package io.orrery.reports.figures;

import io.orrery.reports.chart.Chart;
import java.util.List;

/**
 * A part of a report: what it says in a sentence or two, then pictures, then tables.
 *
 * @param id unique in its report
 * @param lead computed from the numbers
 */
public record Section(
    String id, String title, String lead, List<Chart> charts, List<Table> tables) {
  public Section {
    charts = List.copyOf(charts);
    tables = List.copyOf(tables);
  }
}
