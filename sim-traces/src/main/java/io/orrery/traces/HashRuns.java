package io.orrery.traces;

import java.util.Arrays;

/**
 * A list of block hashes as runs {@code [first, length]} of consecutive numbers: one entry for each
 * of them where hashes are numbers of blocks in order, as many as hashes where they are hashes.
 */
final class HashRuns {
  private long[] firsts = new long[16];
  private int[] lengths = new int[16];
  private int runs;
  private int size;

  /** Number of hashes. */
  int size() {
    return size;
  }

  /** Number of runs. */
  int runs() {
    return runs;
  }

  /** The run's first hash. */
  long first(int run) {
    return firsts[run];
  }

  /** Hashes in the run, at least one. */
  int length(int run) {
    return lengths[run];
  }

  /** Forgets everything. */
  void clear() {
    runs = 0;
    size = 0;
  }

  void add(long hash) {
    add(hash, 1);
  }

  /**
   * Adds {@code first, first + 1, ...}.
   *
   * @param length at least 1
   */
  void add(long first, int length) {
    size = Math.addExact(size, length);
    int last = runs - 1;
    if (last >= 0 && firsts[last] + lengths[last] == first) {
      lengths[last] += length;
      return;
    }
    if (runs == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * runs);
      lengths = Arrays.copyOf(lengths, 2 * runs);
    }
    firsts[runs] = first;
    lengths[runs++] = length;
  }
}
