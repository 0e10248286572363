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
  private final Speculation speculation;

  /** The decodes of a step without drafts, and then the sequences for which tokens are drafted. */
  private final StepShape single = new StepShape();

  StepTimer(StepTimeModel model, long poolTokens, Speculation speculation) {
    this.model = model;
    tokensPerDecode = speculation.tokensPerDecode();
    this.speculation = speculation;
    single.kvPoolTokens = poolTokens;
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
    for (int i = 0; i < batch.size(); i++) {
      int tokens = batch.newTokens(i);
      int before = batch.computedBefore(i);
      if (isDecode(batch, i)) {
        addDecode(shape, tokens, before);
        addDecode(decodes, tokens, before);
      } else {
        shape.addPrefill(tokens, before);
        prefills = true;
      }
    }
    step.nanos = model.stepNanos(shape);
    step.decodeNanos = prefills ? Math.min(step.nanos, model.stepNanos(decodes)) : step.nanos;
    if (speculation.active()) {
      step.plainDecodeNanos = plainDecodeNanos(batch);
      // Drafting follows every step that yields tokens, and serves decodes alone.
      long drafting = draftNanos(batch);
      step.nanos += drafting;
      step.decodeNanos += drafting;
    }
  }

  /** What the decodes of a batch would take alone and without drafts. */
  private long plainDecodeNanos(Batch batch) {
    single.clear();
    for (int i = 0; i < batch.size(); i++) {
      int before = batch.computedBefore(i);
      if (isDecode(batch, i)) {
        single.addDecode(before + 1);
      }
    }
    return model.stepNanos(single);
  }

  /** Every sequence that gets a token drafts one after the other for its next step. */
  private long draftNanos(Batch batch) {
    single.clear();
    for (int i = 0; i < batch.size(); i++) {
      if (batch.yieldsToken(i)) {
        single.addDecode(batch.computedBefore(i) + batch.newTokens(i));
      }
    }
    return speculation.draftNanos(model, single);
  }

  private boolean isDecode(Batch batch, int i) {
    return batch.newTokens(i) <= tokensPerDecode
        && batch.computedBefore(i) >= batch.sequence(i).promptTokens;
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
