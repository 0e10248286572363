package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OperatorTest {
  @Test
  void oneTokenWakesExactlyItsExperts() {
    assertThat(Operator.expectedDistinctExperts(256, 8, 1)).isEqualTo(8);
    assertThat(Operator.expectedDistinctExperts(128, 4, 1)).isEqualTo(4);
  }

  @Test
  void tokensShareExperts() {
    // 2 tokens, 8 of 256: 256 · (1 − (31/32)²) = 15.75
    assertThat(Operator.expectedDistinctExperts(256, 8, 2)).isEqualTo(15.75);
    // 64 tokens: 256 · (1 − (31/32)^64) = 256 · (1 − 0.131082) = 222.44
    assertThat(Operator.expectedDistinctExperts(256, 8, 64)).isCloseTo(222.44, within(0.01));
    assertThat(Operator.expectedDistinctExperts(256, 8, 8192)).isEqualTo(256);
  }

  @Test
  void theLongerOfComputingAndFetchingCounts() {
    // 1e6 parameters in 16 bits, 1e12 FLOP/s, 1e10 B/s: 2e6 B take 200 µs, a token 2 µs
    Operator operator = new Operator("x", 3, 1e6, 1e12, 2e6, 0, 0);
    assertThat(operator.seconds(1, 1e10)).isCloseTo(600e-6, within(1e-12));
    assertThat(operator.seconds(100, 1e10)).isCloseTo(600e-6, within(1e-12));
    assertThat(operator.seconds(200, 1e10)).isCloseTo(1200e-6, within(1e-12));
  }
}
