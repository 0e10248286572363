package io.orrery.reports.chart;

import java.util.List;

/**
 * Horizontal bars made of parts that add up.
 *
 * @param bars names of the bars, top to bottom
 * @param parts what each bar consists of, from its beginning on
 */
public record BarChart(
    String id, String title, String description, Axis value, List<String> bars, List<Part> parts)
    implements Chart {
  public BarChart {
    bars = List.copyOf(bars);
    parts = List.copyOf(parts);
    for (Part part : parts) {
      if (part.values().length != bars.size()) {
        throw new IllegalArgumentException(
            part.name() + ": " + part.values().length + " values for " + bars.size() + " bars");
      }
    }
  }

  /** One kind of part, with its value in every bar. */
  public record Part(String name, double[] values) {
    public Part {
      values = Digits.rounded(values);
    }
  }

  /** The range of the values' axis and its marks. */
  public Ticks ticks() {
    double most = 0;
    for (int i = 0; i < bars.size(); i++) {
      most = Math.max(most, total(i));
    }
    return Ticks.of(value, 0, most);
  }

  /** The whole of a bar; unknown parts count nothing. */
  public double total(int bar) {
    double total = 0;
    for (Part part : parts) {
      double value = part.values()[bar];
      total += Double.isNaN(value) ? 0 : value;
    }
    return total;
  }
}
