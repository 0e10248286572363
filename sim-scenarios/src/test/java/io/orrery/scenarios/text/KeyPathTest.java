package io.orrery.scenarios.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPathTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "seed",
        "engine.blockSize",
        "cluster.pools[0].workers",
        "cluster.pools[0]",
        "a.b-c.d_e[12][3].f"
      })
  void aPathReadsBackAsItself(String text) {
    assertThat(KeyPath.parse(text)).map(KeyPath::text).contains(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".", "a.", ".a", "a..b", "a b", "[0]", "a.[0]", "a[x]", "a[0]b", "a[-1]", "a[0", "1a",
        "a=b", "ä"
      })
  void anythingElseIsNoPath(String text) {
    assertThat(KeyPath.parse(text)).isEmpty();
  }
}
