package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.summary.Summary;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunOutcomeTest {
  @Test
  void aBoundThatIsAbsentIsNamedWithItsReason() {
    Summary summary = Summary.of(Map.of("hit_rate.look_up_limit", 8_000_000L));
    assertThat(RunOutcome.absence(" of kv-aware", summary))
        .contains(
            "Not told of kv-aware: how much placement and eviction lose, since there were more look-ups"
                + " than the 8,000,000 runs of blocks that are kept for that (hit_rate.look_up_limit).");
  }

  @Test
  void nothingIsSaidOfARunOfWhichAllIsKnown() {
    Summary summary = Summary.of(Map.of("hit_rate.realised_bound", 0.5));
    assertThat(RunOutcome.absence("", summary)).isEmpty();
  }
}
