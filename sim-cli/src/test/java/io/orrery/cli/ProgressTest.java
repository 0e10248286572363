package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void saysHowFarHowFastAndHowLong() {
    assertThat(Progress.line(500, 2000, "requests", 0.5))
        .isEqualTo(
            "[######------------------]  25 %  500 requests, 1,000/s, 1.50 s left"
                .replace("]  ", "] "));
  }

  @Test
  void withoutAnEndItSaysHowFarAndHowFast() {
    assertThat(Progress.line(500, 0, "requests", 2)).isEqualTo("500 requests, 250/s");
    assertThat(Progress.line(3000, 2000, "requests", 1)).isEqualTo("3,000 requests, 3,000/s");
  }
}
