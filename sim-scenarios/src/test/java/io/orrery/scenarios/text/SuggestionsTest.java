package io.orrery.scenarios.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
  private static final List<String> KEYS =
      List.of("blockSize", "kvBlocks", "preset", "seed", "closedLoop");

  @ParameterizedTest
  @CsvSource({
    "blokSize, blockSize", // one letter left out
    "blcokSize, blockSize", // two swapped
    "block_size, blockSize", // another way of writing it
    "closed-loop, closedLoop",
    "KVBLOCKS, kvBlocks",
    "sed, seed",
    "presset, preset",
  })
  void aSlipFindsItsKey(String written, String meant) {
    assertThat(Suggestions.nearest(written, KEYS)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"x", "workers", "se", "size"})
  void somethingElseFindsNothing(String written) {
    assertThat(Suggestions.nearest(written, KEYS)).isEmpty();
  }

  @Test
  void ofTwoEquallyNearTheFirstWins() {
    assertThat(Suggestions.nearest("bat", List.of("cat", "hat"))).contains("cat");
  }

  @Test
  void theHintIsReadyToAppend() {
    assertThat(Suggestions.didYouMean("sede", KEYS)).isEqualTo(" (did you mean seed?)");
    assertThat(Suggestions.didYouMean("x".repeat(100_000), KEYS)).isEmpty();
  }
}
