package io.orrery.engine.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.NoProgressException;
import io.orrery.engine.Simulation;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.record.WorkerStats;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import org.junit.jupiter.api.Test;

/** A recorder hears every step, and listening changes nothing. */
class RecordedStepsTest {
  private static final int RUNS = 400;

  private static final class Steps implements Recorder {
    private final long[] count;
    private final long[] busy;
    private final long[] lastEnd;
    private final long[] evicted;
    private int overlaps;
    private int empty;

    Steps(int workers) {
      count = new long[workers];
      busy = new long[workers];
      lastEnd = new long[workers];
      evicted = new long[workers];
    }

    @Override
    public boolean hearsSteps() {
      return true;
    }

    @Override
    public void step(
        int worker, long began, long ended, int decodes, int prefills, int prefillTokens) {
      count[worker]++;
      busy[worker] += ended - began;
      overlaps += began < lastEnd[worker] ? 1 : 0;
      lastEnd[worker] = ended;
      empty += decodes + prefills == 0 || prefillTokens < prefills ? 1 : 0;
    }

    @Override
    public void evicted(int worker, long now) {
      evicted[worker]++;
    }
  }

  @Test
  void everyStepIsToldOnceAndNothingChanges() {
    long steps = 0;
    long evictions = 0;
    for (long seed = 1; seed <= RUNS; seed++) {
      RunSpec run = RandomRuns.run(seed);
      Trace trace = run.trace();
      BlockView view = run.view(trace);
      RunResult quiet;
      try {
        quiet = new Simulation(trace, view, run.settings()).run();
      } catch (NoProgressException e) {
        continue;
      }
      Steps heard = new Steps(quiet.workers().size());
      RunResult loud = new Simulation(trace, view, run.settings()).run(heard, ended -> {});

      assertThat(loud.endNanos()).isEqualTo(quiet.endNanos());
      assertThat(heard.overlaps).as("steps of seed " + seed + " that overlap").isZero();
      assertThat(heard.empty).as("empty steps of seed " + seed).isZero();
      for (WorkerStats worker : quiet.workers()) {
        int w = worker.worker();
        assertThat(loud.workers().get(w).steps()).isEqualTo(worker.steps());
        assertThat(heard.count[w]).as("steps, seed " + seed).isEqualTo(worker.steps());
        assertThat(heard.busy[w])
            .as("busy time, seed " + seed)
            .isEqualTo(worker.prefillBusyNanos() + worker.decodeBusyNanos());
        assertThat(heard.evicted[w]).isEqualTo(worker.evictedKeys());
        steps += heard.count[w];
        evictions += heard.evicted[w];
      }
    }
    assertThat(steps).isGreaterThan(10_000);
    assertThat(evictions).isGreaterThan(100);
  }
}
