package io.orrery.reports.traces;

import io.orrery.reports.JsonText;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.TextTable;
import io.orrery.traces.Trace;
import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.Distribution;
import io.orrery.traces.analysis.TraceAnalysis;
import io.orrery.traces.columns.LongColumn;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.jspecify.annotations.Nullable;

/**
 * How alike two traces are: of each distribution the Kolmogorov–Smirnov distance, which is the
 * largest difference of the two distribution functions, and how far apart their hit curves are.
 *
 * @param marginals by label
 * @param meanHitDistance mean over {@link BlockReuse#TIMES_TO_LIVE} of the differences of the
 *     shares found, NaN without blocks
 * @param largestHitDistance the largest of them
 */
public record FitQuality(
    List<Marginal> marginals, double meanHitDistance, double largestHitDistance) {
  private static final int SCHEMA_VERSION = 1;

  /**
   * One distribution of both traces.
   *
   * @param distance from 0 to 1
   */
  public record Marginal(
      String key, String label, Distribution original, Distribution synthetic, double distance) {}

  /** Of an original and what was made like it. */
  public static FitQuality of(Trace original, Trace synthetic) {
    TraceAnalysis first = TraceAnalysis.of(original);
    TraceAnalysis second = TraceAnalysis.of(synthetic);
    Map<String, TraceNumbers.Row> others = new LinkedHashMap<>();
    TraceNumbers.rows(second).forEach(row -> others.put(row.key(), row));
    KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
    List<Marginal> marginals = new ArrayList<>();
    for (TraceNumbers.Row row : TraceNumbers.rows(first)) {
      TraceNumbers.Row other = others.get(row.key());
      // The test wants at least two values on either side.
      if (other != null && row.samples().size() > 1 && other.samples().size() > 1) {
        marginals.add(
            new Marginal(
                row.key(),
                row.label(),
                row.numbers(),
                other.numbers(),
                test.kolmogorovSmirnovStatistic(doubles(row.samples()), doubles(other.samples()))));
      }
    }
    double[] distances = hitDistances(first.reuse(), second.reuse());
    return new FitQuality(marginals, distances[0], distances[1]);
  }

  private static double[] hitDistances(@Nullable BlockReuse first, @Nullable BlockReuse second) {
    if (first == null || second == null) {
      return new double[] {Double.NaN, Double.NaN};
    }
    double sum = 0;
    double largest = 0;
    for (int i = 0; i < first.hitShares().length; i++) {
      double distance = Math.abs(first.hitShares()[i] - second.hitShares()[i]);
      sum += distance;
      largest = Math.max(largest, distance);
    }
    return new double[] {sum / first.hitShares().length, largest};
  }

  private static double[] doubles(LongColumn values) {
    double[] result = new double[values.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = values.get(i);
    }
    return result;
  }

  /** A table of at most 100 columns, ended by a new line. */
  public String toText() {
    TextTable table =
        new TextTable("like the original", "p50", "made", "p99", "made", "KS distance");
    for (Marginal m : marginals) {
      boolean seconds = m.key().endsWith("_s");
      table.add(
          m.label(),
          number(m.original().p50(), seconds),
          number(m.synthetic().p50(), seconds),
          number(m.original().p99(), seconds),
          number(m.synthetic().p99(), seconds),
          String.format(java.util.Locale.ROOT, "%.3f", m.distance()));
    }
    String curves =
        Double.isNaN(meanHitDistance)
            ? ""
            : "Hit curves are "
                + HumanUnits.percent(meanHitDistance)
                + " of the input apart in the mean, "
                + HumanUnits.percent(largestHitDistance)
                + " at most.\n";
    return table + curves;
  }

  private static String number(double value, boolean seconds) {
    return Double.isNaN(value)
        ? Figures.UNKNOWN
        : seconds ? HumanUnits.seconds(value) : HumanUnits.amount(value);
  }

  /** One JSON document. */
  public String toJson() {
    Map<String, @Nullable Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    Map<String, @Nullable BigDecimal> distances = new LinkedHashMap<>();
    marginals.forEach(m -> distances.put(m.key(), TraceStatsJson.number(m.distance())));
    root.put("kolmogorov_smirnov", distances);
    root.put("hit_curve_distance_mean", TraceStatsJson.number(meanHitDistance));
    root.put("hit_curve_distance_max", TraceStatsJson.number(largestHitDistance));
    return JsonText.of(root);
  }
}
