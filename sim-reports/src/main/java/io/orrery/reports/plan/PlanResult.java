package io.orrery.reports.plan;

import static java.util.Objects.requireNonNull;

import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.plan.StepTimeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** What a plan found. */
public final class PlanResult {
  private static final double NINE_OF_TEN = 1.2815515655446004;

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
   * Two candidates, one right behind the other.
   *
   * @param probability that the second is the better one after all, within the error of step times
   *     and over seeds
   */
  record Flip(CandidateResult first, CandidateResult second, double probability) {}

  /** How likely neighbours in the ranking change places; those of whom that is known. */
  List<Flip> flips() {
    List<CandidateResult> best = ranked();
    List<Flip> flips = new ArrayList<>();
    for (int i = 0; i + 1 < best.size(); i++) {
      double probability = flip(best.get(i), best.get(i + 1));
      if (!Double.isNaN(probability)) {
        flips.add(new Flip(best.get(i), best.get(i + 1), probability));
      }
    }
    return flips;
  }

  /** Candidates on equal hardware share their error, others have one each. */
  private double flip(CandidateResult first, CandidateResult second) {
    double one = first.boundaryDeviation(tolerance());
    double other = second.boundaryDeviation(tolerance());
    double variance = one * one + other * other;
    if (first.hardware().equals(second.hardware())) {
      variance -= 2 * first.sensitivity() * second.sensitivity();
    }
    double lead = Math.abs(StrictMath.log(first.value()) - StrictMath.log(second.value()));
    if (Double.isNaN(variance)) {
      return Double.NaN;
    }
    if (variance <= 0) {
      return lead == 0 ? 0.5 : 0;
    }
    return normal().cumulativeProbability(-lead / StrictMath.sqrt(variance));
  }

  private double tolerance() {
    return plan.find().ofWorkers() ? 0 : plan.tolerance();
  }

  /**
   * How likely the best candidate does not hold at its answer, within the error of step times; NaN
   * if unknown. Of sessions the boundary is taken for log-normal around the middle between the
   * answer and what was found to fail.
   */
  double answerFails() {
    if (plan.find().ofWorkers()) {
      return needsMore();
    }
    double deviation = ranked().get(0).boundaryDeviation(plan.tolerance());
    return Double.isNaN(deviation)
        ? Double.NaN
        : normal().cumulativeProbability(-half(ranked().get(0)) / deviation);
  }

  /** The most sessions of the best candidate that hold in nine of ten cases; NaN if unknown. */
  double sizeForNineOfTen() {
    if (plan.find().ofWorkers()) {
      return Double.NaN;
    }
    CandidateResult best = ranked().get(0);
    double deviation = best.boundaryDeviation(plan.tolerance());
    double log = StrictMath.log(best.answer().orElseThrow()) + half(best) - NINE_OF_TEN * deviation;
    return Math.floor(StrictMath.exp(log));
  }

  /** From the answer to the middle of where the boundary may lie, in logarithms. */
  private double half(CandidateResult candidate) {
    long answer = candidate.answer().orElseThrow();
    OptionalLong failing =
        requireNonNull(candidate.boundaries().get(plan.seeds().get(0))).firstFalse();
    return failing.isEmpty() || failing.getAsLong() <= answer
        ? 0
        : (StrictMath.log(failing.getAsLong()) - StrictMath.log(answer)) / 2;
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
