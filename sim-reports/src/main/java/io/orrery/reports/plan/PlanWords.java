package io.orrery.reports.plan;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import io.orrery.scenarios.plan.Plan.Find;
import io.orrery.scenarios.plan.PlanSlo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** A plan's answer in sentences. */
final class PlanWords {
  /** So many requests have twenty beyond their 95th percentile. */
  private static final double FEW = 400;

  private final PlanResult result;
  private final Find find;

  PlanWords(PlanResult result) {
    this.result = result;
    this.find = result.plan().find();
  }

  /** The answer. */
  String answer() {
    if (!result.holds()) {
      return unreachable();
    }
    CandidateResult best = result.ranked().get(0);
    long size = best.answer().orElseThrow();
    long gpus = Objects.requireNonNull(best.atAnswer()).result().gpus();
    String text =
        switch (find) {
          case CONCURRENCY ->
              best.name()
                  + " carries "
                  + amount(best.value())
                  + " sessions per GPU ("
                  + HumanUnits.count(size)
                  + " at once on "
                  + count(gpus, "GPU")
                  + ")";
          case GPUS ->
              best.name() + " needs " + count(gpus, "GPU") + " (" + count(size, "worker") + ")";
          case USD, KWH ->
              best.name()
                  + " costs least: "
                  + value(best)
                  + " on "
                  + count(gpus, "GPU")
                  + " ("
                  + count(size, "worker")
                  + ")";
        };
    return text + " within " + slo(result.plan().slo()) + "; " + limit(best);
  }

  private String limit(CandidateResult best) {
    if (best.beyond() == null) {
      return find.ofWorkers() ? "fewer were not asked for." : "more were not asked for.";
    }
    return (find.ofWorkers() ? "with fewer, " : "beyond that, ")
        + bottleneck(best).part()
        + " gives way first.";
  }

  private String unreachable() {
    CandidateResult nearest =
        result.candidates().stream()
            .filter(candidate -> candidate.beyond() != null)
            .min(
                Comparator.comparingDouble(
                    candidate ->
                        Objects.requireNonNull(candidate.beyond()).check().worst().ratio()))
            .orElse(null);
    if (nearest == null || nearest.beyond() == null) {
      return "No candidate can be judged: "
          + result.failure().orElse("none has a price or power")
          + ".";
    }
    Trial trial = nearest.beyond();
    SloCheck.Part worst = trial.check().worst();
    return "No candidate holds "
        + slo(result.plan().slo())
        + "; nearest is "
        + nearest.name()
        + " with "
        + count(trial.size(), find.ofWorkers() ? "worker" : "session")
        + (find.ofWorkers() ? "" : " at once")
        + ", at "
        + worst.text()
        + " (off by a factor of "
        + amount(worst.ratio())
        + "), broken by "
        + bottleneck(nearest).part()
        + ".";
  }

  static Bottleneck bottleneck(CandidateResult candidate) {
    Trial beyond = Objects.requireNonNull(candidate.beyond());
    return Bottleneck.of(beyond.result().summary(), beyond.check());
  }

  static String slo(PlanSlo slo) {
    return "TTFT p95 ≤ "
        + HumanUnits.millis(slo.ttftP95Millis())
        + ", ≥ "
        + amount(slo.tokensPerSecond())
        + " tokens/s for 19 of 20 requests"
        + (slo.sessionP95Seconds().isPresent()
            ? ", session completion p95 ≤ "
                + HumanUnits.seconds(slo.sessionP95Seconds().getAsDouble())
            : "");
  }

  /** What candidates are compared by, with its unit. */
  String value(CandidateResult candidate) {
    return value(candidate.value());
  }

  String value(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    return switch (find) {
      case CONCURRENCY -> amount(value);
      case GPUS -> HumanUnits.count(value);
      case USD -> "$" + amount(value) + "/h";
      case KWH -> amount(value) + " kWh/h";
    };
  }

