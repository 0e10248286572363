package io.orrery.reports.page;

import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.chart.Ticks;

/** Draws bars of stacked parts from the left, each with its total behind it. */
final class BarDrawing {
  private static final int BAR = 22;
  private static final int GAP = 10;

  /** Width of a letter, about, and the letters that a bar's name may have. */
  private static final double LETTER = 6.8;

  private static final int LONGEST_NAME = 40;
  private static final int ROOM_FOR_TOTALS = 42;

  private final BarChart chart;
  private final Markup out;
  private final Ticks ticks;
  private final Plot plot;

  private BarDrawing(BarChart chart, Markup out) {
    this.chart = chart;
    this.out = out;
    this.ticks = chart.ticks();
    double names = namesWidth(chart);
    double width = Plot.WIDTH - names - Plot.RIGHT - ROOM_FOR_TOTALS;
    this.plot = new Plot(out, chart.bars().size() * (BAR + GAP), names, width);
  }

  /** Room for the names of bars. */
  private static double namesWidth(BarChart chart) {
    int longest = chart.bars().stream().mapToInt(String::length).max().orElse(0);
    return LETTER * Math.max(12, Math.min(longest, LONGEST_NAME)) + 12;
  }

  static void draw(BarChart chart, Markup out) {
    new BarDrawing(chart, out).draw();
  }

  private void draw() {
    plot.begin(chart, "bars");
    for (double mark : ticks.marks()) {
      double x = plot.x(ticks, mark);
      plot.line(x, Plot.TOP, x, plot.bottom(), "grid");
      plot.labelBelow(x, ticks.label(mark));
    }
    plot.axisTitle(chart.value().title());
    for (int i = 0; i < chart.bars().size(); i++) {
      double top = Plot.TOP + i * (BAR + GAP) + GAP / 2.0;
      double textLine = top + BAR / 2.0 + 4;
      String name = Plot.shortened(chart.bars().get(i), LONGEST_NAME);
      plot.label(plot.left() - 6, textLine, "end", name);
      double end = parts(i, top);
      String total = Figures.text(chart.total(i), chart.value().unit());
      plot.label(plot.x(ticks, end) + 5, textLine, "start", total);
    }
    plot.end();
  }

  /** Draws the parts of a bar, and says up to which value they reach. */
  private double parts(int bar, double top) {
    double at = 0;
    for (int p = 0; p < chart.parts().size(); p++) {
      double value = chart.parts().get(p).values()[bar];
      if (!(value > 0)) {
        continue;
      }
      double from = plot.x(ticks, at);
      double to = plot.x(ticks, at + value);
      out.open(
          "rect",
          "class",
          "p" + p % 10,
          "x",
          Plot.number(from),
          "y",
          Plot.number(top),
          "width",
          Plot.number(Math.max(0.5, to - from)),
          "height",
          Plot.number(BAR));
      out.element(
          "title", chart.parts().get(p).name() + ": " + Figures.text(value, chart.value().unit()));
      out.close("rect");
      at += value;
    }
    return at;
  }
}
