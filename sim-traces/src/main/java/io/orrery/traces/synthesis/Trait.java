package io.orrery.traces.synthesis;

/** What a session of a kind draws once. */
enum Trait {
  TURNS,
  FIRST_INPUT,
  BEGINNING,
  WAITS,
  GROWTHS,
  TOOLS,
  LIMIT,
  SUB_AGENTS;

  /** Its rank among those of all traits. */
  double of(double[] ranks) {
    return ranks[ordinal()];
  }
}
