package io.orrery.traces;

import java.io.Closeable;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that parse; who waits for what they do can help them. */
final class Parsers implements Executor, Closeable {
  private final ThreadPoolExecutor threads;

  Parsers(int count) {
    threads =
        new ThreadPoolExecutor(
            count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Parsers::thread);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, Shards.THREADS + "parse");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void execute(Runnable work) {
    threads.execute(work);
  }

  /** Does what nobody has begun and has waited longest; false where there is nothing. */
  boolean help() {
    Runnable work = threads.getQueue().poll();
    if (work != null) {
      work.run();
    }
    return work != null;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
