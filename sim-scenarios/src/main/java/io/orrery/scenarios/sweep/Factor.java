package io.orrery.scenarios.sweep;

import java.util.List;

/**
 * Something that a sweep varies.
 *
 * @param path the dotted path of a key, or {@code variant}, or {@code seed}
 * @param name the end of the path that tells it from the other factors
 * @param values the values that it takes, as text, in the order written
 */
public record Factor(String path, String name, List<String> values) {
  /** What the scenario's variants are called among the factors. */
  public static final String VARIANT = "variant";

  /** What repetitions are called among the factors. */
  public static final String SEED = "seed";

  /** A factor. */
  public Factor {
    values = List.copyOf(values);
  }
}
