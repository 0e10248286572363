package io.orrery.reports.plan;

import io.orrery.models.Deployment;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.plan.BoundarySearch;
import io.orrery.scenarios.plan.BoundarySearch.Boundary;
import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks for one candidate's boundary, under each seed, and for what contradicts it. */
final class CandidateSearch {
  private final Plan plan;
  private final Trials trials;
  private final SweepPoint candidate;
  private final List<Trial> tried = new ArrayList<>();

  CandidateSearch(Plan plan, Trials trials, SweepPoint candidate) {
    this.plan = plan;
    this.trials = trials;
    this.candidate = candidate;
  }

  private Trial at(long size, long seed, double factor) {
    Trial trial = trials.at(candidate, size, seed, factor);
    tried.add(trial);
    return trial;
  }

  CandidateResult search() {
    SortedMap<Long, Boundary> boundaries = new TreeMap<>();
    long first = plan.seeds().get(0);
    long start = plan.start(candidate);
    Boundary found = higherUp(boundary(first, 1, start), start);
    probe(found);
    boundaries.put(first, found);
    start = nextStart(found, start);
    for (long seed : plan.seeds().subList(1, plan.seeds().size())) {
      Boundary boundary = isDrawnNothing(seed, start) ? found : boundary(seed, 1, start);
      boundaries.put(seed, boundary);
      start = nextStart(boundary, start);
    }
    OptionalLong answer = answer(boundaries);
    Trial at = answer.isPresent() ? at(answer.getAsLong(), first, 1) : null;
    ScenarioRun run = trials.run(candidate, answer.orElse(start), first, 1);
    String hardware =
        run.deployments().stream().map(Deployment::toString).collect(Collectors.joining(" "));
    return new CandidateResult(
        candidate,
        hardware,
        "",
        boundaries,
        distinct(),
        answer,
        answer.isPresent() ? value(run, answer.getAsLong()) : Double.NaN,
        at,
        beyond(answer, first),
        Double.NaN,
        Double.NaN);
  }

  /** Where the next search of a candidate begins: at what the last one found. */
  private static long nextStart(Boundary boundary, long otherwise) {
    return boundary.lastTrue().orElse(boundary.firstFalse().orElse(otherwise));
  }

  /** Whether another seed gives the very numbers of the first, so that nothing depends on it. */
  private boolean isDrawnNothing(long seed, long size) {
    Trial trial = at(size, seed, 1);
    Trial first = at(size, plan.seeds().get(0), 1);
    return trial.result().summary().equals(first.result().summary());
  }

  private List<Trial> distinct() {
    TreeMap<String, Trial> distinct = new TreeMap<>();
    tried.forEach(t -> distinct.put(t.factor() + " " + t.seed() + " " + t.size(), t));
    return new ArrayList<>(distinct.values());
  }

  /** For workers, true stands for "too few". */
  private Boundary boundary(long seed, double factor, long start) {
    return search(plan.min(), start, size -> holds(size, seed, factor));
  }

  private boolean holds(long size, long seed, double factor) {
    return at(size, seed, factor).holds() != plan.find().ofWorkers();
  }

  private Boundary search(long min, long start, LongPredicate holds) {
    double tolerance = plan.find().ofWorkers() ? 0 : plan.tolerance();
    return BoundarySearch.search(min, plan.max(), start, tolerance, holds);
  }

  /**
   * A few sessions may fare worse than many: one long first prompt is all of the 95th percentile of
   * a handful. Where nothing holds down to the least size, but the promise is broken less the more
   * there are, sizes above are tried, too.
   */
  private Boundary higherUp(Boundary found, long start) {
    if (plan.find().ofWorkers() || found.lastTrue().isPresent()) {
      return found;
    }
    long seed = plan.seeds().get(0);
    long size = Math.max(plan.min(), Math.min(plan.max(), start));
    double before = at(size, seed, 1).check().worst().ratio();
    if (size > plan.min() && before >= at(plan.min(), seed, 1).check().worst().ratio()) {
      return found;
    }
    while (size < plan.max()) {
      size = Math.min(plan.max(), 2 * size);
      Trial trial = at(size, seed, 1);
      if (trial.holds()) {
        return search(size, size, other -> holds(other, seed, 1));
      }
      double ratio = trial.check().worst().ratio();
      if (ratio >= before) {
        break;
      }
      before = ratio;
    }
    return found;
  }

  /** Tries a size well below the boundary and one well above, unless the search has been there. */
  private void probe(Boundary boundary) {
    long seed = plan.seeds().get(0);
    if (boundary.lastTrue().isPresent()) {
      long last = boundary.lastTrue().getAsLong();
      if (last > plan.min() && tried.stream().noneMatch(t -> 4 * t.size() <= 3 * last)) {
        at(Math.max(plan.min(), last / 2), seed, 1);
      }
    }
    if (boundary.firstFalse().isPresent()) {
      long beyond = boundary.firstFalse().getAsLong();
      if (beyond < plan.max() && tried.stream().noneMatch(t -> 2 * t.size() >= 3 * beyond)) {
        at(Math.min(plan.max(), 2 * beyond), seed, 1);
      }
    }
  }

  private OptionalLong holding(Boundary boundary) {
    return plan.find().ofWorkers() ? boundary.firstFalse() : boundary.lastTrue();
  }

  /** What holds under every seed. */
  private OptionalLong answer(SortedMap<Long, Boundary> boundaries) {
    List<Long> sizes = new ArrayList<>();
    for (Boundary boundary : boundaries.values()) {
      OptionalLong size = holding(boundary);
      if (size.isEmpty()) {
        return OptionalLong.empty();
      }
      sizes.add(size.getAsLong());
    }
    Comparator<Long> order = Comparator.naturalOrder();
    return OptionalLong.of(
        sizes.stream().max(plan.find().ofWorkers() ? order : order.reversed()).orElseThrow());
  }

  /** The failing trial nearest to the answer; the one nearest to holding if there is none. */
  private @Nullable Trial beyond(OptionalLong answer, long seed) {
    Comparator<Trial> nearest =
        answer.isPresent()
            ? Comparator.comparingLong(t -> Math.abs(t.size() - answer.getAsLong()))
            : Comparator.comparingDouble(t -> t.check().worst().ratio());
    return tried.stream()
        .filter(trial -> !trial.holds())
        .filter(trial -> answer.isPresent() || trial.seed() == seed)
        .min(nearest.thenComparingLong(Trial::seed).thenComparingLong(Trial::size))
        .orElse(null);
  }

  private double value(ScenarioRun run, long size) {
    long gpus = run.variant().spec().gpus();
    return switch (plan.find()) {
      case CONCURRENCY -> (double) size / gpus;
      case GPUS -> gpus;
      case USD -> run.cost().dollarsPerHour().orElse(Double.NaN);
      case KWH -> run.cost().kilowatts().orElse(Double.NaN);
    };
  }

  /**
   * What a result's value would be with other step times; NaN if nothing held then.
   *
   * @param factor on step times
   */
  static CandidateSearch.Shifted shifted(
      Plan plan, Trials trials, CandidateResult result, double factor) {
    CandidateSearch search = new CandidateSearch(plan, trials, result.point());
    long seed = plan.seeds().get(0);
    OptionalLong size =
        search.holding(search.boundary(seed, factor, result.answer().orElseThrow()));
    double value =
        size.isEmpty()
            ? Double.NaN
            : search.value(trials.run(result.point(), size.getAsLong(), seed, 1), size.getAsLong());
    return new Shifted(value, search.distinct());
  }

  /** A value under other step times, and what was tried for it. */
  record Shifted(double value, List<Trial> tried) {}
}
