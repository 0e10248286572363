package io.orrery.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  private static final List<String> NAMES = List.of("round-robin", "random", "kv-aware", "ttl");

  @Test
  void findsASlipOfTheFingers() {
    assertThat(NearestName.of("kv-awre", NAMES)).isEqualTo("kv-aware");
    assertThat(NearestName.of("kv_aware", NAMES)).isEqualTo("kv-aware");
    assertThat(NearestName.of("KvAware", NAMES)).isEqualTo("kv-aware");
    assertThat(NearestName.of("rnadom", NAMES)).isEqualTo("random");
    assertThat(NearestName.of("roundrobbin", NAMES)).isEqualTo("round-robin");
    assertThat(NearestName.of("tl", NAMES)).isEqualTo("ttl");
  }

  @Test
  void doesNotGuessWildly() {
    assertThat(NearestName.of("thunder-agent", NAMES)).isEmpty();
    assertThat(NearestName.of("x", NAMES)).isEmpty();
    assertThat(NearestName.of("a".repeat(100_000), NAMES)).isEmpty();
  }

  @Test
  void putsTheQuestionBehindAMessage() {
    assertThat("one of …" + NearestName.question("kv-awre", NAMES))
        .isEqualTo("one of … (did you mean kv-aware?)");
    assertThat(NearestName.question("thunder-agent", NAMES)).isEmpty();
  }
}
