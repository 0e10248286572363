package io.orrery.reports.plan;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import io.orrery.scenarios.plan.PlanSlo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;

/** A run's numbers beside what has to hold. */
record SloCheck(List<Part> parts) {
  /** More requests than this share may not be refused or fail. */
  private static final double LOST = 0.01;

  SloCheck {
    parts = List.copyOf(parts);
  }

  /** What a promise is about. */
  enum Kind {
    TTFT,
    SPEED,
    SESSION,
    REFUSED
  }

  /**
   * One promise.
   *
   * @param text the number that was found, and of what
   * @param ratio above 1 it is broken: how many times too much, or too little
   */
  record Part(Kind kind, String text, double ratio) {
    boolean holds() {
      return ratio <= 1;
    }

    /** The number, and how far it is from where the promise breaks. */
    String withRoom() {
      return text + (holds() ? " (" + HumanUnits.percent(1 - ratio) + " to spare)" : "");
    }
  }

  static SloCheck of(Summary summary, PlanSlo slo) {
    List<Part> parts = new ArrayList<>();
    double ttft = summary.get("ttft_ms.p95", Double.POSITIVE_INFINITY);
    parts.add(
        new Part(
            Kind.TTFT,
            Double.isInfinite(ttft)
                ? "no first token"
                : "TTFT p95 " + told(HumanUnits::millis, ttft, slo.ttftP95Millis()),
            ttft / slo.ttftP95Millis()));
    double tpot = summary.get("tpot_ms.p95", 0);
    if (tpot > 0) {
      double speed = 1000 / tpot;
      parts.add(
          new Part(
              Kind.SPEED,
              HumanUnits.amount(speed) + " tokens/s for 19 of 20 requests",
              slo.tokensPerSecond() / speed));
    }
    if (slo.sessionP95Seconds().isPresent()) {
      double session = summary.get("session_completion_s.p95", Double.POSITIVE_INFINITY);
      parts.add(
          new Part(
              Kind.SESSION,
              Double.isInfinite(session)
                  ? "no session completed"
                  : "session completion p95 "
                      + told(HumanUnits::seconds, session, slo.sessionP95Seconds().getAsDouble()),
              session / slo.sessionP95Seconds().getAsDouble()));
    }
    double sent = summary.get("requests.dispatched", 0);
    double lost = summary.get("requests.rejected", 0) + summary.get("requests.failed", 0);
    if (lost > 0) {
      parts.add(
          new Part(
              Kind.REFUSED,
              HumanUnits.percent(lost / sent) + " of the requests refused or failed",
              lost / sent / LOST));
    }
    return new SloCheck(parts);
  }

  /** A number that is broken by less than its digits show says so. */
  private static String told(DoubleFunction<String> text, double value, double limit) {
    String told = text.apply(value);
    return value > limit && told.equals(text.apply(limit)) ? told + " and a little" : told;
  }

  boolean holds() {
    return parts.stream().allMatch(Part::holds);
  }

  /** The promise that is broken most, or nearest to it. */
  Part worst() {
    return parts.stream().max(Comparator.comparingDouble(Part::ratio)).orElseThrow();
  }
}
