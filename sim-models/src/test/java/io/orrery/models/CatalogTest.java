package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CatalogTest {
  private final Catalog catalog = Catalog.bundled();

  @Test
  void knowsGpusAndModelsByName() {
    assertThat(catalog.gpuNames())
        .containsExactly(
            "b200", "h100", "h200", "h20", "h20-3e", "gb200", "rtx-pro-6000", "rtx-4090");
    assertThat(catalog.modelNames())
        .contains(
            "llama-3.1-8b",
            "llama-3.1-70b",
            "qwen3-32b",
            "qwen3-coder-30b-a3b",
            "minimax-m2",
            "gpt-oss-120b");
    assertThatThrownBy(() -> catalog.gpu("b20"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown gpu 'b20', nearest: b200, known: b200, h100, h200, h20, h20-3e, gb200,"
                + " rtx-pro-6000, rtx-4090");
    assertThatThrownBy(() -> catalog.model("minimax-m1"))
        .hasMessageStartingWith("unknown model 'minimax-m1', nearest: minimax-m2, known: llama");
    assertThatThrownBy(() -> catalog.polynomial("dynosim"))
        .hasMessageStartingWith("unknown polynomial preset 'dynosim'");
  }

  @Test
  void theDatasheet() {
    Gpu b200 = catalog.gpu("b200");
    assertThat(b200.memoryBytes()).isEqualTo(191_500_000_000L);
    assertThat(b200.hbmBytesPerSecond()).isEqualTo(7.672e12);
    assertThat(b200.nvlinkDomainGpus()).isEqualTo(8);
    assertThat(b200.hasFp4()).isTrue();
    Gpu h20 = catalog.gpu("h20");
    assertThat(h20.memoryBytes()).isEqualTo(97_871L << 20);
    assertThat(h20.bf16FlopsPerSecond()).isEqualTo(148e12);
    assertThat(h20.hasFp4()).isFalse();
  }

  @Test
  void everyValueSaysWhereItComesFrom() {
    for (String name : catalog.gpuNames()) {
      assertThat(catalog.gpu(name).sources()).hasSize(15).doesNotContainValue("");
    }
    for (String name : catalog.modelNames()) {
      assertThat(catalog.model(name).sources()).hasSizeGreaterThan(10).doesNotContainValue("");
    }
  }

  @Test
  void assumedValuesAreToldToTheUser() {
    assertThat(catalog.gpu("b200").lowConfidenceNotes()).isEmpty();
    assertThat(catalog.gpu("h20").lowConfidenceNotes())
        .anyMatch(note -> note.startsWith("h20: low confidence: no kernel has been measured"));
    assertThat(catalog.gpu("h20-3e").lowConfidenceNotes())
        .contains(
            "h20-3e: low confidence: hbmBytesPerSecond = 4.8E+12 is assumed, no primary source"
                + " found (as H200, which has the same HBM3e capacity)")
        .anyMatch(note -> note.contains("bf16FlopsPerSecond"));
    assertThat(catalog.model("granite-4.1-30b").lowConfidenceNotes()).hasSize(1);
  }
}
