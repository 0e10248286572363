package io.orrery.traces.synthesis;

import io.orrery.traces.TraceException;
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
    if (count > Integer.MAX_VALUE - next) {
      throw new TraceException(
          null, 0, "blocks", "more than 2,147,483,647", "fewer requests, or larger blocks");
    }
    next += count;
    return first;
  }

  int count() {
    return next;
  }
}
