package io.orrery.reports.cells;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.SimulatedTimeException;
import io.orrery.engine.policy.PolicyFailureException;
import io.orrery.reports.TraceDescription;
import io.orrery.reports.summary.MergeableSummary;
import io.orrery.reports.summary.Metrics;
import io.orrery.reports.summary.RunFacts;
import io.orrery.reports.work.Work;
import io.orrery.reports.work.WorkPlace;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.experiment.TraceOpener;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepReader;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceSelection;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every variant of a scenario on every cell, as work: the cells of the first variant, then those of
 * the next.
 *
 * @param run tells this work from other work, so that they share nothing
 * @param cells how many
 */
record CellWork(String run, ScenarioText scenario, int cells) implements Work<CellWork.Ended> {
  /**
   * How a cell ended.
   *
   * @param piece which it was
   * @param trace digest of the whole trace's files and of how they were read
   * @param summary its numbers; empty for a cell without sessions, or one that failed
   * @param failure why it failed, null if it did not
   */
  record Ended(
      int piece, String trace, List<String> assumptions, byte[] summary, @Nullable String failure)
      implements Serializable {}

  @Override
  public Ended at(int piece, WorkPlace place) {
    Sweep variants = place.shared(run, Sweep.class, () -> SweepReader.variants(scenario.layers()));
    Part part = new Part(place.traces(), piece % cells, cells);
    try {
      ScenarioRun cell =
          new RunPreparation(part).run(variants.variant(variants.point(piece / cells)));
      MergeableSummary summary =
          Metrics.mergeable(RunFacts.of(cell, cell.simulate(ended -> {}), 0));
      return new Ended(piece, part.digest, cell.assumptions(), summary.toBytes(), null);
    } catch (EmptyPartException e) {
      return new Ended(piece, part.digest, List.of(), new byte[0], null);
    } catch (ScenarioException
        | TraceException
        | SimulatedTimeException
        | PolicyFailureException
        | NoProgressException e) {
      return new Ended(piece, part.digest, List.of(), new byte[0], String.valueOf(e.getMessage()));
    }
  }

  /** Reads one part of a trace. */
  private static final class Part implements TraceOpener {
    private final TraceOpener whole;
    private final int part;
    private final int parts;
    private String digest = "";

    Part(TraceOpener whole, int part, int parts) {
      this.whole = whole;
      this.part = part;
      this.parts = parts;
    }

    @Override
    public Trace open(List<String> places, TraceOptions options) {
      Trace trace = whole.open(places, options);
      digest = TraceDescription.of(trace).digest();
      Optional<Trace> selected = TraceSelection.part(trace, part, parts);
      return selected.orElseThrow(EmptyPartException::new);
    }
  }

  /** There is nothing to simulate. */
  private static final class EmptyPartException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
