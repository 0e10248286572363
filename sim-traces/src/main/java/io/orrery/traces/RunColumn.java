package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;

/**
 * Lists of block ids, coded as runs {@code [first, length]} of consecutive ids, one list after the
 * other.
 */
final class RunColumn {
  private final IntColumn firsts = new IntColumn();
  private final IntColumn lengths = new IntColumn();
  private int listStart;

  /** Number of runs so far. */
  int size() {
    return firsts.size();
  }

  int first(int run) {
    return firsts.get(run);
  }

  int length(int run) {
    return lengths.get(run);
  }

  /** Starts a new list: the next id opens a new run, whatever came before. */
  void startList() {
    listStart = firsts.size();
  }

  void add(int id) {
    add(id, 1);
  }

  /**
   * Adds {@code first, first + 1, ...}, joined to the list's last run where that one ends just
   * before.
   */
  void add(int first, int length) {
    int last = firsts.size() - 1;
    if (last >= listStart && firsts.get(last) + lengths.get(last) == first) {
      lengths.set(last, lengths.get(last) + length);
    } else {
      firsts.add(first);
      lengths.add(length);
    }
  }

  /**
   * Adds the blocks at positions {@code [from, to)} of the list that starts at run {@code run} of
   * {@code source}.
   */
  void addSlice(RunColumn source, int run, int from, int to) {
    int position = 0;
    for (int i = run; position < to; i++) {
      int length = source.length(i);
      int begin = Math.max(from, position);
      int end = Math.min(to, position + length);
      if (begin < end) {
        add(source.first(i) + begin - position, end - begin);
      }
      position += length;
    }
  }

  /**
   * The id at a position of the list that starts at run {@code run}; the list must be longer than
   * that.
   */
  int at(int run, int position) {
    int i = run;
    int left = position;
    while (left >= lengths.get(i)) {
      left -= lengths.get(i++);
    }
    return firsts.get(i) + left;
  }

  /** The id added last. */
  int last() {
    int run = firsts.size() - 1;
    return firsts.get(run) + lengths.get(run) - 1;
  }

  /** First id of each run. */
  IntColumn firsts() {
    return firsts;
  }

  /** Consecutive ids in each run. */
  IntColumn lengths() {
    return lengths;
  }

  /** Gives up the runs; nobody may ask for one any more. */
  void release() {
    firsts.release();
    lengths.release();
  }

  /** Forgets everything. */
  void clear() {
    firsts.clear();
    lengths.clear();
    listStart = 0;
  }
}
