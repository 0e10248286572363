package io.orrery.scenarios.experiment;

import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import java.util.List;

/** Every pass lasts so many times as long as another model says. */
record SlowedStepTime(StepTimeModel model, double factor) implements StepTimeModel {
  @Override
  public String name() {
    return model.name() + " × " + factor;
  }

  @Override
  public List<String> notes() {
    return model.notes();
  }

  @Override
  public long stepNanos(StepShape shape) {
    return slowed(model.stepNanos(shape));
  }

  private long slowed(long nanos) {
    return nanos == 0 ? 0 : StepTimeModel.wholeNanos(nanos * factor);
  }

  @Override
  public long requestNanos(int promptTokens) {
    return model.requestNanos(promptTokens);
  }

  @Override
  public void decodeRun(StepShape shape, int steps, long startNanos, long[] ends, int from) {
    model.decodeRun(shape, steps, 0, ends, from);
    long before = 0;
    long now = startNanos;
    for (int i = from; i < from + steps; i++) {
      now += slowed(ends[i] - before);
      before = ends[i];
      ends[i] = now;
    }
  }
}
