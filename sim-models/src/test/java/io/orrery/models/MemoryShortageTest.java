package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MemoryShortageTest {
  private final Catalog catalog = Catalog.bundled();
  private final EngineMemory vllm = catalog.memoryRules().engine("vllm-2026-07");

  private Deployment onH100(String model, int slices) {
    return new Deployment(
        catalog.model(model), catalog.gpu("h100"), slices, 1, Precision.BF16, Precision.FP8);
  }

  @Test
  void whatDoesNotFitSaysByHowMuchAndWhatWould() {
    Deployment worker = onH100("llama-3.1-70b", 1);
    DoesNotFitException e =
        catchThrowableOfType(
            DoesNotFitException.class,
            () -> MemoryFootprint.of(worker, vllm, OptionalDouble.empty(), 8192, 1024));
    assertThat(e)
        .hasMessage(
            "llama-3.1-70b (bf16, KV fp8) on h100, TP 1, PP 1 does not fit: 63.81 GiB missing per"
                + " GPU (weights 131.42 + activations 4.89 + reserve 1.10 GiB, of 80.00 GiB"
                + " gpu_memory_utilization takes 0.92); fits with tensorParallel 2");
    // 141,107,412,992 + 40 · 1024 · 128,256 + 1.1 GiB − floor(0.92 · 85.9e9), and one token's KV
    assertThat(e.missingBytes())
        .isEqualTo(141_107_412_992L + 5_253_365_760L + 1_181_116_006L - 79_028_000_000L + 163_840);
  }

  @Test
  void whereNoTensorParallelFitsAPipelineIsSuggested() {
    Deployment worker = onH100("minimax-m2", 2);
    assertThatThrownBy(() -> MemoryFootprint.of(worker, vllm, OptionalDouble.of(0.5), 8192, 256))
        .hasMessageEndingWith("fits with tensorParallel 8, pipelineParallel 2");
    assertThatThrownBy(() -> MemoryFootprint.of(worker, vllm, OptionalDouble.of(0.01), 8192, 256))
        .hasMessageEndingWith("no tensorParallel up to 8 fits");
  }
}
