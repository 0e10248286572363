package io.orrery.scenarios.spec;

import java.util.List;

/**
 * Speculative decoding.
 *
 * @param method what drafts; {@code none} for nothing
 * @param acceptance for each drafted position, the probability that it is accepted if those before
 *     were; empty for none
 * @param sampled whether acceptance is drawn, not expected
 * @param draftNanos time of drafting one token
 */
public record SpeculationSpec(
    String method, List<Double> acceptance, boolean sampled, long draftNanos) {
  /** A spec of these. */
  public SpeculationSpec {
    acceptance = List.copyOf(acceptance);
  }
}
