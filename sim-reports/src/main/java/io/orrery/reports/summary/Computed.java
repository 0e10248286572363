package io.orrery.reports.summary;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A value that is computed once: by a thread of its own if one has been begun, otherwise by whoever
 * asks for it first.
 */
final class Computed<T> {
  private final FutureTask<T> task;

  Computed(Callable<T> work) {
    task = new FutureTask<>(work);
  }

  /** Has a thread of its own compute the value. */
  void begin() {
    Thread thread = new Thread(task, "summary");
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether there is nothing to wait for. */
  boolean isDone() {
    return task.isDone();
  }

  /** The value. */
  T get() {
    task.run(); // does nothing if it has begun
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a run was summed up", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
