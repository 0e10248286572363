package io.orrery.reports;

import io.orrery.reports.summary.Summary;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs of one variant under several seeds, taken together. */
public final class SeedMeans {
  private static final MathContext DIGITS = new MathContext(12);

  private SeedMeans() {}

  /**
   * One run for each variant, with the mean of every number that all its seeds know; a variant with
   * one seed stays as it is. Everything else is of the first seed.
   */
  public static List<RunReport> of(List<RunReport> runs) {
    Map<String, List<RunReport>> variants = new LinkedHashMap<>();
    for (RunReport run : runs) {
      variants.computeIfAbsent(run.name(), name -> new ArrayList<>()).add(run);
    }
    List<RunReport> means = new ArrayList<>();
    for (List<RunReport> seeds : variants.values()) {
      RunReport first = seeds.get(0);
      means.add(seeds.size() == 1 ? first : first.withSummary(mean(seeds)));
    }
    return means;
  }

  private static Summary mean(List<RunReport> seeds) {
    Map<String, Number> means = new LinkedHashMap<>();
    for (String key : seeds.get(0).summary().values().keySet()) {
      if (seeds.stream().allMatch(run -> run.summary().get(key).isPresent())) {
        double sum = 0;
        for (RunReport run : seeds) {
          sum += run.summary().get(key, 0);
        }
        means.put(key, new BigDecimal(sum / seeds.size()).round(DIGITS));
      }
    }
    return Summary.of(means);
  }
}