  /** What is left, how sure it is, and what would change it; a sentence each. */
  List<String> details() {
    List<String> details = new ArrayList<>();
    if (!result.holds()) {
      violations(details);
      return details;
    }
    CandidateResult best = result.ranked().get(0);
    Summary at = Objects.requireNonNull(best.atAnswer()).result().summary();
    StringBuilder headroom = new StringBuilder("There, ");
    List<String> parts = new ArrayList<>();
    best.atAnswer().check().parts().forEach(part -> parts.add(part.withRoom()));
    parts.add(
        HumanUnits.percent(at.get("headroom.used_fraction.p99", 0))
            + " of the KV blocks in use (p99)");
    headroom.append(String.join(", ", parts)).append(", GPUs idle ");
    double idle = at.get("gpu_seconds.idle", 0);
    double busy = at.get("gpu_seconds.prefill", 0) + at.get("gpu_seconds.decode", 0);
    headroom.append(HumanUnits.percent(idle / (idle + busy))).append(" of the time.");
    details.add(headroom.toString());
    if (best.beyond() != null) {
      Trial beyond = best.beyond();
      details.add(
          "At "
              + count(beyond.size(), find.ofWorkers() ? "worker" : "session")
              + ": "
              + beyond.check().worst().text()
              + "; "
              + bottleneck(best).evidence()
              + ".");
    }
    samples(at, details);
    seeds(best, details);
    stepTimes(best, details);
    violations(details);
    return details;
  }

  private void violations(List<String> details) {
    List<String> violations = result.violations();
    if (!violations.isEmpty()) {
      details.add(
          "Not monotonic: "
              + String.join("; ", violations)
              + ". The numbers told are where the search found the end of those that "
              + (find.ofWorkers() ? "do not hold." : "hold."));
    }
  }

  /** A percentile of a few requests is one of them, and any change makes it another. */
  private static void samples(Summary at, List<String> details) {
    double requests = at.get("ttft_ms.count", 0);
    if (requests < FEW) {
      details.add(
          "A trial there has "
              + HumanUnits.count(requests)
              + " requests, so that its 95th percentile rests on "
              + HumanUnits.count(Math.ceil(requests / 20))
              + " of them: a longer plan.window, or trace.lanes.randomStart, makes it less a matter of"
              + " chance.");
    }
  }

  private void seeds(CandidateResult best, List<String> details) {
    double interval = result.interval(best);
    if (Double.isNaN(interval)) {
      details.add("One seed, so nothing is known of the spread.");
    } else if (interval == 0) {
      details.add(
          best.boundaries().size()
              + " seeds agree on the boundary; where nothing is drawn they must (trace.lanes.randomStart"
              + " or a policy that draws would spread them).");
    } else {
      details.add(
          "Over "
              + best.boundaries().size()
              + " seeds the boundary lies at "
              + String.join(", ", boundaries(best))
              + " (95 % interval of the mean ±"
              + HumanUnits.percent(interval)
              + ").");
    }
  }

  private List<String> boundaries(CandidateResult candidate) {
    return candidate.boundaries().values().stream()
        .map(b -> find.ofWorkers() ? b.firstFalse() : b.lastTrue())
        .map(size -> size.isPresent() ? HumanUnits.count(size.getAsLong()) : "none")
        .toList();
  }

  private void stepTimes(CandidateResult best, List<String> details) {
    if (result.error().isEmpty()) {
      details.add("Nobody has measured the error of these step times, so it is not judged.");
      return;
    }
    double sigma = result.error().get().sigma();
    details.add(
        "Step times are known to about ±"
            + HumanUnits.percent(StrictMath.expm1(sigma))
            + " (one standard deviation): with so much longer or shorter ones it "
            + (best.slower() == best.faster()
                ? "stays " + value(best.slower())
                : "is " + value(best.slower()) + " or " + value(best.faster()))
            + likelihood(best));
    boolean top = true;
    for (PlanResult.Flip flip : result.flips()) {
      details.add(
          "That "
              + flip.second().name()
              + " ("
              + value(flip.second())
              + ") is better than "
              + flip.first().name()
              + (top ? "" : " (" + value(flip.first()) + ")")
              + " after all has a probability of "
              + HumanUnits.percent(flip.probability())
              + " within that error.");
      top = false;
    }
  }

  /** How likely the answer does not hold. */
  private String likelihood(CandidateResult best) {
    double fails = result.answerFails();
    if (Double.isNaN(fails)) {
      return ".";
    }
    if (find.ofWorkers()) {
      return "; it holds until they are "
          + HumanUnits.percent(result.margin() - 1)
          + " longer, so more workers are needed with a probability of "
          + HumanUnits.percent(fails)
          + ".";
    }
    double safe = result.sizeForNineOfTen();
    return "; "
        + count(best.answer().orElseThrow(), "session")
        + " at once are too many with a probability of "
        + HumanUnits.percent(fails)
        + (safe >= 1 ? ", " + HumanUnits.count(safe) + " hold in nine of ten cases." : ".");
  }

  static String amount(double value) {
    return HumanUnits.amount(value);
  }

  static String count(long number, String thing) {
    return HumanUnits.count(number) + " " + thing + (number == 1 ? "" : "s");
  }
}
