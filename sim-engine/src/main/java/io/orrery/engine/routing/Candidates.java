package io.orrery.engine.routing;

/** The workers that a request may be placed on, by increasing id; at least one. */
public interface Candidates {
  int size();

  /** The {@code i}-th candidate. */
  WorkerView get(int i);
}
