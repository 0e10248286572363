package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PrecisionTest {
  private final Gpu b200 = Catalog.bundled().gpu("b200");
  private final Gpu h100 = Catalog.bundled().gpu("h100");

  @Test
  void sizesIncludeTheBlockScales() {
    assertThat(Precision.weights("bf16").bytesPerElement()).isEqualTo(2);
    assertThat(Precision.weights("fp8").bytesPerElement()).isEqualTo(1);
    assertThat(Precision.weights("nvfp4").bytesPerElement()).isEqualTo(0.5 + 1.0 / 16);
    assertThat(Precision.weights("mxfp4").bytesPerElement()).isEqualTo(0.5 + 1.0 / 32);
  }

  @Test
  void blackwellComputesFourBitsInFour() {
    assertThat(Precision.BF16.flopsPerSecond(b200)).isEqualTo(2.25e15);
    assertThat(Precision.FP8.flopsPerSecond(b200)).isEqualTo(4.5e15);
    assertThat(Precision.NVFP4.flopsPerSecond(b200)).isEqualTo(9e15);
    assertThat(Precision.MXFP4.flopsPerSecond(b200)).isEqualTo(4.5e15); // 8-bit activations
  }

  @Test
  void hopperStoresFourBitsAndComputesSixteen() {
    assertThat(Precision.FP8.flopsPerSecond(h100)).isEqualTo(1979e12);
    assertThat(Precision.NVFP4.flopsPerSecond(h100)).isEqualTo(989e12);
    assertThat(Precision.MXFP4.flopsPerSecond(h100)).isEqualTo(989e12);
  }

  @Test
  void namesAreStrict() {
    assertThat(Precision.kv("nvfp4")).isEqualTo(Precision.NVFP4);
    assertThatThrownBy(() -> Precision.weights("nvfp"))
        .hasMessage(
            "unknown weight precision 'nvfp', nearest: nvfp4, known: bf16, fp8, nvfp4, mxfp4");
    assertThatThrownBy(() -> Precision.weights("FP8"))
        .hasMessageStartingWith("unknown weight precision 'FP8', nearest: fp8");
    assertThatThrownBy(() -> Precision.kv("mxfp4"))
        .hasMessage("unknown KV precision 'mxfp4', known: bf16, fp8, nvfp4");
  }
}
