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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.jspecify.annotations.Nullable;

/**
 * How alike two traces are: of each distribution the Kolmogorov–Smirnov distance, which is the
 * largest difference of the two distribution functions, and how far apart their hit curves are,
 * what caches keep, and what routing can find.
 *
 * @param marginals by label
 * @param meanHitDistance mean over {@link BlockReuse#TIMES_TO_LIVE} of the differences of the
 *     shares found, NaN without blocks
 * @param largestHitDistance the largest of them
 * @param workingSetDistance the largest difference of the working sets of any of {@link
 *     BlockReuse#WINDOWS}, as a share of the original's; NaN without blocks or a common clock
 * @param placedDistance the largest difference of the shares found where requests go to one of
 *     {@link BlockReuse#WORKERS} at random; NaN without blocks
 */
public record FitQuality(
    List<Marginal> marginals,
    double meanHitDistance,
    double largestHitDistance,
    double workingSetDistance,
    double placedDistance) {
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
    rows(second).forEach(row -> others.put(row.key(), row));
    KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
    List<Marginal> marginals = new ArrayList<>();
    for (TraceNumbers.Row row : rows(first)) {
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
    BlockReuse reuse = first.reuse();
    BlockReuse made = second.reuse();
    if (reuse == null || made == null) {
      return new FitQuality(marginals, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    double[] hits = differences(reuse.hitShares(), made.hitShares());
    double[] kept = differences(reuse.workingSetTokens(), made.workingSetTokens());
    for (int i = 0; i < kept.length; i++) {
      kept[i] /= reuse.workingSetTokens()[i];
    }
    return new FitQuality(
        marginals,
        Arrays.stream(hits).average().orElse(Double.NaN),
        Arrays.stream(hits).max().orElse(Double.NaN),
        Arrays.stream(kept).max().orElse(Double.NaN),
        Arrays.stream(differences(reuse.placed(), made.placed())).max().orElse(Double.NaN));
  }

  /** Those of all reports, and how many requests start together. */
  private static List<TraceNumbers.Row> rows(TraceAnalysis analysis) {
    List<TraceNumbers.Row> rows = new ArrayList<>(TraceNumbers.rows(analysis));
    TraceNumbers.add(rows, TraceNumber.IN_A_SECOND, analysis.starts(Duration.ofSeconds(1)));
    TraceNumbers.add(rows, TraceNumber.IN_A_MINUTE, analysis.starts(Duration.ofMinutes(1)));
    return rows;
  }

  private static double[] differences(double[] first, double[] second) {
    double[] differences = new double[Math.min(first.length, second.length)];
    Arrays.setAll(differences, i -> Math.abs(first[i] - second[i]));
    return differences;
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
    StringBuilder text = new StringBuilder(table.toString());
    if (!Double.isNaN(meanHitDistance)) {
      text.append("Hit curves are ").append(HumanUnits.percent(meanHitDistance));
      text.append(" of the input apart in the mean, ");
      text.append(HumanUnits.percent(largestHitDistance)).append(" at most.\n");
      text.append("What requests find that go anywhere is ");
      text.append(HumanUnits.percent(placedDistance)).append(" of the input apart at most");
      if (!Double.isNaN(workingSetDistance)) {
        text.append(", working sets differ by ");
        text.append(HumanUnits.percent(workingSetDistance));
      }
      text.append(".\n");
    }
    return text.toString();
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
    root.put("working_set_distance_max", TraceStatsJson.number(workingSetDistance));
    root.put("placed_distance_max", TraceStatsJson.number(placedDistance));
    return JsonText.of(root);
  }
}
