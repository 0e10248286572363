package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.models.Gpu;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Sums of operators against measured serving, each model judged by host constants that were fitted
 * without it. Skipped where -Dorrery.data is absent.
 */
class FidelityTest {
  private static List<ClosedLoopRow> rows() {
    return ClosedLoopRow.read(
        PerformanceFolder.data().resolve("groundtruth/inferencex_closed_loop.csv"));
  }

  private static Function<Gpu, KernelTimes> laws(String engine) {
    Map<String, KernelTimes> read = new LinkedHashMap<>();
    return gpu ->
        read.computeIfAbsent(gpu.name(), name -> FittedKernels.of(gpu, KernelFamily.of(engine)));
  }

  private static Function<Gpu, KernelTimes> tables(String engine) {
    Map<String, KernelTimes> read = new LinkedHashMap<>();
    return gpu ->
        read.computeIfAbsent(
            gpu.name(),
            name ->
                MeasuredKernels.read(
                    PerformanceFolder.of(name), gpu, KernelFamily.of(engine), null));
  }

  /** TPOT within 9 % (vLLM) and 13 % (TensorRT-LLM) in the median, leaving one model out. */
  @Test
  void lawsReachTheBars() {
    List<Fidelity.Case> vllm = Fidelity.cases(rows(), "vllm", laws("vllm"));
    List<Fidelity.Case> trtllm = Fidelity.cases(rows(), "trtllm", laws("trtllm"));
    assertThat(vllm).hasSize(396);
    assertThat(trtllm).hasSize(366);
    double[][] left = Fidelity.leaveOneOut(vllm, c -> c.row().model());
    assertThat(Fidelity.median(left[0])).isLessThan(0.09);
    left = Fidelity.leaveOneOut(trtllm, c -> c.row().model());
    assertThat(Fidelity.median(left[0])).isLessThan(0.13);
    assertThat(Fidelity.median(left[1])).isLessThan(0.25);
  }

  /** {@code -Dorrery.regenerate=true} writes the report. */
  @Test
  void report() throws IOException {
    assumeTrue(
        Boolean.getBoolean("orrery.regenerate"), "skipped: -Dorrery.regenerate=true writes it");
    Map<String, Map<String, List<Fidelity.Case>>> bySource = new LinkedHashMap<>();
    for (String engine : List.of("vllm", "trtllm")) {
      bySource
          .computeIfAbsent("law (ships with Orrery)", source -> new LinkedHashMap<>())
          .put(engine, Fidelity.cases(rows(), engine, laws(engine)));
      bySource
          .computeIfAbsent(
              "table (vLLM 0.24.0, TensorRT-LLM 1.3.0rc20)", s -> new LinkedHashMap<>())
          .put(engine, Fidelity.cases(rows(), engine, tables(engine)));
    }
    Path folder = Files.createDirectories(Path.of("reports"));
    Files.writeString(
        folder.resolve("fidelity.md"), FidelityReport.of(bySource), StandardCharsets.UTF_8);
  }
}
