package io.orrery.traces;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * A value that is computed once: by a thread of its own if one has been begun, otherwise by whoever
 * asks for it first.
 */
public final class Computed<T> {
  private final FutureTask<T> task;

  /** A value that nobody computes yet. */
  public Computed(Callable<T> work) {
    task = new FutureTask<>(work);
  }

  /**
   * A value that is computed by a thread of its own from now on.
   *
   * @param meanwhile whether it is; if not, it is computed when it is asked for
   */
  public static <T> Computed<T> of(boolean meanwhile, Callable<T> work) {
    Computed<T> value = new Computed<>(work);
    if (meanwhile) {
      value.begin();
    }
    return value;
  }

  /** Has a thread of its own compute the value. */
  public void begin() {
    Thread thread = new Thread(task, "orrery-meanwhile");
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether there is nothing to wait for. */
  public boolean isDone() {
    return task.isDone();
  }

  /**
   * The value.
   *
   * @throws RuntimeException what the computation threw
   */
  public T get() {
    task.run(); // does nothing if it has begun
    return resultOf(task);
  }

  /**
   * What other threads compute, once they have.
   *
   * @throws RuntimeException what the computation threw
   */
  public static <T> T resultOf(Future<T> work) {
    try {
      return work.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while another thread worked", e);
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
