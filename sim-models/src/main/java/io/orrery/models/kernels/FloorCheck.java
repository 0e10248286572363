package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Raises times to what the hardware allows, and keeps count. Filled while a model is compiled, read
 * afterwards.
 */
public final class FloorCheck {
  private final Map<String, double[]> counts = new LinkedHashMap<>();

  FloorCheck() {}

  double raise(String operator, double value, double floor) {
    double[] count = counts.computeIfAbsent(operator, name -> new double[3]);
    count[0]++;
    if (value >= floor) {
      return value;
    }
    count[1]++;
    count[2] = Math.max(count[2], floor / value - 1);
    return floor;
  }

  /** Points that were below their floor, over all operators. */
  public long raised() {
    return Math.round(counts.values().stream().mapToDouble(count -> count[1]).sum());
  }

  /** A line per operator that was raised anywhere: how many points, and by how much at most. */
  public List<String> report() {
    List<String> lines = new ArrayList<>();
    counts.forEach(
        (operator, count) -> {
          if (count[1] > 0) {
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%s: %.0f of %.0f points raised to what the hardware allows, by up to %.1f %%",
                    operator,
                    count[1],
                    count[0],
                    100 * count[2]));
          }
        });
    return lines;
  }
}
