package io.orrery.reports.page;

import io.orrery.reports.chart.Axis;
import io.orrery.reports.chart.BoxChart;
import io.orrery.reports.chart.BoxChart.Box;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.Ticks;
import java.util.List;

/** Draws boxes from p25 to p75 with whiskers from p5 to p95, side by side in each category. */
final class BoxDrawing {
  private static final int HEIGHT = 240;
  private static final int WIDEST = 28;

  private final BoxChart chart;
  private final Markup out;
  private final Ticks ticks;
  private final Plot plot;

  private BoxDrawing(BoxChart chart, Markup out) {
    this.chart = chart;
    this.out = out;
    this.ticks = chart.ticks();
    this.plot = new Plot(out, HEIGHT);
  }

  static void draw(BoxChart chart, Markup out) {
    new BoxDrawing(chart, out).draw();
  }

  private void draw() {
    plot.begin(chart, "boxes");
    plot.verticalAxis(ticks);
    double slot = plot.width() / chart.categories().size();
    List<BoxChart.Group> groups = chart.groups();
    double width = Math.min(WIDEST, slot * 0.8 / groups.size());
    for (int c = 0; c < chart.categories().size(); c++) {
      double center = plot.left() + slot * (c + 0.5);
      plot.labelBelow(center, chart.categories().get(c));
      for (int g = 0; g < groups.size(); g++) {
        Box box = groups.get(g).boxes().get(c);
        if (box != null) {
          out.open("g", "class", Plot.series(g) + " box");
          double middle = center + (g - (groups.size() - 1) / 2.0) * width;
          box(box, groups.get(g).name(), middle, width * 0.8);
          out.close("g");
        }
      }
    }
    plot.axisTitle(chart.categoryLabel());
    plot.end();
  }

  private void box(Box box, String name, double middle, double width) {
    double left = middle - width / 2;
    double upper = plot.y(ticks, box.p75());
    double lower = plot.y(ticks, box.p25());
    double median = plot.y(ticks, box.p50());
    plot.line(middle, plot.y(ticks, box.p5()), middle, plot.y(ticks, box.p95()), "whisker");
    out.open(
        "rect",
        "x",
        Plot.number(left),
        "y",
        Plot.number(upper),
        "width",
        Plot.number(width),
        "height",
        Plot.number(Math.max(0.5, lower - upper)));
    out.element("title", told(box, name));
    out.close("rect");
    plot.line(left, median, middle + width / 2, median, "median");
  }

  private String told(Box box, String name) {
    Axis.Unit unit = ticks.axis().unit();
    return name
        + ": median "
        + Figures.text(box.p50(), unit)
        + ", p5 "
        + Figures.text(box.p5(), unit)
        + ", p95 "
        + Figures.text(box.p95(), unit)
        + ", "
        + box.count()
        + " samples";
  }
}
