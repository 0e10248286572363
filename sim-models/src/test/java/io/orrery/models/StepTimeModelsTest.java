package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StepTimeModelsTest {
  private final Catalog catalog = Catalog.bundled();
  private final Deployment worker =
      new Deployment(
          catalog.model("llama-3.1-8b"), catalog.gpu("h100"), 1, 1, Precision.FP8, Precision.FP8);

  private StepTimeModel compile(String name, Map<String, String> parameters) {
    return StepTimeModels.compile(name, new StepTimeSetup(worker, catalog, 8192, parameters));
  }

  private static long decodeOne(StepTimeModel model) {
    StepShape shape = new StepShape();
    shape.kvPoolTokens = 10_000;
    shape.addDecode(5000);
    return model.stepNanos(shape);
  }

  @Test
  void kindsAreFoundByName() {
    assertThat(StepTimeModels.names()).containsExactly("polynomial", "roofline", "law", "table");
    assertThat(compile("roofline", Map.of())).isInstanceOf(RooflineStepTime.class);
    assertThat(compile("polynomial", Map.of()).name()).isEqualTo("polynomial dynosim-2026-11");
    assertThatThrownBy(() -> compile("rooflin", Map.of()))
        .hasMessage(
            "unknown step time model 'rooflin', nearest: roofline, known: polynomial, roofline, law, table");
  }

  @Test
  void hostCostsOfAProfileReplaceTheShippedOnes() {
    HostCosts own = new HostCosts(1, 0, 100, 0, 0, 0, true, 7, 2);
    StepTimeSetup setup =
        new StepTimeSetup(worker, catalog, 8192, Map.of("host", "vllm"), StepTimeProfile.of(own));
    StepTimeModel profiled = StepTimeModels.compile("law", setup);
    StepTimeModel kernels = compile("law", Map.of("host", "none"));

    assertThat(decodeOne(profiled) - decodeOne(kernels)).isBetween(99_999L, 100_001L);
    assertThat(profiled.requestNanos(1_000)).isEqualTo(7_000_000 + 2_000_000);
    assertThat(kernels.requestNanos(1_000)).isZero();
    assertThat(compile("law", Map.of()).requestNanos(0)).isPositive();
    assertThat(compile("roofline", Map.of()).requestNanos(1_000)).isZero();
  }

  @Test
  void parametersBelongToTheirKind() {
    assertThat(StepTimeModels.parameters("polynomial"))
        .containsExactly("preset", "speedup", "decodeSpeedup");
    assertThat(decodeOne(compile("polynomial", Map.of("speedup", "2", "decodeSpeedup", "5"))))
        .isEqualTo(2_631_000);
    assertThat(
            decodeOne(compile("roofline", Map.of("hostMicrosPerStep", "50")))
                - decodeOne(compile("roofline", Map.of())))
        .isEqualTo(50_000);
    assertThatThrownBy(() -> compile("roofline", Map.of("speedup", "2")))
        .hasMessage("unknown roofline parameter 'speedup', known: hostMicrosPerStep, hostOverlap");
    assertThatThrownBy(() -> compile("polynomial", Map.of("speedup", "fast")))
        .hasMessage("speedup: found 'fast', expected a number");
    assertThatThrownBy(() -> compile("polynomial", Map.of("preset", "dynosim-2026-12")))
        .hasMessageContaining("nearest: dynosim-2026-11");
    assertThatThrownBy(() -> compile("roofline", Map.of("hostMicrosPerStep", "-1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("out of range");
  }
}
