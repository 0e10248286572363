package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.summary.TimeProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A level on every worker over time. */
final class WorkerMap {
  /** Workers in a picture; more would not be told apart. */
  private static final int MOST = 64;

  private WorkerMap() {}

  static Chart of(
      String id,
      String title,
      String description,
      Axis value,
      RunFigures run,
      IntFunction<TimeProfile> level) {
    int all = run.run().result().workers().size();
    int workers = Math.min(MOST, all);
    List<String> rows = new ArrayList<>();
    double[][] cells = new double[workers][];
    for (int i = 0; i < workers; i++) {
      rows.add("worker " + i);
      cells[i] = level.apply(i).means();
    }
    return new HeatMap(
        id,
        title,
        workers < all ? description + " The first " + MOST + " workers." : description,
        Axis.linear("simulated time", Axis.Unit.SECONDS),
        value,
        rows,
        level.apply(0).edgesSeconds(),
        cells);
  }
}
