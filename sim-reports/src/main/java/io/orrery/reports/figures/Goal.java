package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import io.orrery.reports.console.HumanUnits;
import java.util.List;
import java.util.function.DoubleFunction;

/** A number that one wants low or high, and that variants are chosen by. */
record Goal(String name, String key, boolean high, DoubleFunction<String> format) {
  /** Goals that a choice is made by, the ones that users feel first. */
  static final List<Goal> ALL =
      List.of(
          new Goal("TTFT p95", "ttft_ms.p95", false, HumanUnits::millis),
          new Goal("requests/s within SLO", "goodput_rps", true, HumanUnits::amount),
          new Goal("session time", "session_completion_s.mean", false, HumanUnits::seconds),
          new Goal(
              "output tokens/s per GPU", "output_tokens_per_s_per_gpu", true, HumanUnits::amount));

  /** What no choice is made by, but must be said where another variant is better. */
  static final List<Goal> BESIDES =
      List.of(
          new Goal("TTFT p50", "ttft_ms.p50", false, HumanUnits::millis),
          new Goal("TTFT p99", "ttft_ms.p99", false, HumanUnits::millis),
          new Goal(
              "slowdown of sessions at p95", "fairness.slowdown.p95", false, HumanUnits::amount),
          new Goal("fairness of slowdowns (Jain)", "fairness.jain", true, HumanUnits::amount));

  /** The share of requests that must keep a target for it to hold: targets are meant at p95. */
  static final double KEPT = 0.95;

  /** Differences below this share are not called differences. */
  private static final double ALIKE = 0.02;

  double value(RunReport run) {
    double none = high ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    return run.summary().get(key, none);
  }

  boolean isKnown(RunReport run) {
    return run.summary().get(key).isPresent();
  }

  String text(RunReport run) {
    return isKnown(run) ? format.apply(value(run)) : "none";
  }

  /** Whether the variants differ in it, as it is printed. */
  boolean tells(List<RunReport> among) {
    return among.stream().map(this::text).distinct().count() > 1;
  }

  boolean isNearBest(RunReport run, List<RunReport> among) {
    return among.stream()
        .allMatch(
            other ->
                high
                    ? value(run) >= (1 - ALIKE) * value(other)
                    : value(run) <= (1 + ALIKE) * value(other));
  }

  boolean isBest(RunReport run, List<RunReport> among) {
    return among.stream()
        .allMatch(
            other ->
                text(other).equals(text(run))
                    || (high ? value(other) < value(run) : value(other) > value(run)));
  }
}
