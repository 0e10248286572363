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
    new HostConstant("requestMillis", 20, NOTHING, 10_000, "ttft"),
    new HostConstant("layerMicros", 10, NOTHING, 1000, "tpot"),
    new HostConstant("sequenceMicros", 10, NOTHING, 1000, "tpot"),
    new HostConstant("mixedLayerMicros", 50, NOTHING, 5000, "ttft"),
    new HostConstant("promptTokenMicros", 10, NOTHING, 1000, "ttft")
  };

  /** A value of the search as a constant: next to nothing is nothing. */
  double settled(double found) {
    return least == NOTHING && found <= 2 * NOTHING ? 0 : found;
  }
}
