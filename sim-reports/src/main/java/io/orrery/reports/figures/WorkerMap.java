package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.summary.TimeProfile;
import java.util.ArrayList;
import java.util.List;

/** A level on every worker over time. */
final class WorkerMap {
  /** Workers in a picture; more would not be told apart. */
  private static final int MOST = 64;

  private WorkerMap() {}

  /** A level of a run's worker. */
  interface Level {
    TimeProfile of(RunFigures run, int worker);
  }

  /** A picture for each run, all in one scale. */
  static List<Chart> of(
      String id, String title, String description, Axis value, List<RunFigures> runs, Level level) {
    double most = 0;
    for (RunFigures run : runs) {
      for (double[] means : means(run, level)) {
        for (double mean : means) {
          most = Math.max(most, Double.isNaN(mean) ? 0 : mean);
        }
      }
    }
    List<Chart> charts = new ArrayList<>();
    for (RunFigures run : runs) {
      charts.add(of(id, title, description, value, run, level, most));
    }
    return charts;
  }

  private static double[][] means(RunFigures run, Level level) {
    double[][] means = new double[Math.min(MOST, run.run().result().workers().size())][];
    for (int i = 0; i < means.length; i++) {
      means[i] = level.of(run, i).means();
    }
    return means;
  }

  private static Chart of(
      String id,
      String title,
      String description,
      Axis value,
      RunFigures run,
      Level level,
      double most) {
    double[][] cells = means(run, level);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < cells.length; i++) {
      rows.add("worker " + i);
    }
    boolean all = cells.length == run.run().result().workers().size();
    return new HeatMap(
        id + "-" + SafeNames.id(run.name()),
        title + ", " + run.name(),
        all ? description : description + " The first " + MOST + " workers.",
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        value,
        rows,
        level.of(run, 0).edgesSeconds(),
        cells,
        most);
  }
}
