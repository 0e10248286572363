package io.orrery.engine.reference;

import io.orrery.engine.reference.ReferenceEngine.Batch;
import io.orrery.engine.reference.ReferenceEngine.Part;
import io.orrery.engine.scheduler.Speculation;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.ArrayList;
import java.util.List;

/** How long a worker's steps last, and how much of that is decoding. */
final class ReferenceStepTime {
  private final StepTimeModel model;
  private final Speculation speculation;
  private final long kvPoolTokens;

  /**
   * Nanoseconds of a step.
   *
   * @param step all of it
   * @param decodes of its decodes, drafting included
   * @param plainDecodes of the same decodes with one token each; 0 where nothing is drafted
   */
  record Nanos(long step, long decodes, long plainDecodes) {}

  ReferenceStepTime(StepTimeModel model, Speculation speculation, long kvPoolTokens) {
    this.model = model;
    this.speculation = speculation;
    this.kvPoolTokens = kvPoolTokens;
  }

  Nanos of(Batch batch) {
    StepShape whole = shape();
    StepShape alone = shape();
    List<Part> decodes = new ArrayList<>();
    for (Part part : batch.parts()) {
      boolean decode =
          part.newTokens() <= whole.tokensPerDecode
              && part.computedBefore() >= part.request().promptTokens;
      add(part, decode, whole);
      if (decode) {
        add(part, true, alone);
        decodes.add(part);
      }
    }
    long nanos = model.stepNanos(whole);
    long decodeNanos = decodes.isEmpty() ? 0 : model.stepNanos(alone);
    if (batch.parts().stream().anyMatch(Part::yields)) {
      long drafting = speculation.draftTokens() * draftNanos(batch);
      nanos += drafting;
      decodeNanos = Math.min(decodeNanos, nanos - drafting) + drafting;
    }
    long plain = speculation.draftTokens() > 0 ? plainNanos(decodes) : 0;
    return new Nanos(nanos, decodeNanos, plain);
  }

  private StepShape shape() {
    StepShape shape = new StepShape();
    shape.kvPoolTokens = kvPoolTokens;
    shape.tokensPerDecode = 1 + speculation.draftTokens();
    return shape;
  }

  /** A decode that lacks drafts is a short prompt to the step-time model. */
  private static void add(Part part, boolean decode, StepShape shape) {
    if (decode && part.newTokens() == shape.tokensPerDecode) {
      shape.addDecode(part.computedBefore() + part.newTokens());
    } else {
      shape.addPrefill(part.newTokens(), part.computedBefore());
    }
  }

  /** A token is drafted for every sequence that gets one. */
  private long draftNanos(Batch batch) {
    if (speculation.draftNanos().isPresent()) {
      return speculation.draftNanos().getAsLong();
    }
    StepShape drafts = new StepShape();
    for (Part part : batch.parts()) {
      if (part.yields()) {
        drafts.addDecode(part.computedBefore() + part.newTokens());
      }
    }
    return model.draftHead().orElseThrow().stepNanos(drafts);
  }

  /** The decodes with one token each. */
  private long plainNanos(List<Part> decodes) {
    StepShape plain = shape();
    plain.tokensPerDecode = 1;
    decodes.forEach(part -> plain.addDecode(part.computedBefore() + 1));
    return model.stepNanos(plain);
  }
}
