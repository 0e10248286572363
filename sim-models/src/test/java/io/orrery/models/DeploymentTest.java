package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DeploymentTest {
  private static Deployment deployment(
      String model, String gpu, int tp, int pp, Precision weights) {
    Catalog catalog = Catalog.bundled();
    return new Deployment(catalog.model(model), catalog.gpu(gpu), tp, pp, weights, Precision.FP8);
  }

  @Test
  void slicesShareEverythingButRoutersAndScarceKvHeads() {
    // 32 query heads, 4 KV heads of 128: at TP 8 each GPU holds 4 query heads and a copy of a KV
    // head, 2048 · 128 · (2·4 + 2·1) parameters
    Deployment worker = deployment("qwen3-coder-30b-a3b", "b200", 8, 1, Precision.BF16);
    assertThat(worker.attentionHeadsPerGpu()).isEqualTo(4);
    assertThat(worker.kvHeadsPerGpu()).isEqualTo(1);
    assertThat(worker.weightShare().attention()).isEqualTo(2_621_440);
    assertThat(worker.weightShare().expert()).isEqualTo(3 * 2048 * 768 / 8);
    assertThat(worker.weightShare().vocabulary()).isEqualTo(151_936L / 8 * 2048);
    // one byte each for key and value of one head in 48 layers on 8 GPUs: twice what TP 4 keeps
    assertThat(worker.kvBytesPerToken()).isEqualTo(2.0 * 128 * 48 * 8);
  }

  @Test
  void stagesBeyondTheNvlinkDomainTalkOverTheNetwork() {
    assertThat(deployment("llama-3.1-70b", "h100", 4, 2, Precision.FP8).stageLinkBytesPerSecond())
        .isEqualTo(450e9);
    assertThat(deployment("llama-3.1-70b", "h100", 8, 2, Precision.FP8).stageLinkBytesPerSecond())
        .isEqualTo(50e9);
  }

  @Test
  void impossibleWorkersAreErrors() {
    assertThatThrownBy(() -> deployment("minimax-m2", "b200", 5, 1, Precision.FP8))
        .hasMessage(
            "minimax-m2 cannot be cut into tensorParallel 5 slices: 48 attention heads and 8 KV"
                + " heads must come out even");
    assertThatThrownBy(() -> deployment("llama-3.1-70b", "b200", 16, 1, Precision.FP8))
        .hasMessageContaining("exceeds the NVLink domain of b200, 8 GPUs");
    assertThatThrownBy(() -> deployment("llama-3.1-8b", "b200", 1, 33, Precision.FP8))
        .hasMessageContaining("pipelineParallel 33 exceeds the 32 layers of llama-3.1-8b");
    assertThatThrownBy(() -> deployment("llama-3.1-8b", "b200", 0, 1, Precision.FP8))
        .hasMessageContaining("expected at least 1");
    assertThatThrownBy(() -> deployment("llama-3.1-8b", "b200", 1, 1, Precision.MXFP4))
        .hasMessage(
            "mxfp4 weights need a model published in them, and llama-3.1-8b is published in bf16");
  }

  @Test
  void notesTellWhatIsAssumed() {
    assertThat(deployment("minimax-m2", "b200", 2, 1, Precision.NVFP4).notes()).isEmpty();
    assertThat(deployment("minimax-m2", "h200", 2, 1, Precision.NVFP4).notes())
        .containsExactly("nvfp4 weights on h200 are stored in 4 bits and computed in 16");
    assertThat(deployment("gpt-oss-120b", "b200", 1, 1, Precision.MXFP4).notes())
        .containsExactly(
            "18 of 36 layers of gpt-oss-120b read 128 tokens only; their KV is counted for every"
                + " token");
    assertThat(deployment("minimax-m2", "h20-3e", 8, 1, Precision.FP8).notes())
        .hasSizeGreaterThan(3);
  }
}
