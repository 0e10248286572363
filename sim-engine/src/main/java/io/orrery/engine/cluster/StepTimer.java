package io.orrery.engine.cluster;

import io.orrery.engine.scheduler.Batch;
import io.orrery.engine.scheduler.DecodeSegment;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;

/** Turns what a scheduler decided into the shape of a forward pass, and that into time. */
final class StepTimer {
  private final StepTimeModel model;
  private final StepShape shape = new StepShape();
  private final StepShape decodes = new StepShape();

  StepTimer(StepTimeModel model, long poolTokens) {
    this.model = model;
    shape.kvPoolTokens = poolTokens;
    decodes.kvPoolTokens = poolTokens;
  }

  /** Times a step that holds at least one token. */
  void time(Step step) {
    Batch batch = step.batch;
    shape.clear();
    for (int i = 0; i < batch.size(); i++) {
      int tokens = batch.newTokens(i);
      int before = batch.computedBefore(i);
      if (tokens == 1 && before >= batch.sequence(i).promptTokens) {
        shape.addDecode(before + 1);
      } else {
        shape.addPrefill(tokens, before);
      }
    }
    step.nanos = model.stepNanos(shape);
    step.decodeNanos = shape.prefillCount == 0 ? step.nanos : Math.min(step.nanos, decodesAlone());
  }

  private long decodesAlone() {
    if (shape.decodeCount == 0) {
      return 0;
    }
    decodes.clear();
    for (int i = 0; i < shape.decodeCount; i++) {
      decodes.addDecode(shape.decodeContext(i));
    }
    return model.stepNanos(decodes);
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
