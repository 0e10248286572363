package io.orrery.reports.plan;

import io.orrery.scenarios.plan.BoundarySearch.Boundary;
import io.orrery.scenarios.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was found of a candidate.
 *
 * @param hardware its GPUs, model and precisions: candidates with equal ones share the error of
 *     their step times
 * @param failure why it could not be run; empty if it could
 * @param boundaries by seed: the last size that holds and the first that does not
 * @param trials everything that was tried, by seed, then size
 * @param answer the size that holds under every seed; empty if none does
 * @param value what candidates are compared by, at the answer: sessions per GPU, GPUs, $ per hour
 *     or kW; NaN without an answer
 * @param atAnswer the first seed's run at the answer
 * @param beyond the first seed's run just beyond, or nearest to holding if nothing holds
 * @param slower the value where step times are one standard deviation longer; NaN if unknown
 * @param faster the value where they are one shorter
 */
record CandidateResult(
    SweepPoint point,
    String hardware,
    String failure,
    SortedMap<Long, Boundary> boundaries,
    List<Trial> trials,
    OptionalLong answer,
    double value,
    @Nullable Trial atAnswer,
    @Nullable Trial beyond,
    double slower,
    double faster) {
  CandidateResult {
    boundaries = new TreeMap<>(boundaries);
    List<Trial> sorted = new ArrayList<>(trials);
    sorted.sort(
        Comparator.comparingDouble(Trial::factor)
            .thenComparingLong(Trial::seed)
            .thenComparingLong(Trial::size));
    trials = List.copyOf(sorted);
  }

  static CandidateResult failed(SweepPoint point, String reason) {
    return new CandidateResult(
        point,
        "",
        reason,
        new TreeMap<>(),
        List.of(),
        OptionalLong.empty(),
        Double.NaN,
        null,
        null,
        Double.NaN,
        Double.NaN);
  }

  CandidateResult withStepTimes(double newSlower, double newFaster, List<Trial> more) {
    List<Trial> all = new ArrayList<>(trials);
    all.addAll(more);
    return new CandidateResult(
        point,
        hardware,
        failure,
        boundaries,
        all,
        answer,
        value,
        atAnswer,
        beyond,
        newSlower,
        newFaster);
  }

  /** The name, short enough for a sentence. */
  String name() {
    return point.group();
  }

  boolean holds() {
    return answer.isPresent();
  }

  /** How the logarithm of the value changes with a standard deviation of step time; NaN unknown. */
  double sensitivity() {
    return (StrictMath.log(faster) - StrictMath.log(slower)) / 2;
  }

  /**
   * The standard deviation of the logarithm of the largest size that holds, from the error of step
   * times, the spread over seeds, and the search's own grain; NaN if unknown.
   *
   * @param tolerance where the search ended, as a share
   */
  double boundaryDeviation(double tolerance) {
    double spread = seedSpread().orElse(0);
    // The search stops at the tolerance: the boundary lies anywhere within it, evenly.
    double grain = StrictMath.log1p(tolerance);
    return StrictMath.sqrt(sensitivity() * sensitivity() + spread * spread + grain * grain / 12);
  }

  /** The standard deviation of the boundary's logarithm over seeds; empty with one seed. */
  OptionalDouble seedSpread() {
    double[] logs =
        boundaries.values().stream()
            .filter(boundary -> boundary.lastTrue().isPresent())
            .mapToDouble(boundary -> StrictMath.log(boundary.lastTrue().getAsLong()))
            .toArray();
    if (logs.length < 2) {
      return OptionalDouble.empty();
    }
    double mean = 0;
    for (double log : logs) {
      mean += log / logs.length;
    }
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    return OptionalDouble.of(StrictMath.sqrt(squares / (logs.length - 1)));
  }

  /**
   * Where a search contradicts itself: a size that holds beyond one that does not, under the same
   * seed; or more that hold although everything takes longer.
   *
   * @param ofWorkers whether more is easier
   */
  List<String> violations(boolean ofWorkers) {
    List<String> found = new ArrayList<>();
    Map<Long, List<Trial>> bySeed = new TreeMap<>();
    for (Trial trial : trials) {
      if (trial.factor() == 1) {
        bySeed.computeIfAbsent(trial.seed(), seed -> new ArrayList<>()).add(trial);
      }
    }
    bySeed.forEach((seed, some) -> violation(some, ofWorkers).ifPresent(found::add));
    if (ofWorkers ? slower < value : slower > value) {
      found.add(name() + " does better with longer step times");
    }
    if (ofWorkers ? faster > value : faster < value) {
      found.add(name() + " does worse with shorter step times");
    }
    return found;
  }

  /** The hardest size that holds, and the hardest of the easier ones that does not. */
  private Optional<String> violation(List<Trial> some, boolean ofWorkers) {
    Comparator<Trial> hardness = Comparator.comparingLong(Trial::size);
    hardness = ofWorkers ? hardness.reversed() : hardness;
    Optional<Trial> holding = some.stream().filter(Trial::holds).max(hardness);
    if (holding.isEmpty()) {
      return Optional.empty();
    }
    Trial most = holding.get();
    return some.stream()
        .filter(trial -> !trial.holds())
        .filter(trial -> ofWorkers ? trial.size() > most.size() : trial.size() < most.size())
        .max(hardness)
        .map(
            trial ->
                name()
                    + " holds at "
                    + most.size()
                    + " but not at "
                    + trial.size()
                    + " (seed "
                    + trial.seed()
                    + ")");
  }
}
