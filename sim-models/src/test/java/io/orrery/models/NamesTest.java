package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
  private static final List<String> NAMES =
      List.of(
          "blockSize",
          "kvBlocks",
          "preset",
          "seed",
          "closedLoop",
          "round-robin",
          "random",
          "kv-aware",
          "ttl");

  @ParameterizedTest
  @CsvSource({
    "blokSize, blockSize", // one letter left out
    "blcokSize, blockSize", // two swapped
    "block_size, blockSize", // another way of writing it
    "closed-loop, closedLoop",
    "KVBLOCKS, kvBlocks",
    "sed, seed",
    "presset, preset",
    "kv-awre, kv-aware",
    "KvAware, kv-aware",
    "rnadom, random",
    "roundrobbin, round-robin",
    "tl, ttl",
  })
  void aSlipFindsItsName(String written, String meant) {
    assertThat(Names.nearest(written, NAMES)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"x", "workers", "se", "size", "thunder-agent"})
  void somethingElseFindsNothing(String written) {
    assertThat(Names.nearest(written, NAMES)).isEmpty();
  }

  @Test
  void ofTwoEquallyNearTheFirstWins() {
    assertThat(Names.nearest("bat", List.of("cat", "hat"))).contains("cat");
    assertThat(Names.nearest("", List.of())).isEmpty();
  }

  @Test
  void theQuestionIsReadyToAppend() {
    assertThat(Names.didYouMean("sede", NAMES)).isEqualTo(" (did you mean seed?)");
    assertThat(Names.didYouMean("x".repeat(100_000), NAMES)).isEmpty();
  }

  @Test
  void unknownNamesComeWithTheNearestAndAllKnown() {
    List<String> gpus = List.of("b200", "h100", "h200");
    assertThat(Names.unknown("gpu", "b20", gpus))
        .isEqualTo("unknown gpu 'b20', nearest: b200, known: b200, h100, h200");
    assertThat(Names.unknown("gpu", "mi355x", gpus))
        .isEqualTo("unknown gpu 'mi355x', known: b200, h100, h200");
  }
}
