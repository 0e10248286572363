package io.orrery.reports.sweep;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.engine.policy.PolicyFailureException;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.sweep.Factor;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepPoint;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a point's result of a point: the same wherever, whenever and how often it is asked for. May
 * be used by several threads.
 */
public final class PointSimulator {
  private static final List<String> TRACE_KEYS =
      List.of(
          Factor.VARIANT,
          "trace",
          "trace.files",
          "trace.format",
          "trace.blockSize",
          "trace.map",
          "trace.sharedSystemPrefix");

  private final Sweep sweep;
  private final RunPreparation preparation;
  private final String version;
  private final boolean oneTrace;

  /**
   * @param preparation holds what points share
   * @param version of the program, and of what else was plugged in
   */
  public PointSimulator(Sweep sweep, RunPreparation preparation, String version) {
    this.sweep = sweep;
    this.preparation = preparation;
    this.version = version;
    oneTrace = sweep.factors().stream().noneMatch(factor -> TRACE_KEYS.contains(factor.path()));
  }

  /**
   * Simulates a point; what makes it impossible is its outcome.
   *
   * @param isKnown whether the run with a key need not be simulated again
   * @throws TraceException if the one trace of all points cannot be read
   */
  public PointOutcome simulate(SweepPoint point, Predicate<String> isKnown) {
    try {
      return finish(point, isKnown);
    } catch (TraceException e) {
      if (oneTrace) {
        throw e;
      }
      return failed(point, e.getMessage());
    } catch (ScenarioException
        | SimulatedTimeException
        | PolicyFailureException
        | NoProgressException e) {
      return failed(point, e.getMessage());
    } catch (UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) {
      return failed(point, "internal error: " + e);
    }
  }

  /**
   * Simulates a point.
   *
   * @throws RuntimeException with what makes it impossible
   */
  PointOutcome finish(SweepPoint point, Predicate<String> isKnown) {
    ScenarioRun run = preparation.run(sweep.variant(point));
    String key = PointResult.keyOf(run, version);
    return isKnown.test(key)
        ? PointOutcome.known(point.index(), key)
        : PointOutcome.simulated(
            point.index(), PointResult.of(run, version, run.simulate(ended -> {})));
  }

  private static PointOutcome failed(SweepPoint point, @Nullable String reason) {
    return PointOutcome.failed(point.index(), String.valueOf(reason).replace("\n", "; "));
  }
}
