package io.orrery.engine.record;

import io.orrery.engine.cache.BlockKeys;
import io.orrery.traces.StableOrder;
import java.util.Arrays;

/**
 * Which named blocks were looked up and which came into being, worker by worker: all that a cache
 * of another kind would need to know to be compared with this run's. Kept as runs of consecutive
 * keys, up to {@link #MOST_RUNS}; a longer log is given up.
 */
public final class LookUpLog {
  /** Longest log: 28 bytes a run. */
  static final int MOST_RUNS = 8_000_000;

  private final int blockSize;
  private final long[] capacityTokens;
  private long[] nanos = new long[64];
  private int[] workers = new int[64];
  private long[] firsts = new long[64];
  private int[] lengths = new int[64];

  /** Tokens looked up of the run, or -1 for blocks that came into being. */
  private long[] tokens = new long[64];

  private int size;
  private boolean complete = true;

  /**
   * @param blockSize tokens that a key stands for
   * @param workers workers have ids below this number
   */
  public LookUpLog(int blockSize, int workers) {
    this.blockSize = blockSize;
    capacityTokens = new long[workers];
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
    return firsts[i];
  }

  public int length(int i) {
    return lengths[i];
  }

  public int worker(int i) {
    return workers[i];
  }

  /** Whether the run was looked up; else its blocks came into being. */
  public boolean isLookUp(int i) {
    return tokens[i] >= 0;
  }

  /** Tokens of the run that could be found: a multiple of the block size, or less at its end. */
  public long tokens(int i) {
    return tokens[i];
  }

  /**
   * The runs in one order, whatever the order in which the workers were brought up to date: by
   * time, then worker, then as they happened on it.
   */
  public int[] order() {
    int[] byWorker = StableOrder.of(Arrays.stream(workers, 0, size).asLongStream().toArray());
    long[] times = new long[size];
    for (int i = 0; i < size; i++) {
      times[i] = nanos[byWorker[i]];
    }
    int[] byTime = StableOrder.of(times);
    for (int i = 0; i < size; i++) {
      byTime[i] = byWorker[byTime[i]];
    }
    return byTime;
  }

  /** A worker has its first copy of a block from now on. */
  public void stored(int worker, long now, long key) {
    if (size > 0) {
      int last = size - 1;
      if (tokens[last] < 0
          && workers[last] == worker
          && nanos[last] == now
          && firsts[last] + lengths[last] == key) {
        lengths[last]++;
        return;
      }
    }
    add(worker, now, key, 1, -1);
  }

  /** A worker looked up the leading {@code reusableTokens} of a prompt. */
  public void lookedUp(int worker, long now, BlockKeys keys, int reusableTokens) {
    int start = 0;
    for (int run = 0; run < keys.runs() && start * (long) blockSize < reusableTokens; run++) {
      int end = keys.runEnd(run);
      long covered = Math.min(reusableTokens, end * (long) blockSize) - start * (long) blockSize;
      int length = (int) ((covered + blockSize - 1) / blockSize);
      add(worker, now, keys.runFirst(run), length, covered);
      start = end;
    }
  }

  private void add(int worker, long now, long first, int length, long found) {
    if (size == MOST_RUNS) {
      giveUp();
    }
    if (!complete) {
      return;
    }
    if (size == nanos.length) {
      int larger = size * 2;
      nanos = Arrays.copyOf(nanos, larger);
      workers = Arrays.copyOf(workers, larger);
      firsts = Arrays.copyOf(firsts, larger);
      lengths = Arrays.copyOf(lengths, larger);
      tokens = Arrays.copyOf(tokens, larger);
    }
    nanos[size] = now;
    workers[size] = worker;
    firsts[size] = first;
    lengths[size] = length;
    tokens[size++] = found;
  }

  private void giveUp() {
    complete = false;
    size = 0;
    nanos = new long[0];
    workers = new int[0];
    firsts = new long[0];
    lengths = new int[0];
    tokens = new long[0];
  }
}
