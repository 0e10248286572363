package io.orrery.bench;

import io.orrery.engine.cache.WorkerIndex;
import io.orrery.engine.routing.ActiveLoad;
import io.orrery.engine.routing.RoutedRequest;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What kv-aware routing costs a request of 1,900 blocks in three runs: 128 sessions in flight,
 * which share their first 400 blocks.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RoutingBenchmark {
  private static final int SESSIONS = 128;
  private static final int BLOCKS = 1_900;
  private static final int BLOCK_SIZE = 64;

  @Param({"16", "100"})
  int workers;

  private final RoutedRequest[] requests = new RoutedRequest[SESSIONS];
  private ActiveLoad load;
  private WorkerIndex index;
  private int[] depths;
  private int next;

  /** Sends session {@code s} to worker {@code s} modulo the workers; all its blocks are cached. */
  @Setup
  public void placeSessions() {
    load = new ActiveLoad(workers);
    index = new WorkerIndex(workers);
    depths = new int[workers];
    long nextKey = 400;
    for (int s = 0; s < SESSIONS; s++) {
      RoutedRequest request = new RoutedRequest();
      request.keys().reset(s);
      request.keys().addRun(0, 400);
      request.keys().addRun(nextKey, 750);
      request.keys().addRun(nextKey + 1_000, BLOCKS - 400 - 750);
      nextKey += 2_000;
      request.set(s, s, -1, BLOCKS * BLOCK_SIZE, 0, BLOCK_SIZE, 0);
      requests[s] = request;
      load.placed(request, s % workers, 1_000);
      for (int position = 0; position < BLOCKS; position++) {
        index.add(request.keys().keyAt(position), s % workers);
      }
    }
  }

  /** The router's index: how deep the prompt is cached on every worker. */
  @Benchmark
  public int[] beliefs() {
    RoutedRequest request = requests[next++ % SESSIONS];
    index.depths(request.keys(), BLOCKS, depths);
    return depths;
  }

  /** The router's ledger: a request ends, and its like is priced on every worker and placed. */
  @Benchmark
  public long ledger() {
    int s = next++ % SESSIONS;
    RoutedRequest request = requests[s];
    load.ended(request, s % workers);
    long sum = 0;
    for (int worker = 0; worker < workers; worker++) {
      sum += load.blocksWith(request, worker);
    }
    load.placed(request, s % workers, 1_000);
    return sum;
  }
}
