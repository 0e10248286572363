package io.orrery.engine.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a policy says of its last decision: numbers for every candidate, by name and with their unit
 * in the name, such as {@code prefill_blocks}; and what it minimised, if there is one such number.
 */
public final class DecisionTerms {
  private final int candidates;
  private final List<String> names = new ArrayList<>();
  private final List<double[]> values = new ArrayList<>();
  private final double[] costs;

  public DecisionTerms(int candidates) {
    this.candidates = candidates;
    costs = new double[candidates];
    Arrays.fill(costs, Double.NaN);
  }

  /** A number of the {@code i}-th candidate. */
  public DecisionTerms put(int i, String name, double value) {
    int at = names.indexOf(name);
    if (at < 0) {
      at = names.size();
      names.add(name);
      double[] column = new double[candidates];
      Arrays.fill(column, Double.NaN);
      values.add(column);
    }
    values.get(at)[i] = value;
    return this;
  }

  /** What was to be lowest. */
  public void cost(int i, double cost) {
    costs[i] = cost;
  }

  /** The names of the numbers, in the order in which they were first put. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** The number of a candidate; NaN if there is none. */
  public double value(int i, String name) {
    int at = names.indexOf(name);
    return at < 0 ? Double.NaN : values.get(at)[i];
  }

  /** The cost of a candidate; NaN if the policy has no such number. */
  public double cost(int i) {
    return costs[i];
  }
}
