package io.orrery.models.kernels;

import io.orrery.models.StateSpace;
import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured Mamba2 kernels of one shape, that of Nemotron 3 Super. Only TensorRT-LLM's tables have
 * them (vLLM runs the same Triton kernels): the convolutions of 1.3.0rc20 on all GPUs, the scan of
 * 1.3.0rc15 on B200 alone. Elsewhere the scan takes as much longer as the convolution does.
 */
final class StateRows {
  /** The layer that was measured. */
  static final StateSite MEASURED = new StateSite(new StateSpace(128, 64, 128, 8, 4, 4), 1);

  private static final int HIDDEN = 4096;
  private static final String SCANNED = "b200_sxm";
  private static final double MICROS = 1e3;

  private StateRows() {}

  /** Rows {@code {sequences, length, microseconds}} by kernel, see {@link StateTables}. */
  static Map<String, List<double[]>> read(Path systems, String system) {
    Map<String, List<double[]>> rows = read(file(systems, system, "1.3.0rc20"));
    Map<String, List<double[]>> old = read(file(systems, SCANNED, "1.3.0rc15"));
    List<double[]> scan = old.getOrDefault(StateTables.SCAN, List.of());
    if (!rows.isEmpty() && !scan.isEmpty()) {
      double slower = system.equals(SCANNED) ? 1 : slower(rows, old);
      rows.put(
          StateTables.SCAN,
          scan.stream().map(row -> new double[] {row[0], row[1], row[2] * slower}).toList());
    }
    return rows;
  }

  private static Path file(Path systems, String system, String version) {
    return systems
        .resolve(system)
        .resolve("linear_attention/trtllm")
        .resolve(version)
        .resolve("mamba2_perf.parquet");
  }

  /** Median of how much longer convolutions take here than there. */
  private static double slower(
      Map<String, List<double[]>> here, Map<String, List<double[]>> there) {
    Map<String, Double> known = new LinkedHashMap<>();
    for (double[] row : there.getOrDefault(StateTables.CONVOLUTION, List.of())) {
      known.put(row[0] + " " + row[1], row[2]);
    }
    List<Double> ratios = new ArrayList<>();
    for (double[] row : here.getOrDefault(StateTables.CONVOLUTION, List.of())) {
      Double other = known.get(row[0] + " " + row[1]);
      if (other != null) {
        ratios.add(row[2] / other);
      }
    }
    double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted.length == 0 ? 1 : sorted[sorted.length / 2];
  }

  private static Map<String, List<double[]>> read(Path file) {
    Map<String, List<double[]>> rows = new LinkedHashMap<>();
    if (!Files.isRegularFile(file)) {
      return rows;
    }
    ParquetTable table = ParquetReader.readTable(file);
    String[] kernels = table.strings("kernel_source");
    int[] batch = table.ints("batch_size");
    int[] length = table.ints("seq_len");
    int[][] shape = new int[5][];
    String[] columns = {"d_model", "nheads", "head_dim", "d_state", "n_groups"};
    for (int i = 0; i < columns.length; i++) {
      shape[i] = table.ints(columns[i]);
    }
    double[] millis = table.doubles("latency");
    StateSpace layer = MEASURED.layer();
    int[] wanted = {HIDDEN, layer.heads(), layer.headDim(), layer.stateSize(), layer.groups()};
    for (int i = 0; i < millis.length; i++) {
      int row = i;
      if (Arrays.equals(Arrays.stream(shape).mapToInt(column -> column[row]).toArray(), wanted)) {
        String kernel =
            switch (kernels[i]) {
              case "causal_conv1d_fn" -> StateTables.CONVOLUTION;
              case "causal_conv1d_update" -> StateTables.UPDATE;
              default -> StateTables.SCAN;
            };
        rows.computeIfAbsent(kernel, k -> new ArrayList<>())
            .add(new double[] {batch[i], length[i], millis[i] * MICROS});
      }
    }
    return rows;
  }
}
