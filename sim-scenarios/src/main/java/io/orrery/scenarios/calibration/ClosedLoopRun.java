package io.orrery.scenarios.calibration;

import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeModel;
import io.orrery.models.kernels.ClosedForm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Means of a closed loop of alike requests, told by the closed form.
 *
 * @param worker step times of the worker for given constants
 * @param inputTokens nominal prompt length
 * @param outputTokens nominal output length
 * @param concurrency requests in flight
 * @param ttftMillis measured mean time to first token
 * @param tpotMillis measured mean time per output token
 * @param heldOut whether it judges instead of being fitted to
 */
record ClosedLoopRun(
    Function<HostCosts, StepTimeModel> worker,
    int inputTokens,
    int outputTokens,
    int concurrency,
    double ttftMillis,
    double tpotMillis,
    boolean heldOut)
    implements MeasuredRun {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Lengths are uniform between 80 and 100 % of the nominal ones. */
  private static final double MEAN_LENGTH = 0.9;

  @Override
  public List<Point> points() {
    return heldOut
        ? List.of()
        : List.of(new Point("ttft", ttftMillis), new Point("tpot", tpotMillis));
  }

  @Override
  public Told told(HostCosts host) {
    ClosedForm form = ClosedForm.of(worker.apply(host), inputTokens, outputTokens, concurrency);
    double ttft =
        form.ttftMillis() + host.requestNanos((int) (MEAN_LENGTH * inputTokens)) / NANOS_PER_MILLI;
    if (!heldOut) {
      return new Told(new double[] {ttft, form.tpotMillis()}, Map.of());
    }
    Map<String, List<double[]>> pairs = new LinkedHashMap<>();
    pairs.put("tpot", List.of(new double[] {form.tpotMillis(), tpotMillis}));
    pairs.put("ttft", List.of(new double[] {ttft, ttftMillis}));
    return new Told(new double[0], pairs);
  }
}
