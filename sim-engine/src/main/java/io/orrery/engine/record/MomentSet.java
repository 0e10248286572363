package io.orrery.engine.record;

import java.util.BitSet;

/** A set of small numbers of which the greatest is asked for: bits, and bits of groups of them. */
final class MomentSet {
  private static final int GROUP_SHIFT = 12;

  private final BitSet numbers = new BitSet();

  /** Groups that may have a number. */
  private final BitSet groups = new BitSet();

  void add(int number) {
    numbers.set(number);
    groups.set(number >> GROUP_SHIFT);
  }

  void remove(int number) {
    numbers.clear(number);
  }

  /** The greatest number; there must be one. */
  int last() {
    while (true) {
      int group = groups.length() - 1;
      int last = numbers.previousSetBit(((group + 1) << GROUP_SHIFT) - 1);
      if (last >> GROUP_SHIFT == group) {
        return last;
      }
      groups.clear(group);
    }
  }
}
