package io.orrery.traces.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Limits of contexts, estimated from some that ended before theirs. */
class CompactionFitTest {
  /**
   * Of four, one is compacted at 100: 3/4 go beyond. One ends at 150; of the two left, one is
   * compacted at 200, and half of 3/4 go beyond. The last ends at 300.
   */
  @Test
  void contextsThatEndedSayThatTheirLimitIsBeyond() {
    CompactionFit fit = new CompactionFit(2);
    fit.session(0, 100, true);
    fit.session(0, 150, false);
    fit.session(0, 200, true);
    fit.session(0, 300, false);
    fit.session(1, 500, false);
    fit.compaction(20, 0.1);
    fit.compaction(40, 0.2);

    assertThat(fit.limited(0)).isCloseTo(1 - 0.75 / 2, within(1e-12));
    assertThat(fit.limited(1)).isZero();
    Compaction compaction = fit.compaction();
    assertThat(compaction).isNotNull();
    assertThat(compaction.limit().v()).containsExactly(100, 200);
    assertThat(compaction.length().v()).containsExactly(20, 40);
  }

  @Test
  void withoutACompactionThereIsNoLimit() {
    CompactionFit fit = new CompactionFit(1);
    fit.session(0, 100, false);

    assertThat(fit.limited(0)).isZero();
    assertThat(fit.compaction()).isNull();
  }

  @Test
  void aContextIsCompactedIfItIsMuchShorterAndKeepsLittle() {
    assertThat(CompactionFit.compacts(0.1, 0.3)).isTrue();
    assertThat(CompactionFit.compacts(0.1, 0.9)).isFalse();
    assertThat(CompactionFit.compacts(0.9, 0.5)).isFalse();
  }
}
