package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class EvenRanksTest {
  @Test
  void ofSixteenEachIsInAnotherSixteenth() {
    EvenRanks ranks = new EvenRanks(1, "test", 3);
    for (int stratum = 0; stratum < 50; stratum++) {
      double[][] drawn = new double[16][];
      for (int i = 0; i < 16; i++) {
        drawn[i] = ranks.next();
      }
      for (int trait = 0; trait < 3; trait++) {
        TreeSet<Integer> parts = new TreeSet<>();
        for (double[] each : drawn) {
          assertThat(each[trait]).isStrictlyBetween(0.0, 1.0);
          parts.add((int) (each[trait] * 16));
        }
        assertThat(parts).hasSize(16);
      }
    }
  }

  @Test
  void seedsAndPurposesHaveRanksOfTheirOwn() {
    double[] first = new EvenRanks(1, "test", 2).next();

    assertThat(new EvenRanks(1, "test", 2).next()).isEqualTo(first);
    assertThat(new EvenRanks(2, "test", 2).next()).isNotEqualTo(first);
    assertThat(new EvenRanks(1, "other", 2).next()).isNotEqualTo(first);
  }
}
