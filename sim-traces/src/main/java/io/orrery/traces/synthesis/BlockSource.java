package io.orrery.traces.synthesis;

import io.orrery.traces.synthesis.TraceProfile.Prefix;
import java.util.List;

/** Gives out block ids: those of shared prefixes first, then new ones without end. */
final class BlockSource {
  private int next;

  /** The first block of each shared prefix. */
  int[] reserve(List<Prefix> prefixes) {
    int[] firsts = new int[prefixes.size()];
    for (int i = 0; i < firsts.length; i++) {
      double[] lengths = prefixes.get(i).blocks().v();
      firsts[i] = fresh((int) Math.ceil(lengths[lengths.length - 1]));
    }
    return firsts;
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
