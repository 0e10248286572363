package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelParametersTest {
  /** Totals that the models' publishers and their configurations give, copied by hand. */
  @ParameterizedTest
  @CsvSource({
    "llama-3.1-8b,          8030261248,   8030261248,  65536",
    "llama-3.1-70b,        70553706496,  70553706496, 163840",
    "qwen3-32b,            32762106880,  32762106880, 131072",
    "qwen3-coder-30b-a3b,  30532110336,   3353020416,  49152",
    "minimax-m2,          228689304576,  11030092800, 126976",
    "gpt-oss-120b,        116789048640,   5710443840,  36864",
    "nemotron-3-super-120b-a12b, 120668687360, 12770216960, 4096",
    "deepseek-v3,         671026279424,  37552157696,  35136",
    "granite-4.1-8b,        8380551168,   8380551168,  81920",
    "granite-4.1-30b,      28865728512,  28865728512, 131072",
  })
  void theyFollowFromTheShape(String name, long total, long active, long kvElements) {
    ModelArchitecture model = Catalog.bundled().model(name);
    assertThat(model.parameters().total()).isEqualTo(total);
    assertThat(model.parameters().active()).isEqualTo(active);
    assertThat(model.kvElementsPerToken()).isEqualTo(kvElements);
  }

  /** Hidden 3072, 48 query and 8 KV heads of 128; 256 experts of 1536, no MLP, none shared. */
  @Test
  void eachPartHasItsOwn() {
    ModelParameters m2 = Catalog.bundled().model("minimax-m2").parameters();
    assertThat(m2.attentionPerLayer()).isEqualTo(3072 * 128 * (2 * 48 + 2 * 8));
    assertThat(m2.perExpert()).isEqualTo(3 * 3072 * 1536);
    assertThat(m2.routerPerLayer()).isEqualTo(3072 * 256);
    assertThat(m2.densePerLayer()).isZero();
    assertThat(m2.sharedPerLayer()).isZero();
    assertThat(m2.expertLatentPerLayer()).isZero();
    assertThat(m2.norms()).isEqualTo((2 * 62 + 1) * 3072);
    assertThat(m2.embedding()).isEqualTo(200_064L * 3072);
    assertThat(m2.draftJoin()).isEqualTo(2 * 3072 * 3072);
  }
}
