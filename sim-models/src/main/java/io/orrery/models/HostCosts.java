package io.orrery.models;

import java.util.List;

/**
 * What an engine adds to the sum of its kernels, per preset. The first eight are part of a forward
 * pass; the last two delay a request before the scheduler sees it.
 *
 * @param kernelMultiplier factor on all kernels: another version of the engine, clocks, overlap
 * @param layerMicros gap on the GPU per layer and pass
 * @param sequenceMicros time on the GPU per sequence and pass (sampling, block tables)
 * @param mixedLayerMicros more gap per layer in a pass with prefill, which breaks a full CUDA graph
 * @param hostMicros host time per pass
 * @param hostSequenceMicros host time per sequence and pass
 * @param asynchronous whether the host prepares the next pass while the GPU computes
 * @param requestMillis API, tokenisation and scheduling per request
 * @param promptTokenMicros the same per prompt token
 */
public record HostCosts(
    double kernelMultiplier,
    double layerMicros,
    double sequenceMicros,
    double mixedLayerMicros,
    double hostMicros,
    double hostSequenceMicros,
    boolean asynchronous,
    double requestMillis,
    double promptTokenMicros) {

  /** Kernels alone. */
  public static final HostCosts NONE = new HostCosts(1, 0, 0, 0, 0, 0, true, 0, 0);

  /** The names of the constants, in order; {@code asynchronous} is no constant. */
  public static final List<String> NAMES =
      List.of(
          "kernelMultiplier",
          "layerMicros",
          "sequenceMicros",
          "mixedLayerMicros",
          "hostMicros",
          "hostSequenceMicros",
          "requestMillis",
          "promptTokenMicros");

  /** The constant of that name, one of {@link #NAMES}. */
  public double value(String name) {
    return values()[index(name)];
  }

  /**
   * The same with another value of one constant.
   *
   * @throws IllegalArgumentException if the value is out of range, or there is no such constant
   */
  public HostCosts with(String name, double value) {
    double[] values = values();
    values[index(name)] = value;
    return new HostCosts(
        values[0],
        values[1],
        values[2],
        values[3],
        values[4],
        values[5],
        asynchronous,
        values[6],
        values[7]);
  }

  private double[] values() {
    return new double[] {
      kernelMultiplier,
      layerMicros,
      sequenceMicros,
      mixedLayerMicros,
      hostMicros,
      hostSequenceMicros,
      requestMillis,
      promptTokenMicros
    };
  }

  private static int index(String name) {
    int index = NAMES.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(Names.unknown("host constant", name, NAMES));
    }
    return index;
  }

  /** What a pass of kernels without scheduling or sampling takes of them. */
  public HostCosts kernelsOnly() {
    return new HostCosts(kernelMultiplier, layerMicros, 0, 0, 0, 0, true, 0, 0);
  }

  /** The same constants where host and GPU time overlap, or where they do not. */
  public HostCosts withAsynchronous(boolean overlapping) {
    return new HostCosts(
        kernelMultiplier,
        layerMicros,
        sequenceMicros,
        mixedLayerMicros,
        hostMicros,
        hostSequenceMicros,
        overlapping,
        requestMillis,
        promptTokenMicros);
  }

  /**
   * Time of a request before the scheduler sees it, in nanoseconds.
   *
   * @param promptTokens length of its prompt
   */
  public long requestNanos(int promptTokens) {
    return Math.round(requestMillis * 1e6 + promptTokenMicros * 1e3 * promptTokens);
  }

  static HostCosts from(FactSheet sheet) {
    HostCosts costs =
        new HostCosts(
            sheet.number("kernelMultiplier"),
            sheet.number("layerMicros"),
            sheet.number("sequenceMicros"),
            sheet.number("mixedLayerMicros"),
            sheet.number("hostMicros"),
            sheet.number("hostSequenceMicros"),
            sheet.flag("asynchronous"),
            sheet.number("requestMillis"),
            sheet.number("promptTokenMicros"));
    sheet.finish();
    return costs;
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative, not finite, or the multiplier is 0
   */
  public HostCosts {
    double sum =
        layerMicros
            + sequenceMicros
            + mixedLayerMicros
            + hostMicros
            + hostSequenceMicros
            + requestMillis
            + promptTokenMicros;
    double least =
        Math.min(
            Math.min(Math.min(layerMicros, sequenceMicros), Math.min(mixedLayerMicros, hostMicros)),
            Math.min(hostSequenceMicros, Math.min(requestMillis, promptTokenMicros)));
    if (!(kernelMultiplier > 0 && kernelMultiplier < 1e3 && least >= 0 && sum < 1e9)) {
      throw new IllegalArgumentException(
          "host costs: expected a kernelMultiplier above 0 and no negative time");
    }
  }
}
