package io.orrery.engine.routing;

/** The workers that a request may be placed on, by increasing id; at least one. */
public interface Candidates {
  int size();

  /** The {@code i}-th candidate. */
  WorkerView get(int i);

  /**
   * How much the request would rather go to the {@code i}-th candidate than elsewhere: the sum of
   * the weights of the preferences that hold; 0 without any.
   */
  default double preference(int i) {
    return 0;
  }
}
