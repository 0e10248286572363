package io.orrery.reports.sweep;

import io.orrery.reports.work.WorkFailedException;
import io.orrery.reports.work.Workers;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.experiment.RunPreparation;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepPoint;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Runs the points of a sweep, several at once; points that the journal knows are not run again. A
 * point that cannot be run is noted with its reason, and the others go on. The results are the same
 * for any number of threads.
 */
public final class SweepRunner {
  /** Hears how a sweep goes; calls come from several threads. */
  public interface Listener {
    /** A point has ended: it was simulated, it was known, or it failed. */
    void ended(SweepPoint point);
  }

  private final Sweep sweep;
  private final PointSimulator simulator;
  private final SweepJournal journal;
  private final String version;
  private final boolean failFast;
  private final AtomicReferenceArray<@Nullable String> keys;
  private final ConcurrentSkipListMap<Integer, String> failures = new ConcurrentSkipListMap<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger known = new AtomicInteger();
  private volatile boolean stopped;

  /**
   * @param journal of points that are finished; takes those that will be
   * @param version of the program, and of what else was plugged in
   * @param failFast whether the first point that fails ends the sweep
   */
  public SweepRunner(
      Sweep sweep,
      RunPreparation preparation,
      SweepJournal journal,
      String version,
      boolean failFast) {
    this.sweep = sweep;
    simulator = new PointSimulator(sweep, preparation, version);
    this.journal = journal;
    this.version = version;
    this.failFast = failFast;
    keys = new AtomicReferenceArray<>(sweep.size());
  }

  /**
   * Runs what is not finished.
   *
   * @param threads how many points at once, at least 1
   * @throws UncheckedIOException if a finished point cannot be written
   * @throws TraceException if the one trace of all points cannot be read
   * @throws ScenarioException with the reason of the first failure, if failures end the sweep
   */
  public SweepResults run(int threads, Listener listener) {
    ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, sweep.size()));
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(executor.submit(() -> work(listener)));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while points were simulated", e);
    } catch (ExecutionException e) {
      stopped = true;
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      executor.shutdownNow();
    }
    return results();
  }

  /**
   * Runs what is not finished, in other processes.
   *
   * @param scenario the sweep's, to be sent there
   * @throws WorkFailedException if a point cannot be simulated for reasons outside of it
   * @throws RuntimeException as {@link #run(int, Listener)}
   */
  public SweepResults run(Workers engine, ScenarioText scenario, Listener listener) {
    String run = UUID.randomUUID().toString();
    PointWork work = new PointWork(run, scenario, version, new HashSet<>(journal.keys()));
    try {
      engine.run(sweep.size(), work, ended -> take(ended, listener));
    } catch (FirstFailureException first) {
      // What it was exactly shows when the point is simulated here.
      simulator.finish(sweep.point(first.index), key -> false);
      throw first;
    }
    return results();
  }

  private void take(PointWork.Ended ended, Listener listener) {
    if (ended.trace() != null) {
      throw ended.trace();
    }
    if (failFast && !ended.failure().isEmpty()) {
      throw new FirstFailureException(ended);
    }
    take(
        new PointOutcome(
            ended.index(),
            ended.key(),
            ended.line().isEmpty() ? Optional.empty() : Optional.of(PointResult.read(ended.line())),
            ended.failure()));
    listener.ended(sweep.point(ended.index()));
  }

  private SweepResults results() {
    List<@Nullable String> inOrder = new ArrayList<>(sweep.size());
    for (int i = 0; i < sweep.size(); i++) {
      inOrder.add(keys.get(i));
    }
    return new SweepResults(sweep, version, journal, inOrder, failures, known.get());
  }

  private void work(Listener listener) {
    try {
      for (int i = next.getAndIncrement();
          i < sweep.size() && !stopped;
          i = next.getAndIncrement()) {
        SweepPoint point = sweep.point(i);
        run(point);
        listener.ended(point);
      }
    } catch (RuntimeException | Error e) {
      stopped = true;
      throw e;
    }
  }

  private void run(SweepPoint point) {
    take(
        failFast ? simulator.finish(point, journal::has) : simulator.simulate(point, journal::has));
  }

  private void take(PointOutcome outcome) {
    if (outcome.isFailure()) {
      failures.put(outcome.index(), outcome.failure());
      return;
    }
    try {
      if (outcome.result().isPresent() && !journal.has(outcome.key())) {
        journal.add(outcome.result().get());
      } else {
        known.incrementAndGet();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    keys.set(outcome.index(), outcome.key());
  }

  /** Ends work with the first point that failed. */
  private static final class FirstFailureException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int index;

    FirstFailureException(PointWork.Ended ended) {
      super(ended.failure());
      index = ended.index();
    }
  }
}
