package io.orrery.models.kernels;

import java.util.Locale;

/** What GPUs of a stage do together. */
public enum Collective {
  /** Everybody gets the sum of everybody's elements. */
  ALL_REDUCE,
  /** Everybody gets everybody's elements. */
  ALL_GATHER,
  /** Everybody gets a share of the sum of everybody's elements. */
  REDUCE_SCATTER;

  /** The name in measured tables, such as {@code all_gather}. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Times that a ring passes a GPU's share of the elements. */
  int rounds() {
    return this == ALL_REDUCE ? 2 : 1;
  }
}
