package io.orrery.reports.plan;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.models.Deployment;
import io.orrery.reports.sweep.SweepJournal;
import io.orrery.reports.work.Workers;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.InOrder;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.plan.BoundarySearch;
import io.orrery.scenarios.plan.BoundarySearch.Boundary;
import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.plan.Plan.Find;
import io.orrery.scenarios.plan.StepTimeError;
import io.orrery.scenarios.sweep.SweepPoint;
import io.orrery.scenarios.text.ScenarioException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for every candidate's boundary under every seed, then, for the best few, where it would be
 * if step times were a standard deviation longer or shorter than told. All candidates face the same
 * seeds at every size. The result is the same for any number of threads.
 */
public final class Planner {
  /** Candidates whose boundaries are looked for under other step times. */
  private static final int CONTENDERS = 2;

  private final Plan plan;
  private final Trials trials;

  /**
   * @param journal of trials that are known; takes those that will be
   * @param version of the program, and of what else was plugged in
   * @param listener hears of every trial, from several threads
   */
  public Planner(
      Plan plan,
      RunPreparation preparation,
      SweepJournal journal,
      String version,
      Consumer<String> listener) {
    this(plan, preparation, journal, version, TrialSimulator.HERE, listener);
  }

  /**
   * A planner whose trials are simulated elsewhere.
   *
   * @param preparation with the traces of {@code engine}
   * @param scenario the plan's, to be sent there
   */
  public static Planner on(
      Workers engine,
      ScenarioText scenario,
      Plan plan,
      RunPreparation preparation,
      SweepJournal journal,
      String version,
      Consumer<String> listener) {
    TrialSimulator simulator = TrialSimulator.on(engine, scenario, plan.find());
    return new Planner(plan, preparation, journal, version, simulator, listener);
  }

  private Planner(
      Plan plan,
      RunPreparation preparation,
      SweepJournal journal,
      String version,
      TrialSimulator simulator,
      Consumer<String> listener) {
    this.plan = plan;
    trials =
        new Trials(
            plan,
            preparation,
            journal,
            version,
            simulator,
            trial -> listener.accept(trial.size() + (trial.holds() ? " holds" : " fails")));
  }

  /** Answers the question. */
  public PlanResult answer(int threads) {
    List<SweepPoint> candidates = new ArrayList<>();
    for (int i = 0; i < plan.candidates().size(); i++) {
      candidates.add(plan.candidates().point(i));
    }
    List<CandidateResult> found =
        new ArrayList<>(InOrder.map(threads, candidates, this::candidate));
    List<Integer> ranked = ranked(found);
    Optional<StepTimeError> error = error(found, ranked);
    if (error.isPresent()) {
      List<Integer> contenders = ranked.subList(0, Math.min(CONTENDERS, ranked.size()));
      double sigma = error.get().sigma();
      List<CandidateResult> shifted =
          InOrder.map(threads, contenders, place -> shifted(found.get(place), sigma));
      for (int i = 0; i < contenders.size(); i++) {
        found.set(contenders.get(i), shifted.get(i));
      }
    }
    return new PlanResult(
        plan, found, ranked, error, margin(found, ranked, error), trials.simulated());
  }

  private CandidateResult candidate(SweepPoint candidate) {
    try {
      return search(candidate);
    } catch (ScenarioException | SimulatedTimeException | NoProgressException e) {
      return CandidateResult.failed(candidate, String.valueOf(e.getMessage()).replace("\n", "; "));
    }
  }

  private CandidateResult search(SweepPoint candidate) {
    List<Trial> tried = new ArrayList<>();
    SortedMap<Long, Boundary> boundaries = new TreeMap<>();
    long start = plan.start(candidate);
    for (long seed : plan.seeds()) {
      Boundary first = boundaries.isEmpty() ? null : boundaries.get(boundaries.firstKey());
      Boundary boundary =
          first != null && isDrawnNothing(candidate, seed, start, tried)
              ? first
              : boundary(candidate, seed, 1, start, tried);
      boundaries.put(seed, boundary);
      start = nextStart(boundary, start);
    }
    OptionalLong answer = answer(boundaries);
    long first = plan.seeds().get(0);
    Trial at = answer.isPresent() ? trials.at(candidate, answer.getAsLong(), first, 1) : null;
    if (at != null) {
      tried.add(at);
    }
    ScenarioRun run = trials.run(candidate, answer.orElse(start), first, 1);
    String hardware =
        run.deployments().stream().map(Deployment::toString).collect(Collectors.joining(" "));
    return new CandidateResult(
        candidate,
        hardware,
        "",
        boundaries,
        distinct(tried),
        answer,
        answer.isPresent() ? value(run, answer.getAsLong()) : Double.NaN,
        at,
        beyond(tried, answer, first),
        Double.NaN,
        Double.NaN);
  }

