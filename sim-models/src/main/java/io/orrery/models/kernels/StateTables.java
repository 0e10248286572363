package io.orrery.models.kernels;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Known times of a Mamba2 layer: convolution of prompts and of decodes, and the scan of prompts.
 * The update of a decode's state was measured nowhere: its bytes, read and written, at 80 % of the
 * bandwidth and 3 us.
 *
 * <p>Tables have whole layers. A slice takes its share of what a table says beyond its least time;
 * another shape, in proportion to the bytes.
 */
final class StateTables {
  /** Names of the kernels, as knots have them. */
  static final String CONVOLUTION = "convolution";

  static final String SCAN = "scan";
  static final String UPDATE = "update";

  private static final double UPDATE_EFFICIENCY = 0.8;
  private static final double UPDATE_MICROS = 3;

  private final StateSite site;
  private final KernelFloor floor;
  private final Map<String, AttentionTable> tables;
  private final Map<String, Double> least;

  private StateTables(
      StateSite site,
      KernelFloor floor,
      Map<String, AttentionTable> tables,
      Map<String, Double> least) {
    this.site = site;
    this.floor = floor;
    this.tables = tables;
    this.least = least;
  }

  /**
   * Tables of rows {@code {sequences, length, microseconds}} by kernel.
   *
   * @param site the layer that was measured
   * @param floor the GPU's hardware
   * @return null unless all three kernels are there
   */
  static @Nullable StateTables of(
      StateSite site, KernelFloor floor, Map<String, List<double[]>> rows) {
    Map<String, AttentionTable> tables = new java.util.LinkedHashMap<>();
    Map<String, Double> least = new java.util.LinkedHashMap<>();
    for (String kernel : List.of(CONVOLUTION, SCAN, UPDATE)) {
      List<double[]> table = rows.getOrDefault(kernel, List.of());
      if (table.isEmpty()) {
        return null;
      }
      // decode's straight lines: prompts cost what their tokens do
      tables.put(kernel, AttentionTable.of(true, 0, table));
      least.put(kernel, table.stream().mapToDouble(row -> row[2]).min().orElseThrow());
    }
    return new StateTables(site, floor, tables, least);
  }

  /** Whether that layer was measured, whole or not. */
  boolean has(StateSite wanted) {
    return wanted.layer().equals(site.layer());
  }

  /** Convolution and scan of a number of prompts. */
  double prefill(StateSite wanted, int sequences, int length) {
    double share = wanted.tokenBytes() / site.tokenBytes();
    return share(CONVOLUTION, share, sequences, length) + share(SCAN, share, sequences, length);
  }

  /** Convolution and state of a number of decodes. */
  double decode(StateSite wanted, int sequences) {
    double share = wanted.tokenBytes() / site.tokenBytes();
    return share(UPDATE, share, sequences, 1) + update(floor, wanted, sequences);
  }

  /** The state alone, by its bytes. */
  static double update(KernelFloor floor, StateSite wanted, int sequences) {
    return UPDATE_MICROS + floor.stateDecode(wanted, sequences) / UPDATE_EFFICIENCY;
  }

  private double share(String kernel, double share, int sequences, int length) {
    AttentionTable table = tables.get(kernel);
    Double start = least.get(kernel);
    if (table == null || start == null) {
      throw new IllegalStateException(kernel + ": no table");
    }
    return start + Math.max(0, table.micros(sequences, length) - start) * share;
  }
}
