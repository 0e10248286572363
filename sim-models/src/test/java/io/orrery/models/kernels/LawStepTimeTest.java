package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Precision;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The laws that ship: what they say of themselves, whose kernels they take, what they refuse. */
class LawStepTimeTest {
  private static final Catalog CATALOG = Catalog.bundled();

  private static OperatorStepTime law(Deployment worker, Map<String, String> parameters) {
    return (OperatorStepTime)
        StepTimeModels.compile("law", new StepTimeSetup(worker, CATALOG, 8192, parameters));
  }

  private static Deployment worker(String model, String gpu, Precision weights) {
    return new Deployment(CATALOG.model(model), CATALOG.gpu(gpu), 1, 1, weights, Precision.FP8);
  }

  private static StepShape batchOf(int batch, int context) {
    StepShape shape = new StepShape();
    for (int i = 0; i < batch; i++) {
      shape.addDecode(context);
    }
    return shape;
  }

  /** One of 16 sequences is long: the batch waits for it, whatever the mean says. */
  @Test
  void oneLongSequenceHoldsUpABatch() {
    OperatorStepTime model =
        law(worker("llama-3.1-8b", "b200", Precision.FP8), Map.of("host", "none"));
    StepShape mixed = batchOf(15, 100);
    mixed.addDecode(120_000);
    assertThat(model.stepNanos(mixed))
        .isGreaterThan(model.stepNanos(batchOf(16, 100)))
        .isGreaterThanOrEqualTo(model.stepNanos(batchOf(1, 120_000)));
  }

  @Test
  void aGpuWithoutMeasuredKernelsSaysSo() {
    OperatorStepTime model = law(worker("qwen3-32b", "h20", Precision.BF16), Map.of());
    assertThat(model.notes())
        .contains("no kernel of h20 has been measured: step times are estimates, low confidence");
    // measured with SGLang: 20.7 tokens/s for one sequence
    assertThat(
            1e9
                / law(worker("qwen3-32b", "h20", Precision.BF16), Map.of("host", "none"))
                    .stepNanos(batchOf(1, 100)))
        .isBetween(20.0, 24.0);
  }

  @Test
  void substitutesAreNamed() {
    OperatorStepTime model =
        law(
            new Deployment(
                CATALOG.model("gpt-oss-120b"),
                CATALOG.gpu("b200"),
                2,
                1,
                Precision.MXFP4,
                Precision.FP8),
            Map.of("kernels", "trtllm"));
    assertThat(model.notes())
        .anySatisfy(
            note -> assertThat(note).contains("not measured").contains("TP 1, EP 2 stands in"));
    assertThat(law(worker("llama-3.1-8b", "h100", Precision.NVFP4), Map.of()).notes())
        .anySatisfy(note -> assertThat(note).startsWith("nvfp4 weights on h100: "));
  }

  /** Kernels that are in no table here are those of the nearest engine, and runs say so. */
  @Test
  void otherEnginesKernelsStandIn() {
    Deployment worker = worker("llama-3.1-8b", "h100", Precision.FP8);
    OperatorStepTime sglang = law(worker, Map.of("kernels", "sglang"));
    assertThat(sglang.notes())
        .contains(
            "SGLang's kernels are in no table here: those of vllm 0.24.0 stand in, which share"
                + " most of their libraries");
    assertThat(sglang.stepNanos(batchOf(8, 1000)))
        .isEqualTo(law(worker, Map.of()).stepNanos(batchOf(8, 1000)));
    assertThat(
            law(worker("llama-3.1-8b", "rtx-pro-6000", Precision.FP8), Map.of("kernels", "trtllm"))
                .notes())
        .contains("no kernels of trtllm 1.3.0rc20 on rtx-pro-6000: those of vllm 0.24.0 stand in");
  }

  /** GB200 takes B200's laws with its own rates: faster, by at most those rates. */
  @Test
  void measuredLawsAreTransferredWithinAGeneration() {
    for (int tokens : new int[] {1, 64}) {
      double there =
          law(worker("llama-3.1-70b", "b200", Precision.FP8), Map.of("host", "none"))
              .stepNanos(batchOf(tokens, 2000));
      OperatorStepTime here =
          law(worker("llama-3.1-70b", "gb200", Precision.FP8), Map.of("host", "none"));
      assertThat(here.stepNanos(batchOf(tokens, 2000)) / there).isBetween(0.9, 1.0);
      assertThat(here.notes()).anyMatch(note -> note.startsWith("no kernel of gb200 is known"));
    }
  }

  @Test
  void parametersAreChecked() {
    Deployment worker = worker("llama-3.1-8b", "h100", Precision.FP8);
    assertThatThrownBy(() -> law(worker, Map.of("kernels", "vlm")))
        .hasMessage("unknown kernel family 'vlm', nearest: vllm, known: vllm, trtllm");
    assertThatThrownBy(() -> law(worker, Map.of("experts", "odd")))
        .hasMessageContaining("known: skewed, even");
    assertThatThrownBy(() -> law(worker, Map.of("host", "vlllm")))
        .hasMessageContaining("nearest: vllm");
    assertThatThrownBy(
            () -> StepTimeModels.compile("table", new StepTimeSetup(worker, CATALOG, 64, Map.of())))
        .hasMessage("perfData: missing, expected the folder of the measured tables");
  }
}
