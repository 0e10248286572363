package io.orrery.engine.record;

import java.util.Arrays;

/**
 * A set of small numbers of which the greatest is asked for: a bit for each, and a bit for each
 * word of 64 that has any.
 */
final class MomentSet {
  private static final int SHIFT = 6;

  private long[] numbers = new long[0];
  private long[] words = new long[0];

  /** No word of words behind this one has any. */
  private int top;

  /** Makes room for numbers below {@code count}. */
  void ensure(int count) {
    int needed = (count >> SHIFT) + 1;
    if (needed > numbers.length) {
      numbers = Arrays.copyOf(numbers, needed);
      words = Arrays.copyOf(words, (needed >> SHIFT) + 1);
    }
  }

  void add(int number) {
    int word = number >> SHIFT;
    numbers[word] |= 1L << number;
    words[word >> SHIFT] |= 1L << word;
    top = Math.max(top, word >> SHIFT);
  }

  void remove(int number) {
    int word = number >> SHIFT;
    numbers[word] &= ~(1L << number);
    if (numbers[word] == 0) {
      words[word >> SHIFT] &= ~(1L << word);
    }
  }

  /** The greatest number; there must be one. */
  int last() {
    while (words[top] == 0) {
      top--;
    }
    int word = (top << SHIFT) + highest(words[top]);
    return (word << SHIFT) + highest(numbers[word]);
  }

  private static int highest(long bits) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
  }
}
