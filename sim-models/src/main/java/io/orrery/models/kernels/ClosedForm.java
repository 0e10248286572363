package io.orrery.models.kernels;

import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;

/**
 * What a closed loop of alike requests on one worker would measure, in closed form: no queue is
 * simulated, steps are those of the mean request in the middle of its output.
 *
 * <pre>
 * lengths: 0.9 × nominal              D: a pass of C decodes
 * TPOT = D + (C − 1) / output · M     M: how much longer a pass of C − 1 decodes gets by one whole prompt
 * TTFT = D/2 + D + M · (1 + ρ/2/(1 − ρ)) + 0.1 · (C − 1)/2 · M,   ρ = C·M / (output · TPOT), at most 0.9
 * </pre>
 *
 * Every other request puts one prompt into each request's output. An arrival waits for half a pass,
 * for prompts in front of it, and a tenth of all requests (the first of ten per slot) starts in one
 * burst.
 *
 * @param decodeMillis D
 * @param prefillMillis M
 * @param tpotMillis time per output token
 * @param ttftMillis time to first token, without what the host adds per request
 */
public record ClosedForm(
    double decodeMillis, double prefillMillis, double tpotMillis, double ttftMillis) {
  private static final double MEAN_LENGTH = 0.9;
  private static final double BURST_SHARE = 0.1;
  private static final double MOST_BUSY = 0.9;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The estimate for a model of the worker.
   *
   * @param inputTokens nominal prompt length
   * @param outputTokens nominal output length
   * @param requests requests in flight
   */
  public static ClosedForm of(
      StepTimeModel model, int inputTokens, int outputTokens, int requests) {
    int input = (int) (MEAN_LENGTH * inputTokens);
    double output = MEAN_LENGTH * outputTokens;
    int context = input + (int) (output / 2);
    StepShape shape = new StepShape();
    for (int i = 0; i < requests - 1; i++) {
      shape.addDecode(context);
    }
    double others = model.stepNanos(shape) / NANOS_PER_MILLI;
    shape.addPrefill(input, 0);
    double prefill = model.stepNanos(shape) / NANOS_PER_MILLI - others;
    shape.clear();
    for (int i = 0; i < requests; i++) {
      shape.addDecode(context);
    }
    double decode = model.stepNanos(shape) / NANOS_PER_MILLI;
    double tpot = decode + (requests - 1) / output * prefill;
    double busy = Math.min(MOST_BUSY, requests * prefill / (output * tpot));
    double ttft =
        1.5 * decode
            + prefill * (1 + busy / (2 * (1 - busy)))
            + BURST_SHARE * (requests - 1) / 2 * prefill;
    return new ClosedForm(decode, prefill, tpot, ttft);
  }
}
