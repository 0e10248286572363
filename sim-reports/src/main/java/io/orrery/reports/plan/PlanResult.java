package io.orrery.reports.plan;

import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.plan.StepTimeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** What a plan found. */
public final class PlanResult {
  private final Plan plan;
  private final List<CandidateResult> candidates;
  private final List<Integer> ranked;
  private final Optional<StepTimeError> error;
  private final double margin;
  private final int simulated;

  PlanResult(
      Plan plan,
      List<CandidateResult> candidates,
      List<Integer> ranked,
      Optional<StepTimeError> error,
      double margin,
      int simulated) {
    this.plan = plan;
    this.candidates = List.copyOf(candidates);
    this.ranked = List.copyOf(ranked);
    this.error = error;
    this.margin = margin;
    this.simulated = simulated;
  }

  /** Whether any candidate holds what was asked. */
  public boolean holds() {
    return !ranked.isEmpty();
  }

  /** Whether every candidate failed to run, and the first reason. */
  public Optional<String> failure() {
    return candidates.stream().allMatch(candidate -> !candidate.failure().isEmpty())
        ? Optional.of(candidates.get(0).failure())
        : Optional.empty();
  }

  /** Trials that were simulated, not known from before. */
  public int simulated() {
    return simulated;
  }

  Plan plan() {
    return plan;
  }

  List<CandidateResult> candidates() {
    return candidates;
  }

  /** Those that hold, the best first. */
  List<CandidateResult> ranked() {
    return ranked.stream().map(candidates::get).toList();
  }

  Optional<StepTimeError> error() {
    return error;
  }

  /** Contradictions, a sentence each. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    candidates.forEach(c -> violations.addAll(c.violations(plan.find().ofWorkers())));
    return violations;
  }

  /**
   * How likely the runner-up is the better one after all, within the error of step times and over
   * seeds; NaN if unknown. Candidates on equal hardware share their error, others have one each.
   */
  double rankingFlips() {
    List<CandidateResult> best = ranked();
    if (best.size() < 2 || error.isEmpty()) {
      return Double.NaN;
    }
    CandidateResult first = best.get(0);
    CandidateResult second = best.get(1);
    double one = first.sensitivity();
    double other = second.sensitivity();
    double variance =
        first.hardware().equals(second.hardware())
            ? (one - other) * (one - other)
            : one * one + other * other;
    double spread = first.seedSpread().orElse(0);
    double otherSpread = second.seedSpread().orElse(0);
    variance += spread * spread + otherSpread * otherSpread;
    // The search stops at the tolerance: each boundary lies evenly within it.
    double grain = plan.find().ofWorkers() ? 0 : StrictMath.log1p(plan.tolerance());
    variance += 2 * grain * grain / 12;
    double lead = Math.abs(StrictMath.log(first.value()) - StrictMath.log(second.value()));
    if (Double.isNaN(variance)) {
      return Double.NaN;
    }
    if (variance == 0) {
      return lead == 0 ? 0.5 : 0;
    }
    return normal().cumulativeProbability(-lead / StrictMath.sqrt(variance));
  }

  /** By how much step times may grow before the answer no longer holds; NaN if that is unknown. */
  double margin() {
    return margin;
  }

  /** How likely the best candidate needs more workers than told; NaN if unknown. */
  double needsMore() {
    return Double.isNaN(margin) || error.isEmpty()
        ? Double.NaN
        : 1 - normal().cumulativeProbability(StrictMath.log(margin) / error.get().sigma());
  }

  private static NormalDistribution normal() {
    return new NormalDistribution(null, 0, 1);
  }

  /**
   * Half of the 95 % interval of a candidate's mean boundary, as a share of it, from the spread
   * over seeds; NaN with one seed.
   */
  double interval(CandidateResult candidate) {
    int seeds = candidate.boundaries().size();
    if (seeds < 2 || candidate.seedSpread().isEmpty()) {
      return Double.NaN;
    }
    double quantile = new TDistribution(null, seeds - 1.0).inverseCumulativeProbability(0.975);
    return StrictMath.expm1(
        quantile * candidate.seedSpread().getAsDouble() / StrictMath.sqrt(seeds));
  }
}
