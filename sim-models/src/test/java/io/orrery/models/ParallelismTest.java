package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ParallelismTest {
  private static ModelArchitecture model(String name) {
    return Catalog.bundled().model(name);
  }

  private static Parallelism tensor(int slices) {
    return new Parallelism(slices, 1, 1, 1);
  }

  @Test
  void stagesShareLayersAsVllmDealsThem() {
    assertThat(new Parallelism(1, 4, 1, 1).layersPerStage(62)).containsExactly(15, 16, 16, 15);
    assertThat(new Parallelism(1, 3, 1, 1).layersPerStage(32)).containsExactly(11, 11, 10);
    assertThat(new Parallelism(1, 1, 1, 1).layersPerStage(32)).containsExactly(32);
  }

  /** Ranks with sequences of their own leave fewer GPUs to cut attention, groups to cut experts. */
  @Test
  void ranksAndGroupsShareTheSlices() {
    Parallelism ranks = new Parallelism(8, 1, 4, 2);
    assertThat(ranks.attentionSlices()).isEqualTo(4);
    assertThat(ranks.expertSlices()).isEqualTo(2);
  }

  /** minimax-m2: 48 heads, 8 KV heads, 256 experts of 1536; deepseek-v3: 128 latent heads. */
  @Test
  void headsAndWidthsComeOutEven() {
    assertThat(tensor(16).divides(model("minimax-m2"))).isTrue(); // two copies of a KV head
    assertThat(tensor(6).divides(model("minimax-m2"))).isFalse(); // 8 KV heads on 6 GPUs
    assertThat(tensor(32).divides(model("minimax-m2"))).isFalse(); // 48 heads on 32 GPUs
    assertThat(tensor(64).divides(model("deepseek-v3"))).isTrue();
    assertThat(new Parallelism(6, 1, 4, 1).divides(model("deepseek-v3"))).isFalse();
  }

  @Test
  void whatDoesNotComeOutEvenIsNamed() {
    assertThatThrownBy(() -> tensor(5).require(model("minimax-m2")))
        .hasMessage(
            "minimax-m2 cannot be cut into tensorParallel 5 slices: 48 attention heads and 8 KV"
                + " heads must come out even");
    assertThatThrownBy(() -> new Parallelism(4, 1, 3, 1).require(model("minimax-m2")))
        .hasMessage("expertParallel 3: expected a divisor of tensorParallel 4");
    assertThatThrownBy(() -> new Parallelism(4, 1, 1, 3).require(model("minimax-m2")))
        .hasMessage("attentionDataParallel 3: expected a divisor of tensorParallel 4");
    assertThatThrownBy(() -> new Parallelism(2, 1, 2, 1).require(model("llama-3.1-8b")))
        .hasMessage("expertParallel 2: llama-3.1-8b has 0 experts");
    assertThatThrownBy(() -> new Parallelism(1, 33, 1, 1).require(model("llama-3.1-8b")))
        .hasMessage("pipelineParallel 33 exceeds the 32 layers of llama-3.1-8b");
    assertThatThrownBy(() -> tensor(0).require(model("llama-3.1-8b")))
        .hasMessage("tensorParallel 0, pipelineParallel 1: expected at least 1");
  }
}
