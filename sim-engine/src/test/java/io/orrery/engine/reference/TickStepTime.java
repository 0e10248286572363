package io.orrery.engine.reference;

import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.Optional;

/**
 * Step times that are whole multiples of a tick, so that steps of different workers, arrivals and
 * limits often fall on one instant; or, with a context share, times that differ at every step.
 *
 * @param tick the base, in ns
 * @param tokensPerTick new tokens of prefill that take one more tick
 * @param decodesPerTick decodes that take one more tick
 * @param nanosPerContextToken added for every token of decode context
 * @param requestNanos host time of a request, in ns
 * @param nanosPerPromptToken added to it for every token of the prompt
 */
record TickStepTime(
    long tick,
    int tokensPerTick,
    int decodesPerTick,
    int nanosPerContextToken,
    long requestNanos,
    long nanosPerPromptToken)
    implements StepTimeModel {
  @Override
  public String name() {
    return "tick";
  }

  TickStepTime(long tick, int tokensPerTick, int decodesPerTick, int nanosPerContextToken) {
    this(tick, tokensPerTick, decodesPerTick, nanosPerContextToken, 0, 0);
  }

  /** The same steps, after a host that takes so long. */
  TickStepTime withHost(long perRequest, long perPromptToken) {
    return new TickStepTime(
        tick, tokensPerTick, decodesPerTick, nanosPerContextToken, perRequest, perPromptToken);
  }

  /** Drafting a token is a shorter step of the same kind. */
  @Override
  public Optional<StepTimeModel> draftHead() {
    return Optional.of(
        new TickStepTime(
            Math.max(1, tick / 4), tokensPerTick, decodesPerTick, nanosPerContextToken));
  }

  @Override
  public long requestNanos(int promptTokens) {
    return requestNanos + nanosPerPromptToken * promptTokens;
  }

  @Override
  public long stepNanos(StepShape shape) {
    if (shape.newTokens() == 0) {
      return 0;
    }
    int decoded = shape.decodeCount * shape.tokensPerDecode;
    long ticks = 1L + shape.prefillNewSum / tokensPerTick + decoded / decodesPerTick;
    long prefix = 0;
    for (int i = 0; i < shape.prefillCount; i++) {
      prefix += shape.prefillPrefix[i];
    }
    return ticks * tick + nanosPerContextToken * (shape.decodeContextSum + prefix);
  }
}
