package io.orrery.engine;

import io.orrery.engine.cluster.ClusterRun;
import io.orrery.engine.record.Recorder;
import io.orrery.engine.record.RunResult;
import io.orrery.traces.BlockView;
import io.orrery.traces.Trace;
import java.util.function.LongConsumer;

/**
 * One run: a trace against a modelled cluster. Single-threaded and deterministic: the same trace
 * and settings give the same result, on any machine. The trace and its view are only read, so runs
 * may share them across threads.
 */
public final class Simulation {
  private final Trace trace;
  private final BlockView view;
  private final SimulationSettings settings;

  /**
   * @param view the trace at the block size by which every pool tells contents apart
   * @throws IllegalArgumentException if a pool has another block size, or the settings do not fit
   *     the trace
   */
  public Simulation(Trace trace, BlockView view, SimulationSettings settings) {
    for (PoolSettings pool : settings.pools()) {
      int expected = pool.scheduler().identityBlockSize(trace.blockSize());
      if (expected != view.blockSize() || expected % pool.scheduler().blockSize() != 0) {
        throw new IllegalArgumentException(
            "pool "
                + pool.name()
                + ": found blocks of "
                + pool.scheduler().blockSize()
                + " tokens, expected "
                + view.blockSize()
                + " as in the trace's view");
      }
    }
    if (settings.dispatch() instanceof DispatchSettings.Lanes lanes
        && lanes.recycle()
        && lanes.limit() == Long.MAX_VALUE
        && settings.timeLimitNanos() == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "lanes that are recycled never end: expected a limit of sessions or time");
    }
    this.trace = trace;
    this.view = view;
    this.settings = settings;
  }

  /** Runs to the end. */
  public RunResult run() {
    return run(ended -> {});
  }

  /**
   * Runs to the end.
   *
   * @param progress is told now and then how many requests have ended
   */
  public RunResult run(LongConsumer progress) {
    return run(Recorder.NONE, progress);
  }

  /**
   * Runs to the end.
   *
   * @param recorder hears what becomes of every request
   * @param progress is told now and then how many requests have ended
   */
  public RunResult run(Recorder recorder, LongConsumer progress) {
    return new ClusterRun(trace, view, settings, recorder, progress).run();
  }
}
