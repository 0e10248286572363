package io.orrery.scenarios.experiment;

import io.orrery.traces.Computed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Work on several things at once, whose results come in the order of the things. */
public final class InOrder {
  private InOrder() {}

  /**
   * Works on every item.
   *
   * @param threads how many at once, at least 1
   * @param work makes something of an item; must not share anything mutable between items
   * @return what was made, in the order of the items, whatever the number of threads
   */
  public static <A, B> List<B> map(int threads, List<A> items, Function<A, B> work) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads: found " + threads + ", expected at least 1");
    }
    List<B> results = new ArrayList<>();
    if (threads == 1 || items.size() <= 1) {
      items.forEach(item -> results.add(work.apply(item)));
      return results;
    }
    ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, items.size()));
    try {
      List<Future<B>> futures = new ArrayList<>();
      for (A item : items) {
        futures.add(executor.submit(() -> work.apply(item)));
      }
      for (Future<B> future : futures) {
        results.add(Computed.resultOf(future));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }
}
