package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.models.Catalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws and knots that ship: what their files say about their errors, and that it is true. */
class FittedKernelsTest {
  static Stream<Arguments> files() {
    return Stream.of("b200", "h100", "h200", "rtx-pro-6000")
        .flatMap(gpu -> Stream.of(KernelFamily.values()).map(family -> Arguments.of(gpu, family)))
        .filter(
            file ->
                FittedKernels.exist(
                    PerformanceFolder.gpu((String) file.get()[0]), (KernelFamily) file.get()[1]));
  }

  private static FittedKernels of(String gpu, KernelFamily family) {
    return FittedKernels.of(PerformanceFolder.gpu(gpu), family);
  }

  /** Knots are held to points that they leave out: 8 % in the median, 10 % for experts. */
  @ParameterizedTest
  @MethodSource("files")
  void knotsStayWithinTheirBars(String gpu, KernelFamily family) {
    Map<String, double[]> errors = of(gpu, family).errors();
    assertThat(errors.keySet()).anyMatch(key -> key.endsWith(" knots"));
    errors.forEach(
        (key, error) -> {
          if (key.endsWith(" knots")) {
            assertThat(error[0]).as(key).isLessThan(key.startsWith("experts") ? 0.10 : 0.08);
          }
        });
  }

  /** Told for rows of the tables that are no knots, sampled: the bars hold there, too. */
  @ParameterizedTest
  @MethodSource("files")
  void tablesComeBack(String gpu, KernelFamily family) {
    PerformanceData data = PerformanceFolder.of(gpu);
    FittedKernels kernels = of(gpu, family);
    data.gemm(family)
        .forEach(
            (type, rows) -> {
              if (TableDefects.reason(family, data.system(), "gemm", type) == null
                  && !StaticScales.apply(family, type)) {
                List<double[]> told = new ArrayList<>();
                for (int i = 0; i < rows.size(); i += 17) {
                  double[] row = rows.get(i);
                  if (row[1] >= 256 && row[2] >= 256) {
                    told.add(
                        new double[] {
                          kernels.gemm(type, (int) row[0], (int) row[1], (int) row[2]), row[3]
                        });
                  }
                }
                assertThat(median(told)).as("gemm %s", type).isLessThan(0.08);
              }
            });
    for (boolean decode : new boolean[] {false, true}) {
      List<double[]> told = new ArrayList<>();
      Map<AttentionSite, List<double[]>> sites = data.attention(family, decode);
      for (AttentionSite site : KernelShapes.attention(Catalog.bundled())) {
        for (double[] row : sites.getOrDefault(site, List.of())) {
          double micros =
              decode
                  ? kernels.decodeAttention(site, (int) row[0], (int) row[1])
                  : kernels.prefillAttention(site, (int) row[0], (int) row[1]);
          told.add(new double[] {micros, row[2]});
        }
      }
      assertThat(median(told)).as(decode ? "decode" : "prefill").isLessThan(0.08);
    }
  }

  private static double median(List<double[]> told) {
    double[] errors =
        told.stream().mapToDouble(pair -> Math.abs(pair[0] / pair[1] - 1)).sorted().toArray();
    return errors[errors.length / 2];
  }

  /** Shapes that no model of the catalogue has: the law answers, and says that it does. */
  @Test
  void unknownShapesAreLeftToTheLaw() {
    FittedKernels kernels = of("h100", KernelFamily.VLLM);
    AttentionSite odd = new AttentionSite(20, 5, 96, 0, KernelType.BF16);
    assertThat(kernels.decodeAttention(odd, 8, 4096)).isBetween(5.0, 500.0);
    assertThat(kernels.prefillAttention(odd, 1, 4096)).isBetween(50.0, 5000.0);
    // half the width, about half the time; a window of 1024 ends the growth
    AttentionSite wide = new AttentionSite(20, 5, 192, 0, KernelType.BF16);
    assertThat(kernels.decodeAttention(wide, 64, 32_768))
        .isBetween(
            1.6 * kernels.decodeAttention(odd, 64, 32_768),
            2.4 * kernels.decodeAttention(odd, 64, 32_768));
    AttentionSite windowed = new AttentionSite(20, 5, 96, 1024, KernelType.BF16);
    assertThat(kernels.decodeAttention(windowed, 8, 100_000))
        .isEqualTo(kernels.decodeAttention(windowed, 8, 1024));
    ExpertSite experts = new ExpertSite(4000, 1000, 6, 100, 1, 1, KernelType.FP8_BLOCK, true);
    assertThat(kernels.experts(experts, 64)).isBetween(50.0, 5000.0);
    assertThat(kernels.notes(new KernelUse(KernelType.BF16, List.of(odd), null, null, experts)))
        .containsExactly(
            "attention with 20 heads of 96, 5 KV heads in bfloat16: no knots, the law alone",
            experts + ": no knots, the law alone (low confidence)");
  }

  /** {@code -Dorrery.regenerate=true} writes the files anew, from the tables of -Dorrery.data. */
  @Test
  void regenerate() throws IOException {
    assumeTrue(
        Boolean.getBoolean("orrery.regenerate"), "skipped: -Dorrery.regenerate=true fits anew");
    KernelFitting.main(
        new String[] {
          PerformanceFolder.data().toString(),
          Path.of("sim-models/src/main/resources/io/orrery/models/kernels").toString(),
          LocalDate.now(ZoneOffset.UTC).toString()
        });
  }
}
