package io.orrery.reports.work;

import io.orrery.scenarios.experiment.InOrder;
import io.orrery.scenarios.experiment.TraceOpener;
import io.orrery.traces.Trace;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Threads of this process. */
public final class ThreadWorkers implements Workers, WorkPlace {
  private final int threads;
  private final Map<Object, Object> shared = new ConcurrentHashMap<>();
  private final Map<List<Object>, Trace> traces = new ConcurrentHashMap<>();

  /** So many threads, at least one. */
  public ThreadWorkers(int threads) {
    this.threads = threads;
  }

  @Override
  public WorkPlace here() {
    return this;
  }

  @Override
  public int width() {
    return threads;
  }

  @Override
  public TraceOpener traces() {
    return (places, options) ->
        traces.computeIfAbsent(
            List.of(places, options), key -> TraceOpener.local(threads).open(places, options));
  }

  @Override
  public <V> V shared(Object key, Class<V> type, Supplier<V> make) {
    return type.cast(shared.computeIfAbsent(key, absent -> make.get()));
  }

  @Override
  public <T extends Serializable> void run(int count, Work<T> work, Consumer<T> taker) {
    Object one = new Object();
    InOrder.map(
        threads,
        IntStream.range(0, count).boxed().toList(),
        piece -> {
          T done = work.at(piece, this);
          synchronized (one) {
            taker.accept(done);
          }
          return piece;
        });
  }
}
