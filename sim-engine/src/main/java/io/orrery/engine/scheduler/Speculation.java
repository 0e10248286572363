package io.orrery.engine.scheduler;

import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.List;
import java.util.OptionalLong;

/**
 * Speculative decoding: each decode verifies drafted tokens together with its next one, and yields
 * those accepted and one more.
 *
 * @param draftTokens tokens drafted for every decode; 0 for none
 * @param acceptance for each drafted position, the probability that it is accepted if all before it
 *     were
 * @param mode how many are accepted in a step
 * @param draftHead whether a head of the model drafts (MTP, EAGLE), which needs KV of its own:
 *     slots ahead of every decode, and the last block of every hit computed again; not so for
 *     look-ups in the prompt (n-gram)
 * @param draftNanos time of drafting one position, in every step that yields tokens; empty for what
 *     the step time model says of the worker's draft head
 */
public record Speculation(
    int draftTokens,
    List<Double> acceptance,
    Mode mode,
    boolean draftHead,
    OptionalLong draftNanos) {
  /** How many drafted tokens a step accepts. */
  public enum Mode {
    /** What is expected, whole tokens as they add up. */
    EXPECTED,
    /** Drawn for each token of each request. */
    SAMPLED
  }

  /** Every decode yields one token. */
  public static final Speculation NONE =
      new Speculation(0, List.of(), Mode.EXPECTED, false, OptionalLong.of(0));

  public Speculation {
    acceptance = List.copyOf(acceptance);
    if (draftTokens < 0 || acceptance.size() != draftTokens) {
      throw new IllegalArgumentException(
          "acceptance: found "
              + acceptance.size()
              + " probabilities, expected one for each of "
              + draftTokens
              + " drafted tokens");
    }
    for (double probability : acceptance) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException(
            "acceptance: found " + probability + ", expected a probability");
      }
    }
    if (draftNanos.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "draftNanos: found " + draftNanos.getAsLong() + ", expected 0 or more");
    }
  }

  /** Whether anything is drafted. */
  public boolean active() {
    return draftTokens > 0;
  }

  /** Tokens that every decode computes. */
  public int tokensPerDecode() {
    return 1 + draftTokens;
  }

  /**
   * Time that drafting adds to a step, in nanoseconds.
   *
   * @param model the worker's step times; with a draft head where {@link #draftNanos()} is empty
   * @param drafting the sequences for which tokens are drafted, as decodes of one token
   */
  public long draftNanos(StepTimeModel model, StepShape drafting) {
    if (!active() || drafting.decodeCount == 0) {
      return 0;
    }
    long one =
        draftNanos.isPresent()
            ? draftNanos.getAsLong()
            : model.draftHead().orElseThrow().stepNanos(drafting);
    return Math.multiplyExact(one, (long) draftTokens);
  }

  /** Slots that a running request gets beyond those of the tokens being computed. */
  public int lookAheadTokens() {
    return draftHead ? draftTokens : 0;
  }

  /** Drafted tokens that a step which verifies {@code drafts} of them accepts on average. */
  public double expectedAccepted(int drafts) {
    double all = 1;
    double sum = 0;
    for (int i = 0; i < drafts; i++) {
      all *= acceptance.get(i);
      sum += all;
    }
    return sum;
  }
}
