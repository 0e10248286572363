package io.orrery.reports.figures;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.BoxChart.Box;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.HeatMap;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.chart.PointChart;
import io.orrery.reports.console.HumanUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbers behind a picture, for those who would rather read them. */
public final class ChartTable {
  /**
   * Rows of a table over a numeric axis: as many as goodput has loads, so none is missing there.
   */
  private static final int ROWS = GoodputByLoad.CLASSES;

  private ChartTable() {}

  /** The table of a chart; long axes are shown at {@value GoodputByLoad#CLASSES} places. */
  public static Table of(Chart chart) {
    List<String> header = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    if (chart instanceof LineChart lines) {
      if (distribution(lines)) {
        shares(lines, header, rows);
      } else {
        lines(lines, header, rows);
      }
    } else if (chart instanceof PointChart points) {
      points(points, header, rows);
    } else if (chart instanceof BarChart bars) {
      bars(bars, header, rows);
    } else if (chart instanceof BoxChart boxes) {
      boxes(boxes, header, rows);
    } else if (chart instanceof HeatMap map) {
      map(map, header, rows);
    }
    return Table.of(chart.id() + "-data", chart.title(), header, rows);
  }

  /** Whether the lines are distribution functions, to be read at round shares. */
  private static boolean distribution(LineChart chart) {
    return chart.id().endsWith("-cdf") || chart.id().endsWith("-sessions");
  }

  private static void shares(LineChart chart, List<String> header, List<List<String>> rows) {
    header.add("share of " + chart.y().label());
    chart.lines().forEach(line -> header.add(line.name()));
    for (double share : new double[] {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1}) {
      List<String> row = new ArrayList<>();
      row.add(Figures.text(share, chart.y().unit()));
      for (LineChart.Line line : chart.lines()) {
        int at = Arrays.binarySearch(line.y(), share - 1e-9);
        at = at < 0 ? -at - 1 : at;
        row.add(
            line.x().length == 0
                ? Figures.UNKNOWN
                : Figures.text(line.x()[Math.min(at, line.x().length - 1)], chart.x().unit()));
      }
      rows.add(row);
    }
  }

  private static void lines(LineChart chart, List<String> header, List<List<String>> rows) {
    header.add(chart.x().label());
    chart.lines().forEach(line -> header.add(line.name()));
    boolean shared =
        chart.lines().stream().allMatch(line -> Arrays.equals(line.x(), chart.lines().get(0).x()));
    int length = chart.lines().stream().mapToInt(line -> line.x().length).max().orElse(0);
    int stride = Math.max(1, (length + ROWS - 1) / ROWS);
    for (int i = 0; i < length; i += stride) {
      List<String> row = new ArrayList<>();
      row.add(shared ? place(chart, chart.lines().get(0).x(), i) : "");
      List<String> places = new ArrayList<>();
      for (LineChart.Line line : chart.lines()) {
        boolean there = i < line.x().length;
        row.add(there ? Figures.text(line.y()[i], chart.y().unit()) : Figures.UNKNOWN);
        places.add(there ? Figures.text(line.x()[i], chart.x().unit()) : Figures.UNKNOWN);
      }
      if (!shared) {
        row.set(0, String.join(" / ", places));
      }
      rows.add(row);
    }
  }

  /** Whole counts, such as turns, are printed as such. */
  private static String place(LineChart chart, double[] x, int at) {
    return chart.x().unit() == Axis.Unit.COUNT
            && Arrays.stream(x).allMatch(value -> value == Math.rint(value))
        ? HumanUnits.count(x[at])
        : Figures.text(x[at], chart.x().unit());
  }

  private static void points(PointChart chart, List<String> header, List<List<String>> rows) {
    header.addAll(List.of("", chart.x().label(), chart.y().label(), chart.ringName()));
    for (PointChart.Series series : chart.series()) {
      for (PointChart.Point point : series.points()) {
        rows.add(
            List.of(
                point.name(),
                Figures.text(point.x(), chart.x().unit()),
                Figures.text(point.y(), chart.y().unit()),
                point.ringed() ? "yes" : ""));
      }
    }
  }

  private static void bars(BarChart chart, List<String> header, List<List<String>> rows) {
    header.add("");
    chart.parts().forEach(part -> header.add(part.name()));
    header.add("together");
    for (int i = 0; i < chart.bars().size(); i++) {
      List<String> row = new ArrayList<>();
      row.add(chart.bars().get(i));
      for (BarChart.Part part : chart.parts()) {
        row.add(Figures.text(part.values()[i], chart.value().unit()));
      }
      row.add(Figures.text(chart.total(i), chart.value().unit()));
      rows.add(row);
    }
  }

  private static void boxes(BoxChart chart, List<String> header, List<List<String>> rows) {
    header.add(chart.categoryLabel());
    chart.groups().forEach(group -> header.add(group.name() + ": median (p5 to p95), count"));
    for (int i = 0; i < chart.categories().size(); i++) {
      List<String> row = new ArrayList<>();
      row.add(chart.categories().get(i));
      for (BoxChart.Group group : chart.groups()) {
        row.add(text(group.boxes().get(i), chart));
      }
      rows.add(row);
    }
  }

  private static String text(@Nullable Box box, BoxChart chart) {
    return box == null
        ? Figures.UNKNOWN
        : Figures.text(box.p50(), chart.value().unit())
            + " ("
            + Figures.text(box.p5(), chart.value().unit())
            + " to "
            + Figures.text(box.p95(), chart.value().unit())
            + "), "
            + box.count();
  }

  private static void map(HeatMap chart, List<String> header, List<List<String>> rows) {
    header.add("");
    header.add("mean");
    header.add("most");
    for (int r = 0; r < chart.rows().size(); r++) {
      double sum = 0;
      double most = 0;
      for (double cell : chart.cells()[r]) {
        sum += Double.isNaN(cell) ? 0 : cell;
        most = cell > most ? cell : most;
      }
      rows.add(
          List.of(
              chart.rows().get(r),
              Figures.text(sum / chart.cells()[r].length, chart.value().unit()),
              Figures.text(most, chart.value().unit())));
    }
  }
}
