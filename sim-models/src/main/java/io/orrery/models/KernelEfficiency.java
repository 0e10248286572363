package io.orrery.models;

import java.util.List;

/**
 * Shares of a GPU's peaks that its kernels are thought to reach, where none has been measured.
 *
 * @param compute share of the matrix peak in GEMMs and experts
 * @param weights share of the bandwidth when weights are fetched
 * @param attention share of the 16-bit peak in prefill attention
 * @param keysAndValues share of the bandwidth when decode attention fetches KV
 * @param links share of NVLink in an all-reduce
 * @param allReduceMicros time of a tiny all-reduce
 * @param layerMicros time per layer and pass that no kernel accounts for
 * @param notes what to tell the user
 */
public record KernelEfficiency(
    double compute,
    double weights,
    double attention,
    double keysAndValues,
    double links,
    double allReduceMicros,
    double layerMicros,
    List<String> notes) {

  /**
   * Checks the shares.
   *
   * @throws IllegalArgumentException if one is not in (0, 1]
   */
  public KernelEfficiency {
    for (double share : new double[] {compute, weights, attention, keysAndValues, links}) {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("efficiency " + share + ": expected above 0, at most 1");
      }
    }
  }

  static KernelEfficiency from(FactSheet sheet) {
    KernelEfficiency efficiency =
        new KernelEfficiency(
            sheet.number("compute"),
            sheet.number("weights"),
            sheet.number("attention"),
            sheet.number("keysAndValues"),
            sheet.number("links"),
            sheet.number("allReduceMicros"),
            sheet.number("layerMicros"),
            sheet.lowConfidenceNotes());
    sheet.finish();
    return efficiency;
  }
}
