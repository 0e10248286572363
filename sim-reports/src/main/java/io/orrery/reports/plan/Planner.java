package io.orrery.reports.plan;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.reports.sweep.SweepJournal;
import io.orrery.reports.work.Workers;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.InOrder;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.plan.Plan.Find;
import io.orrery.scenarios.plan.StepTimeError;
import io.orrery.scenarios.sweep.SweepPoint;
import io.orrery.scenarios.text.ScenarioException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks for every candidate's boundary under every seed, then, for the best few, where it would be
 * if step times were a standard deviation longer or shorter than told. All candidates face the same
 * seeds at every size. The result is the same for any number of threads.
 */
public final class Planner {
  /** Candidates whose boundaries are looked for under other step times. */
  private static final int CONTENDERS = 4;

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
      shift(threads, found, ranked, error.get().sigma());
    }
    return new PlanResult(
        plan, found, ranked, error, margin(found, ranked, error), trials.simulated());
  }

  /** One candidate with step times longer or shorter. */
  private record Shift(int place, double factor) {}

  /** Looks for the best candidates' boundaries under step times a standard deviation off. */
  private void shift(int threads, List<CandidateResult> found, List<Integer> ranked, double sigma) {
    List<Shift> shifts = new ArrayList<>();
    for (int place : ranked.subList(0, Math.min(CONTENDERS, ranked.size()))) {
      shifts.add(new Shift(place, StrictMath.exp(sigma)));
      shifts.add(new Shift(place, StrictMath.exp(-sigma)));
    }
    List<CandidateSearch.Shifted> ends =
        InOrder.map(
            threads,
            shifts,
            shift ->
                CandidateSearch.shifted(plan, trials, found.get(shift.place()), shift.factor()));
    for (int i = 0; i < shifts.size(); i += 2) {
      int place = shifts.get(i).place();
      List<Trial> tried = new ArrayList<>(ends.get(i).tried());
      tried.addAll(ends.get(i + 1).tried());
      found.set(
          place,
          found.get(place).withStepTimes(ends.get(i).value(), ends.get(i + 1).value(), tried));
    }
  }

  private CandidateResult candidate(SweepPoint candidate) {
    try {
      return new CandidateSearch(plan, trials, candidate).search();
    } catch (ScenarioException | SimulatedTimeException | NoProgressException e) {
      return CandidateResult.failed(candidate, String.valueOf(e.getMessage()).replace("\n", "; "));
    }
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
