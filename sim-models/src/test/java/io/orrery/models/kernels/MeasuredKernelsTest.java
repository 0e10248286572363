package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Interpolation in the measured tables: a tenth of the points is left out, and must come back
 * within 5 % in the median. Skipped where -Dorrery.data is absent.
 */
class MeasuredKernelsTest {
  private static final double BAR = 0.05;

  private record Split(List<double[]> kept, List<double[]> left) {}

  private static Split split(List<double[]> rows) {
    SplittableRandom random = new SplittableRandom(3);
    Split split = new Split(new ArrayList<>(), new ArrayList<>());
    for (double[] row : rows) {
      (random.nextInt(10) == 0 ? split.left() : split.kept()).add(row);
    }
    return split;
  }

  private static double median(List<double[]> rows, ToDoubleFunction<double[]> told, int measured) {
    double[] errors =
        rows.stream()
            .mapToDouble(row -> Math.abs(told.applyAsDouble(row) / row[measured] - 1))
            .sorted()
            .toArray();
    return errors[errors.length / 2];
  }

  @ParameterizedTest
  @CsvSource({"b200, vllm", "b200, trtllm", "h100, vllm", "h200, trtllm"})
  void gemmsComeBack(String gpu, String engine) {
    KernelFloor floor = new KernelFloor(PerformanceFolder.gpu(gpu));
    KernelFamily family = KernelFamily.of(engine);
    PerformanceFolder.of(gpu)
        .gemm(family)
        .forEach(
            (type, rows) -> {
              if (TableDefects.reason(family, gpu + "_sxm", "gemm", type) != null) {
                return;
              }
              Split split = split(rows);
              GemmTable table = GemmTable.of(floor.base(type), split.kept());
              assertThat(
                      median(
                          split.left(),
                          row -> table.micros((int) row[0], (int) row[1], (int) row[2]),
                          3))
                  .as("%s %s", family, type)
                  .isLessThan(BAR);
            });
  }

  /** Whole weight shapes left out: blended from their neighbours. */
  @ParameterizedTest
  @CsvSource({"b200, vllm", "h200, trtllm"})
  void gemmShapesInBetweenComeBack(String gpu, String engine) {
    KernelFloor floor = new KernelFloor(PerformanceFolder.gpu(gpu));
    List<double[]> rows =
        PerformanceFolder.of(gpu).gemm(KernelFamily.of(engine)).get(KernelType.BF16);
    List<double[]> kept = new ArrayList<>();
    List<double[]> left = new ArrayList<>();
    for (double[] row : rows) {
      (row[1] == 3072 || row[2] == 6144 ? left : kept).add(row);
    }
    GemmTable table = GemmTable.of(floor.base(KernelType.BF16), kept);
    assertThat(median(left, r -> table.micros((int) r[0], (int) r[1], (int) r[2]), 3))
        .isLessThan(BAR);
  }

  @ParameterizedTest
  @CsvSource({"b200, vllm", "b200, trtllm", "h100, vllm", "h100, trtllm", "h200, vllm"})
  void attentionComesBack(String gpu, String engine) {
    for (boolean decode : new boolean[] {false, true}) {
      List<double[]> told = new ArrayList<>();
      Map<AttentionSite, List<double[]>> sites =
          PerformanceFolder.of(gpu).attention(KernelFamily.of(engine), decode);
      for (AttentionSite site : KernelShapes.attention(Catalog.bundled())) {
        List<double[]> rows = sites.get(site);
        if (rows != null) {
          Split split = split(rows);
          AttentionTable table = AttentionTable.of(decode, site, split.kept());
          split
              .left()
              .forEach(
                  row -> told.add(new double[] {table.micros((int) row[0], (int) row[1]), row[2]}));
        }
      }
      assertThat(median(told, row -> row[0], 1)).as(decode ? "decode" : "prefill").isLessThan(BAR);
    }
  }

  @ParameterizedTest
  @CsvSource({"b200, vllm", "b200, trtllm", "h100, vllm", "h200, trtllm"})
  void expertsAndAllReducesComeBack(String gpu, String engine) {
    KernelFamily family = KernelFamily.of(engine);
    List<double[]> told = new ArrayList<>();
    PerformanceFolder.of(gpu)
        .experts(family)
        .forEach((site, rows) -> told.addAll(interpolated(fastest(rows))));
    assertThat(median(told, row -> row[0], 1)).as("experts").isLessThan(BAR);
    List<double[]> reduced = new ArrayList<>();
    PerformanceFolder.of(gpu)
        .allReduce(family)
        .forEach((gpus, rows) -> reduced.addAll(interpolated(rows)));
    assertThat(median(reduced, row -> row[0], 1)).as("all-reduce").isLessThan(BAR);
  }