  /** Where the next search of a candidate begins: at what the last one found. */
  private static long nextStart(Boundary boundary, long otherwise) {
    return boundary.lastTrue().orElse(boundary.firstFalse().orElse(otherwise));
  }

  /** Whether another seed gives the very numbers of the first, so that nothing depends on it. */
  private boolean isDrawnNothing(SweepPoint candidate, long seed, long size, List<Trial> tried) {
    Trial trial = trials.at(candidate, size, seed, 1);
    tried.add(trial);
    Trial first = trials.at(candidate, size, plan.seeds().get(0), 1);
    return trial.result().summary().equals(first.result().summary());
  }

  private static List<Trial> distinct(List<Trial> tried) {
    TreeMap<String, Trial> distinct = new TreeMap<>();
    tried.forEach(t -> distinct.put(t.factor() + " " + t.seed() + " " + t.size(), t));
    return new ArrayList<>(distinct.values());
  }

  /** For workers, true stands for "too few". */
  private Boundary boundary(
      SweepPoint candidate, long seed, double factor, long start, List<Trial> tried) {
    boolean ofWorkers = plan.find().ofWorkers();
    double tolerance = ofWorkers ? 0 : plan.tolerance();
    return BoundarySearch.search(
        plan.min(),
        plan.max(),
        start,
        tolerance,
        size -> {
          Trial trial = trials.at(candidate, size, seed, factor);
          tried.add(trial);
          return trial.holds() != ofWorkers;
        });
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
  private static @Nullable Trial beyond(List<Trial> tried, OptionalLong answer, long seed) {
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

  /** The places of those that hold and have a value, the best first. */
  private List<Integer> ranked(List<CandidateResult> found) {
    List<Integer> ranked = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      if (!Double.isNaN(found.get(i).value())) {
        ranked.add(i);
      }
    }
    int sign = plan.find() == Find.CONCURRENCY ? -1 : 1;
    ranked.sort(Comparator.comparingDouble(place -> sign * found.get(place).value()));
    return ranked;
  }

  private Optional<StepTimeError> error(List<CandidateResult> found, List<Integer> ranked) {
    if (ranked.isEmpty()) {
      return Optional.empty();
    }
    CandidateResult best = found.get(ranked.get(0));
    long size = best.answer().orElseThrow();
    return StepTimeError.of(trials.run(best.point(), size, plan.seeds().get(0), 1));
  }

  private CandidateResult shifted(CandidateResult result, double sigma) {
    List<Trial> tried = new ArrayList<>();
    double slower = shifted(result, StrictMath.exp(sigma), tried);
    double faster = shifted(result, StrictMath.exp(-sigma), tried);
    return result.withStepTimes(slower, faster, distinct(tried));
  }

  private double shifted(CandidateResult result, double factor, List<Trial> tried) {
    long seed = plan.seeds().get(0);
    Boundary boundary =
        boundary(result.point(), seed, factor, result.answer().orElseThrow(), tried);
    OptionalLong size = holding(boundary);
    return size.isEmpty()
        ? Double.NaN
        : value(trials.run(result.point(), size.getAsLong(), seed, 1), size.getAsLong());
  }

  /**
   * By how much step times may grow before the best candidate's number of workers no longer holds;
   * NaN where the question is another one or no error is known.
   */
  private double margin(
      List<CandidateResult> found, List<Integer> ranked, Optional<StepTimeError> error) {
    if (!plan.find().ofWorkers() || error.isEmpty()) {
      return Double.NaN;
    }
    CandidateResult best = found.get(ranked.get(0));
    long size = best.answer().orElseThrow();
    long seed = plan.seeds().get(0);
    double low = 0;
    double high = 3 * error.get().sigma();
    for (int i = 0; i < 5; i++) {
      double middle = (low + high) / 2;
      if (trials.at(best.point(), size, seed, StrictMath.exp(middle)).holds()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return StrictMath.exp((low + high) / 2);
  }
}
