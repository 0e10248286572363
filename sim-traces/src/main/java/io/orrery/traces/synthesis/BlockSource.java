package io.orrery.traces.synthesis;

import java.util.List;

/** Gives out block ids: those of shared beginnings first, then new ones without end. */
final class BlockSource {
  private int next;

  /** The first block of each beginning. */
  int[] reserve(List<Beginning> beginnings) {
    return beginnings.stream().mapToInt(beginning -> fresh(beginning.blocks())).toArray();
  }

  int fresh(int count) {
    int first = next;
    next = Math.addExact(next, count);
    return first;
  }

  int count() {
    return next;
  }
}