  private static List<double[]> fastest(List<double[]> rows) {
    Curve curve = Curve.ofPoints(rows.toArray(new double[0][]));
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < curve.size(); i++) {
      points.add(new double[] {curve.x[i], curve.y[i]});
    }
    return points;
  }

  /** Every fourth point from the others: what is told, what was measured. */
  private static List<double[]> interpolated(List<double[]> rows) {
    List<double[]> kept = new ArrayList<>();
    List<double[]> left = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      (i % 4 == 2 ? left : kept).add(rows.get(i));
    }
    Curve curve = Curve.ofPoints(kept.toArray(new double[0][]));
    return left.stream().map(row -> new double[] {curve.linear(row[0]), row[1]}).toList();
  }

  @Test
  void whatWasMeasuredComesOutAsMeasured() {
    Gpu gpu = PerformanceFolder.gpu("h100");
    PerformanceData data = PerformanceFolder.of("h100");
    KernelFamily family = KernelFamily.VLLM;
    MeasuredKernels kernels = MeasuredKernels.read(data, gpu, family, null);
    for (double[] row : everyHundredth(data.gemm(family).get(KernelType.FP8))) {
      assertThat(kernels.gemm(KernelType.FP8, (int) row[0], (int) row[1], (int) row[2]))
          .isCloseTo(row[3], within(1e-9 * row[3]));
    }
    data.attention(family, true)
        .forEach(
            (site, rows) -> {
              for (double[] row : everyHundredth(rows)) {
                assertThat(kernels.decodeAttention(site, (int) row[0], (int) row[1]))
                    .isEqualTo(row[2]);
              }
            });
    data.attention(family, false)
        .forEach(
            (site, rows) -> {
              for (double[] row : everyHundredth(rows)) {
                assertThat(kernels.prefillAttention(site, (int) row[0], (int) row[1]))
                    .isCloseTo(row[2], within(1e-9 * row[2]));
              }
            });
    ExpertSite site = new ExpertSite(3072, 1536, 8, 256, 2, 1, KernelType.FP8_BLOCK, true);
    for (double[] row : data.experts(family).getOrDefault(site, List.of())) {
      assertThat(kernels.experts(site, (int) row[0])).isCloseTo(row[1], within(1e-9 * row[1]));
    }
    assertThat(kernels.collective(Collective.ALL_REDUCE, 1, 1 << 20)).isZero();
  }

  private static List<double[]> everyHundredth(List<double[]> rows) {
    List<double[]> some = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += 100) {
      some.add(rows.get(i));
    }
    return some;
  }

  @Test
  void wrongTablesAreRefusedWithTheReason() {
    Gpu gpu = PerformanceFolder.gpu("h200");
    PerformanceData data = PerformanceFolder.of("h200");
    MeasuredKernels kernels = MeasuredKernels.read(data, gpu, KernelFamily.VLLM, null);
    assertThat(
            kernels.notes(
                new KernelUse(
                    KernelType.FP8_BLOCK,
                    List.of(new AttentionSite(32, 8, 128, 0, KernelType.BF16)),
                    null,
                    null,
                    null)))
        .singleElement()
        .asString()
        .startsWith("gemm fp8_block of vllm 0.24.0 on h200_sxm refused: collected without CUDA")
        .endsWith("that of trtllm 1.3.0rc20 stands in");
    // the eager table never falls below 60 us
    assertThat(kernels.gemm(KernelType.FP8_BLOCK, 16, 2048, 2048)).isLessThan(20);
    assertThatThrownBy(
            () ->
                kernels.experts(new ExpertSite(2048, 768, 8, 128, 1, 1, KernelType.FP8, false), 16))
        .isInstanceOf(MissingKernelException.class)
        .hasMessageContaining("about five times slower");
  }

  @Test
  void aFolderWithoutTheGpuIsNamed(@TempDir Path empty) {
    assertThatThrownBy(() -> PerformanceData.open(empty, PerformanceFolder.gpu("b200")))
        .hasMessage(empty + ": no measured tables of b200, expected data/b200_sxm in it");
  }
}
