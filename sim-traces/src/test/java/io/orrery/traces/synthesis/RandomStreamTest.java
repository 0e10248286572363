package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RandomStreamTest {
  @Test
  void gives_the_same_numbers_for_the_same_key() {
    RandomStream a = new RandomStream(7, "outputs", 3);
    RandomStream b = new RandomStream(7, "outputs", 3);
    for (int i = 0; i < 100; i++) {
      assertThat(a.uniform()).isEqualTo(b.uniform());
    }
  }

  @Test
  void gives_other_numbers_for_another_seed_purpose_or_index() {
    double first = new RandomStream(7, "outputs", 3).uniform();
    assertThat(new RandomStream(8, "outputs", 3).uniform()).isNotEqualTo(first);
    assertThat(new RandomStream(7, "output", 3).uniform()).isNotEqualTo(first);
    assertThat(new RandomStream(7, "outputs", 4).uniform()).isNotEqualTo(first);
  }

  @Test
  void is_uniform_within_streams_and_across_them() {
    RandomStream stream = new RandomStream(1, "test", 0);
    double within = 0;
    double across = 0;
    int below = 0;
    for (int i = 0; i < 100_000; i++) {
      within += stream.uniform();
      across += new RandomStream(1, "test", i).uniform();
      below += stream.below(11);
    }
    // standard deviation of the means: sqrt(1/12 / 100,000) = 0.0009, and sqrt(10 / 100,000) = 0.01
    assertThat(within / 100_000).isEqualTo(0.5, within(0.004));
    assertThat(across / 100_000).isEqualTo(0.5, within(0.004));
    assertThat(below / 100_000.0).isEqualTo(5, within(0.04));
  }
}
