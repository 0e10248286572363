package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What engines keep of a GPU for themselves, and of what they take their share. */
class EngineMemoryTest {
  private final Catalog catalog = Catalog.bundled();
  private final EngineMemory vllm = catalog.memoryRules().engine("vllm-2026-07");

  private Deployment worker(
      String model, String gpu, int tp, int pp, Precision weights, Precision kv) {
    return new Deployment(catalog.model(model), catalog.gpu(gpu), tp, pp, weights, kv);
  }

  private MemoryFootprint footprint(Deployment worker) {
    return MemoryFootprint.of(worker, vllm, OptionalDouble.empty(), 8192, 1024);
  }

  @Test
  void activationsAreThoseOfThePassOrOfChoosingTokensAndAtLeastAFloor() {
    Deployment worker = worker("llama-3.1-8b", "b200", 1, 1, Precision.BF16, Precision.BF16);
    assertThat(vllm.activationBytes(worker, 1, 1)).isEqualTo(70L << 20);
    // 2 · 8192 · 32 · 128 · 11
    assertThat(vllm.activationBytes(worker, 8192, 1)).isEqualTo(738_197_504L);
    // 40 · 256 · 128,256
    assertThat(vllm.activationBytes(worker, 8192, 256)).isEqualTo(1_313_341_440L);
  }

  @Test
  void everyEngineTakesItsShareOfSomethingElse() {
    Deployment worker = worker("llama-3.1-8b", "h200", 1, 1, Precision.BF16, Precision.BF16);
    long memory = 150_750_000_000L;
    long weights = 16_060_522_496L;
    // vLLM: 0.92 of the memory, of which all else comes out
    assertThat(footprint(worker).tightestStage().kvBytes())
        .isEqualTo(138_690_000_000L - weights - 5_253_365_760L - 1_181_116_006L);
    // TensorRT-LLM: 0.9 of what weights, activations (2 · 8192 · 4096 · 11) and 3.5 GiB leave
    assertThat(kvBytes(worker, "trtllm-2026-07"))
        .isEqualTo((memory - weights - 738_197_504L - 3_758_096_384L) * 9 / 10);
    // SGLang: 143,766 MiB less 512 + 1.5 · 8192 + 1024 + 128 MiB, of which the weights come out
    assertThat(catalog.memoryRules().engine("sglang-2026-07").defaultShare(worker, 8192))
        .isEqualTo(0.903);
    assertThat(kvBytes(worker, "sglang-2026-07"))
        .isEqualTo((long) Math.floor((memory - 536_870_912L) * 0.903) - weights);
  }

  private long kvBytes(Deployment worker, String preset) {
    return MemoryFootprint.of(
            worker, catalog.memoryRules().engine(preset), OptionalDouble.empty(), 8192, 1024)
        .tightestStage()
        .kvBytes();
  }

  @Test
  void sharesFollowTheEnginePreset() {
    Deployment worker = worker("llama-3.1-8b", "b200", 1, 1, Precision.BF16, Precision.BF16);
    assertThat(vllm.defaultShare(worker, 8192)).isEqualTo(0.92);
    assertThat(catalog.memoryRules().engine("vllm-2026-05").defaultShare(worker, 8192))
        .isEqualTo(0.9);
    assertThatThrownBy(() -> catalog.memoryRules().engine("vllm-2026-06"))
        .hasMessageStartingWith("unknown engine preset 'vllm-2026-06', nearest: vllm-2026-05");
  }

  /**
   * What vLLM printed, and what is counted here. Llama-3.1-8B on an RTX 4090: 2,588 blocks of 16
   * (metadata of LLMServingSim's run, vLLM 0.19). MiniMax-M2.5 NVFP4 on two B200, attention data
   * parallel: 769,888 tokens without a charge for graphs
   * (github.com/vllm-project/vllm/issues/45178); NVIDIA's checkpoint keeps attention in 16 bits.
   */
  @Test
  void poolsAreAsLargeAsKnownOnes() {
    Deployment llama = worker("llama-3.1-8b", "rtx-4090", 1, 1, Precision.BF16, Precision.BF16);
    EngineMemory april = catalog.memoryRules().engine("vllm-0.19");
    long blocks = MemoryFootprint.of(llama, april, OptionalDouble.empty(), 2048, 256).kvBlocks(16);
    assertThat((double) blocks).isCloseTo(2588, within(258.8));
    // floor(0.9 · 25,250,627,584) − 16,060,522,496 − 40 · 256 · 128,256 − 0.1 GiB, over 131,072
    assertThat(blocks).isEqualTo(2500);

    Deployment ranks =
        new Deployment(
            catalog.model("minimax-m2"),
            catalog.gpu("b200"),
            2,
            1,
            2,
            2,
            0,
            Precision.NVFP4,
            Precision.FP8);
    long attention = 2_730_491_904L * 23 / 16; // 16 bits rather than 4.5
    long graphs = 1L << 30;
    MemoryFootprint memory = footprint(ranks);
    double tokens = (memory.tightestStage().kvBytes() - attention + graphs) / 126_976.0;
    assertThat(tokens).isCloseTo(769_888, within(76_988.0));
  }
}
