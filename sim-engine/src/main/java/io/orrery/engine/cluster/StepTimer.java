package io.orrery.engine.cluster;

import io.orrery.engine.scheduler.Batch;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;

/** Turns what a scheduler decided into the shape of a forward pass, and that into time. */
final class StepTimer {
  private final StepTimeModel model;
  private final StepShape shape = new StepShape();
  private final StepShape decodes = new StepShape();

  private final int tokensPerDecode;
  private final long draftNanos;

  StepTimer(StepTimeModel model, long poolTokens, Speculation speculation) {
    this.model = model;
    tokensPerDecode = speculation.tokensPerDecode();
    draftNanos = Math.multiplyExact(speculation.draftNanos(), (long) speculation.draftTokens());
    for (StepShape each : new StepShape[] {shape, decodes}) {
      each.kvPoolTokens = poolTokens;
      each.tokensPerDecode = tokensPerDecode;
    }
  }

  /** Times a step that holds at least one token. */
  void time(Step step) {
    Batch batch = step.batch;
    shape.clear();
    decodes.clear();
    boolean prefills = false;
    boolean yields = false;
    for (int i = 0; i < batch.size(); i++) {
      int tokens = batch.newTokens(i);
      int before = batch.computedBefore(i);
      if (tokens <= tokensPerDecode && before >= batch.sequence(i).promptTokens) {
        addDecode(shape, tokens, before);
        addDecode(decodes, tokens, before);
      } else {
        shape.addPrefill(tokens, before);
        prefills = true;
      }
      yields |= batch.yieldsToken(i);
    }
    step.nanos = model.stepNanos(shape);
    step.decodeNanos = prefills ? Math.min(step.nanos, model.stepNanos(decodes)) : step.nanos;
    if (yields) {
      // Drafting follows every step that yields tokens, and serves decodes alone.
      step.nanos += draftNanos;
      step.decodeNanos += draftNanos;
    }
  }

  /** A decode for which fewer tokens were drafted than usual is a short chunk on a context. */
  private void addDecode(StepShape target, int tokens, int before) {
    if (tokens == tokensPerDecode) {
      target.addDecode(before + tokens);
    } else {
      target.addPrefill(tokens, before);
    }
  }

  /**
   * Times {@code steps} steps in which all running requests decode.
   *
   * @param ends receives their ends from index 1 on; {@code ends[0]} is when the first one begins
   */
  void timeDecodes(DecodeSegment segment, int steps, long[] ends) {
    shape.clear();
    for (int i = 0; i < segment.size(); i++) {
      shape.addDecode(segment.sequence(i).computed + 1);
    }
    model.decodeRun(shape, steps, ends[0], ends, 1);
  }
}
