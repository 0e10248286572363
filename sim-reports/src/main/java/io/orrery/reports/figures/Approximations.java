package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Which numbers of long runs are rounded or absent, and why. */
public final class Approximations {
  private static final String ERROR = ".relative_error";

  private Approximations() {}

  /** Sentences about runs; none if all numbers are there and exact. */
  static List<String> of(List<RunReport> runs) {
    List<String> sentences = new ArrayList<>();
    Set<String> rounded = new LinkedHashSet<>();
    double error = 0;
    for (RunReport run : runs) {
      for (String key : run.summary().values().keySet()) {
        if (key.endsWith(ERROR)) {
          rounded.add(key.substring(0, key.length() - ERROR.length()));
          error = Math.max(error, run.summary().get(key, 0));
        }
      }
    }
    if (!rounded.isEmpty()) {
      sentences.add(
          "Percentiles of "
              + String.join(", ", rounded)
              + " are read from buckets, since there are more than a million samples: at most "
              + HumanUnits.percent(error)
              + " off. Means, counts and extremes are exact.");
    }
    for (RunReport run : runs) {
      absence(runs.size() == 1 ? "" : " of " + run.name(), run.summary()).ifPresent(sentences::add);
    }
    return sentences;
  }

  /**
   * What could not be told of one run, if anything.
   *
   * @param of which run, after a space; empty if there is only one
   */
  public static Optional<String> absence(String of, Summary summary) {
    OptionalDouble limit = summary.get("hit_rate.look_up_limit");
    return limit.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Not told"
                + of
                + ": how much placement and eviction lose, since there were more look-ups than the "
                + HumanUnits.count((long) limit.getAsDouble())
                + " runs of blocks that are kept for that (hit_rate.look_up_limit).");
  }
}
