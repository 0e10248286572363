package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Precision;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights that a GPU stores in 4 bits and computes in 16: memory is gained, arithmetic is not. */
class WidenedWeightsTest {
  private static final Catalog CATALOG = Catalog.bundled();

  private static StepTimeModel time(String kind, String model, String gpu, Precision weights) {
    Deployment worker =
        new Deployment(CATALOG.model(model), CATALOG.gpu(gpu), 4, 1, weights, Precision.FP8);
    return StepTimeModels.compile(kind, new StepTimeSetup(worker, CATALOG, 8192, Map.of()));
  }

  private static double prefill(StepTimeModel model) {
    StepShape shape = new StepShape();
    shape.addPrefill(8192, 0);
    return model.stepNanos(shape);
  }

  private static double decode(StepTimeModel model) {
    StepShape shape = new StepShape();
    shape.kvPoolTokens = 1_000_000;
    for (int i = 0; i < 4; i++) {
      shape.addDecode(2048);
    }
    return model.stepNanos(shape);
  }

  @ParameterizedTest
  @CsvSource({
    "law, llama-3.1-70b, h100", "law, llama-3.1-70b, h200", "law, llama-3.1-70b, h20",
    "law, qwen3-32b, h100", "roofline, llama-3.1-70b, h100", "roofline, qwen3-32b, h200",
  })
  void denseModelsOnHopper(String kind, String model, String gpu) {
    StepTimeModel narrow = time(kind, model, gpu, Precision.NVFP4);
    StepTimeModel sixteen = time(kind, model, gpu, Precision.BF16);
    StepTimeModel eight = time(kind, model, gpu, Precision.FP8);

    // a long prompt is bound by arithmetic: no faster than 16 bits, and widening is charged
    if (kind.equals("law")) {
      assertThat(prefill(narrow)).isGreaterThan(1.03 * prefill(sixteen));
      assertThat(prefill(narrow)).isLessThan(1.12 * prefill(sixteen));
    } else {
      assertThat(prefill(narrow)).isEqualTo(prefill(sixteen));
    }
    assertThat(prefill(eight)).isLessThan(prefill(sixteen));
    // a small batch is bound by fetching the weights
    assertThat(decode(narrow)).isLessThan(decode(eight));
    assertThat(decode(eight)).isLessThan(decode(sixteen));
  }

  /**
   * Small experts are left out: the 4-bit experts that were measured on Hopper, gpt-oss's, take 48
   * us at one token where a 16-bit kernel could do it in 30, so small batches need not gain there.
   */
  @ParameterizedTest
  @CsvSource({"law, minimax-m2, h200", "roofline, qwen3-coder-30b-a3b, h100"})
  void expertsOnHopper(String kind, String model, String gpu) {
    StepTimeModel narrow = time(kind, model, gpu, Precision.NVFP4);
    StepTimeModel sixteen = time(kind, model, gpu, Precision.BF16);
    assertThat(prefill(narrow)).isGreaterThan(0.95 * prefill(sixteen));
    assertThat(decode(narrow)).isLessThan(decode(sixteen));
  }

  @ParameterizedTest
  @CsvSource({"law, llama-3.1-70b", "roofline, llama-3.1-70b"})
  void blackwellGainsArithmeticToo(String kind, String model) {
    assertThat(prefill(time(kind, model, "b200", Precision.NVFP4)))
        .isLessThan(0.65 * prefill(time(kind, model, "b200", Precision.BF16)));
  }
}
