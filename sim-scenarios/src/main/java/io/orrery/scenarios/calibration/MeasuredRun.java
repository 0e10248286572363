package io.orrery.scenarios.calibration;

import io.orrery.models.HostCosts;
import java.util.List;
import java.util.Map;

/**
 * Something that was measured and that the model can tell for any host constants. Some of its
 * points are for the fit, the others for judging it.
 */
public interface MeasuredRun {
  /**
   * A measured time.
   *
   * @param metric {@code ttft} or {@code tpot}
   * @param millis how long, above 0
   */
  record Point(String metric, double millis) {}

  /**
   * What the model tells.
   *
   * @param fitted milliseconds for each of {@link #points()}, above 0
   * @param heldOut pairs {@code {told, measured}} by metric, of what the fit does not see
   */
  record Told(double[] fitted, Map<String, List<double[]>> heldOut) {}

  /** The points that a fit sees; may be none. */
  List<Point> points();

  /** Tells all points for these constants. */
  Told told(HostCosts host);
}
