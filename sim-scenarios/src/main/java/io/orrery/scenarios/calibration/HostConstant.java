package io.orrery.scenarios.calibration;

/**
 * The constants that measurements of whole runs can tell, the most telling first.
 *
 * @param name its name among the host costs
 * @param scale a change that matters: what a fit must be able to see
 * @param least smallest value of sense
 * @param largest largest value of sense
 * @param metric what it shows in
 */
record HostConstant(String name, double scale, double least, double largest, String metric) {
  private static final double NOTHING = 1e-3;

  /** All of them, in the order in which they are tried. */
  static final HostConstant[] ALL = {
    new HostConstant("kernelMultiplier", 0.1, 0.3, 3, "tpot"),
    new HostConstant("requestMillis", 20, NOTHING, 2000, "ttft"),
    new HostConstant("layerMicros", 10, NOTHING, 500, "tpot"),
    new HostConstant("sequenceMicros", 10, NOTHING, 500, "tpot"),
    new HostConstant("mixedLayerMicros", 50, NOTHING, 2000, "ttft"),
    new HostConstant("promptTokenMicros", 10, NOTHING, 200, "ttft")
  };

  /** Whether a value is at an end of the range: the measurements ask for what has no sense. */
  boolean isAtEnd(double value) {
    return value > 0.99 * largest || (least > NOTHING && value < 1.01 * least);
  }

  /** A value of the search as a constant: next to nothing is nothing. */
  double settled(double found) {
    return least == NOTHING && found <= 2 * NOTHING ? 0 : found;
  }
}
