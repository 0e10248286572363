package io.orrery.cli.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Replays one kind of recorded scenario. Used for one scenario. */
interface Comparison {
  /** Whether {@code scenario} is of this kind. */
  boolean accepts(JsonNode scenario);

  /**
   * The first fact that differs, or null if all agree.
   *
   * @throws IllegalArgumentException if the scenario has an input that cannot be replayed
   */
  @Nullable String firstDifference(JsonNode scenario);

  /** Steps compared so far. */
  long steps();
}
