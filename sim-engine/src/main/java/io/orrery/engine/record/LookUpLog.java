package io.orrery.engine.record;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.traces.StableOrder;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * Which named blocks were looked up and which came into being, worker by worker: all that a cache
 * of another kind would need to know to be compared with this run's. Kept as runs of consecutive
 * keys, up to {@link #MOST_RUNS}, in columns that leave the heap where they are big; a longer log
 * is given up.
 */
public final class LookUpLog {
  /** Longest log: 28 bytes a run. */
  public static final int MOST_RUNS = 8_000_000;

  private final int blockSize;
  private final int mostRuns;
  private final long[] capacityTokens;
  private final LongColumn nanos = new LongColumn();
  private final IntColumn workers = new IntColumn();
  private final LongColumn firsts = new LongColumn();
  private final IntColumn lengths = new IntColumn();

  /** Tokens looked up of the run, or -1 for blocks that came into being. */
  private final IntColumn tokens = new IntColumn();

  // The last run, if its blocks came into being: where it would go on.
  private long storedEnd = -1;
  private int storedOn;
  private long storedNanos;

  private int size;
  private boolean complete = true;

  /**
   * @param blockSize tokens that a key stands for
   * @param workers workers have ids below this number
   */
  public LookUpLog(int blockSize, int workers) {
    this(blockSize, workers, MOST_RUNS);
  }

  /**
   * @param mostRuns length at which the log is given up
   */
  public LookUpLog(int blockSize, int workers, int mostRuns) {
    this.blockSize = blockSize;
    this.mostRuns = mostRuns;
    capacityTokens = new long[workers];
  }

  /** Runs that it holds at most; with more it is given up. */
  public int mostRuns() {
    return mostRuns;
  }

  /** Whether nothing is missing. */
  public boolean complete() {
    return complete;
  }

  /** Tokens that a key stands for. */
  public int blockSize() {
    return blockSize;
  }

  /** Sets the size of a worker's KV cache. */
  public void capacity(int worker, long tokens) {
    capacityTokens[worker] = tokens;
  }

  /** Tokens that the workers' KV caches hold, by worker. */
  public long[] capacityTokens() {
    return capacityTokens.clone();
  }

  /** Runs of keys in the log. */
  public int size() {
    return size;
  }

  public long first(int i) {
    return firsts.get(i);
  }

  public int length(int i) {
    return lengths.get(i);
  }

  public int worker(int i) {
    return workers.get(i);
  }

  /** Whether the run was looked up; else its blocks came into being. */
  public boolean isLookUp(int i) {
    return tokens.get(i) >= 0;
  }

  /** Tokens of the run that could be found: a multiple of the block size, or less at its end. */
  public int tokens(int i) {
    return tokens.get(i);
  }

  /**
   * The runs in one order, whatever the order in which the workers were brought up to date: by
   * time, then worker, then as they happened on it.
   */
  public IntColumn order() {
    IntColumn order = StableOrder.of(nanos);
    int begin = 0;
    for (int i = 1; i <= size; i++) {
      if (i == size || nanos.get(order.get(i)) != nanos.get(order.get(begin))) {
        putInOrderOfWorkers(order, begin, i);
        begin = i;
      }
    }
    return order;
  }

  /** Runs of one moment, from a place in the order on to before another. */
  private void putInOrderOfWorkers(IntColumn order, int begin, int end) {
    boolean sorted = true;
    for (int i = begin + 1; i < end; i++) {
      sorted &= workers.get(order.get(i - 1)) <= workers.get(order.get(i));
    }
    if (sorted) {
      return;
    }
    IntColumn runs = new IntColumn();
    LongColumn their = new LongColumn();
    for (int i = begin; i < end; i++) {
      runs.add(order.get(i));
      their.add(workers.get(order.get(i)));
    }
    IntColumn places = StableOrder.of(their);
    for (int i = begin; i < end; i++) {
      order.set(i, runs.get(places.get(i - begin)));
    }
    runs.release();
    their.release();
    places.release();
  }

  /**
   * Runs worker by worker.
   *
   * @param starts where the runs of each worker begin, and the end of the last one's
   */
  record ByWorker(IntColumn runs, int[] starts) {
    int begin(int worker) {
      return starts[worker];
    }

    int end(int worker) {
      return starts[worker + 1];
    }
  }

  /**
   * The runs worker by worker, those of one in the order given.
   *
   * @param order of all runs
   */
  ByWorker byWorker(IntColumn order) {
    int[] starts = new int[capacityTokens.length + 1];
    for (int i = 0; i < size; i++) {
      starts[workers.get(i) + 1]++;
    }
    for (int worker = 0; worker < capacityTokens.length; worker++) {
      starts[worker + 1] += starts[worker];
    }
    int[] next = starts.clone();
    IntColumn runs = IntColumn.filled(size, 0);
    for (int i = 0; i < size; i++) {
      int run = order.get(i);
      runs.set(next[workers.get(run)]++, run);
    }
    return new ByWorker(runs, starts);
  }

  /** A worker has its first copy of a block from now on. */
  public void stored(int worker, long now, long key) {
    stored(worker, now, key, key);
  }

  /**
   * A worker has its first copy of the blocks from key {@code first} up, or down, to {@code last}
   * from now on, in this order.
   */
  public void stored(int worker, long now, long first, long last) {
    if (first > last) {
      for (long key = first; key >= last; key--) {
        stored(worker, now, key);
      }
      return;
    }
    int count = (int) (last - first) + 1;
    if (first == storedEnd && worker == storedOn && now == storedNanos && complete) {
      lengths.increase(size - 1, count);
    } else {
      add(worker, now, first, count, -1);
      storedOn = worker;
      storedNanos = now;
    }
    storedEnd = last + 1;
  }

  /** A worker looked up the leading {@code reusableTokens} of a prompt. */
  public void lookedUp(int worker, long now, BlockKeys keys, int reusableTokens) {
    int start = 0;
    for (int run = 0; run < keys.runs() && start * (long) blockSize < reusableTokens; run++) {
      int end = keys.runEnd(run);
      long covered = Math.min(reusableTokens, end * (long) blockSize) - start * (long) blockSize;
      int length = (int) ((covered + blockSize - 1) / blockSize);
      add(worker, now, keys.runFirst(run), length, (int) covered);
      start = end;
    }
  }

  private void add(int worker, long now, long first, int length, int found) {
    storedEnd = -1;
    if (size == mostRuns) {
      giveUp();
    }
    if (!complete) {
      return;
    }
    nanos.add(now);
    workers.add(worker);
    firsts.add(first);
    lengths.add(length);
    tokens.add(found);
    size++;
  }

  private void giveUp() {
    complete = false;
    size = 0;
    nanos.release();
    workers.release();
    firsts.release();
    lengths.release();
    tokens.release();
  }
}
