package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
  private static final List<String> GPUS = List.of("b200", "h100", "h200");

  @Test
  void unknownNamesComeWithTheNearestAndAllKnown() {
    assertThat(Names.unknown("gpu", "b20", GPUS))
        .isEqualTo("unknown gpu 'b20', nearest: b200, known: b200, h100, h200");
  }

  @Test
  void nothingNearIsNotSuggested() {
    assertThat(Names.unknown("gpu", "mi355x", GPUS))
        .isEqualTo("unknown gpu 'mi355x', known: b200, h100, h200");
  }

  @Test
  void nearestIgnoresCaseAndPrefersTheFirst() {
    assertThat(Names.nearest("B200", GPUS)).isEqualTo("b200");
    assertThat(Names.nearest("x200", GPUS)).isEqualTo("b200");
    assertThat(Names.nearest("h10", GPUS)).isEqualTo("h100");
    assertThat(Names.nearest("", List.of())).isEmpty();
  }
}
