package io.orrery.cli;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Drain;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is said about the ends of runs. */
final class DrainNote {
  private DrainNote() {}

  /** A sentence about the longest of several runs' ends, if it is worth saying. */
  static Optional<String> of(List<Drain> drains) {
    return drains.stream()
        .max(Comparator.comparingDouble(Drain::share))
        .filter(Drain::isWorthSaying)
        .map(DrainNote::text);
  }

  private static String text(Drain drain) {
    return String.format(
        Locale.ROOT,
        "No session begins in the last %s of %s (%.0f %%), while the others end; rates per second"
            + " and idle time include that. limits.simulatedTime ends a run before it.",
        HumanUnits.seconds(drain.nanos() / 1e9),
        HumanUnits.seconds(drain.runNanos() / 1e9),
        100 * drain.share());
  }
}
