package io.orrery.engine.reference;

import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;

/**
 * Step times that are whole multiples of a tick, so that steps of different workers, arrivals and
 * limits often fall on one instant; or, with a context share, times that differ at every step.
 *
 * @param tick the base, in ns
 * @param tokensPerTick new tokens of prefill that take one more tick
 * @param decodesPerTick decodes that take one more tick
 * @param nanosPerContextToken added for every token of decode context
 */
record TickStepTime(long tick, int tokensPerTick, int decodesPerTick, int nanosPerContextToken)
    implements StepTimeModel {
  @Override
  public String name() {
    return "tick";
  }

  @Override
  public long stepNanos(StepShape shape) {
    if (shape.newTokens() == 0) {
      return 0;
    }
    long ticks = 1L + shape.prefillNewSum / tokensPerTick + shape.decodeCount / decodesPerTick;
    long prefix = 0;
    for (int i = 0; i < shape.prefillCount; i++) {
      prefix += shape.prefillPrefix[i];
    }
    return ticks * tick + nanosPerContextToken * (shape.decodeContextSum + prefix);
  }
}
