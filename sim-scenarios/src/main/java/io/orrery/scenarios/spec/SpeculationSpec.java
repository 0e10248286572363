package io.orrery.scenarios.spec;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Speculative decoding.
 *
 * @param method what drafts; {@code none} for nothing
 * @param acceptance for each drafted position, the probability that it is accepted if those before
 *     were; empty for none
 * @param sampled whether acceptance is drawn, not expected
 * @param draftLayers layers of the head that drafts; empty for what the method implies
 * @param draftNanos time of drafting one token; empty for what the method and step times imply
 */
public record SpeculationSpec(
    String method,
    List<Double> acceptance,
    boolean sampled,
    OptionalInt draftLayers,
    OptionalLong draftNanos) {
  /** What drafts nothing. */
  public static final String NO_METHOD = "none";

  /** Look-ups in the prompt, which take no head. */
  public static final String LOOK_UPS = "ngram";

  /** A spec of these. */
  public SpeculationSpec {
    acceptance = List.copyOf(acceptance);
  }

  /** Whether a head of the model drafts. */
  public boolean hasHead() {
    return !method.equals(NO_METHOD) && !method.equals(LOOK_UPS);
  }
}
