package io.orrery.scenarios.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Collects problems, so that a scenario with three mistakes says so at once. Equal problems are
 * kept once.
 */
public final class Problems {
  private final Set<Problem> found = new LinkedHashSet<>();

  /** Adds one problem. */
  public void add(Position position, String path, String foundText, String expected) {
    found.add(new Problem(position, path, foundText, expected));
  }

  /** True if nothing was added. */
  public boolean isEmpty() {
    return found.isEmpty();
  }

  /**
   * Ends the collection.
   *
   * @throws ScenarioException with all problems in the order they were found, if there are any
   */
  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new ScenarioException(new ArrayList<>(found));
    }
  }
}
