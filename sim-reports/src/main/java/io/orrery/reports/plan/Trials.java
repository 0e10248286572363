package io.orrery.reports.plan;

import io.orrery.engine.DispatchSettings;
import io.orrery.reports.sweep.PointResult;
import io.orrery.reports.sweep.SweepJournal;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.plan.Plan;
import io.orrery.scenarios.sweep.SweepPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Tries sizes; what the journal knows is not simulated again. May be used by several threads. */
final class Trials {
  private final Plan plan;
  private final RunPreparation preparation;
  private final SweepJournal journal;
  private final String version;
  private final TrialSimulator simulator;
  private final Consumer<Trial> listener;
  private final AtomicInteger simulated = new AtomicInteger();

  Trials(
      Plan plan,
      RunPreparation preparation,
      SweepJournal journal,
      String version,
      TrialSimulator simulator,
      Consumer<Trial> listener) {
    this.plan = plan;
    this.preparation = preparation;
    this.journal = journal;
    this.version = version;
    this.simulator = simulator;
    this.listener = listener;
  }

  /** The run of a candidate at a size. */
  ScenarioRun run(SweepPoint candidate, long size, long seed, double factor) {
    return run(plan, preparation, candidate, size, seed, factor);
  }

  static ScenarioRun run(
      Plan plan,
      RunPreparation preparation,
      SweepPoint candidate,
      long size,
      long seed,
      double factor) {
    ScenarioRun run = preparation.run(plan.variant(candidate, size, seed), factor);
    if (plan.find().ofWorkers()
        && run.settings().dispatch() instanceof DispatchSettings.Lanes
        && run.variant().spec().trace().lanes().count().isEmpty()) {
      throw run.variant()
          .config()
          .refusal(
              "trace.lanes.count",
              "a number, since a plan for workers needs a load that does not grow with them");
    }
    return run;
  }

  Trial at(SweepPoint candidate, long size, long seed, double factor) {
    ScenarioRun run = run(candidate, size, seed, factor);
    String version = this.version + (factor == 1 ? "" : " x" + factor);
    String key = PointResult.keyOf(run, version);
    try {
      if (!journal.has(key)) {
        simulated.incrementAndGet();
        journal.add(simulator.simulate(run, version, candidate.index(), size, seed, factor));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    PointResult result = journal.get(key);
    Trial trial = new Trial(size, seed, factor, result, SloCheck.of(result.summary(), plan.slo()));
    listener.accept(trial);
    return trial;
  }

  /** How many were simulated. */
  int simulated() {
    return simulated.get();
  }
}
