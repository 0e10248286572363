package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What admission does and does not do, in {@code scenarios/effects}. */
class AdmissionEffectsTest {
  private static Summaries run(String name) {
    return Summaries.of("scenarios/effects/" + name + ".yaml");
  }

  @Test
  void pausingEndsThrashing() {
    Summaries runs = run("thrashing");
    assertThat(runs.number("open", "/hit_rate/tokens")).isLessThan(0.45);
    assertThat(runs.number("open", "/hit_rate/eviction_loss")).isGreaterThan(0.2);
    for (String paused : new String[] {"paused-at-capacity", "paused-at-thresholds"}) {
      assertThat(runs.number(paused, "/hit_rate/tokens")).isGreaterThan(0.85);
      assertThat(runs.number(paused, "/hit_rate/eviction_loss")).isLessThan(0.05);
      assertThat(runs.number(paused, "/ttft_ms/p50"))
          .isLessThan(0.05 * runs.number("open", "/ttft_ms/p50"));
      assertThat(runs.number(paused, "/gpu_seconds/prefill"))
          .isLessThan(0.25 * runs.number("open", "/gpu_seconds/prefill"));
      assertThat(runs.number(paused, "/admission/pauses")).isGreaterThan(50);
      // The price: who is paused waits.
      assertThat(runs.number(paused, "/pause_ms/p95")).isGreaterThan(10_000);
      assertThat(runs.number(paused, "/session_completion_s/mean"))
          .isGreaterThan(runs.number("open", "/session_completion_s/mean"));
    }
  }

  /** Contexts of sessions that share a beginning count in full in the ledger, once in truth. */
  @Test
  void theLedgerCountsSharedBlocksForEachSession() {
    Summaries runs = run("thrashing");
    assertThat(runs.number("paused-at-thresholds", "/admission/believed_running_tokens/mean"))
        .isGreaterThan(
            1.02 * runs.number("paused-at-thresholds", "/admission/running_tokens/mean"));
  }

  @Test
  void softDemotionDoesNothingWhileTheRoutersQueueIsOff() {
    Summaries runs = run("soft-demotion");
    assertThat(runs.byName().get("queue-off-no-jumps")).isEqualTo(runs.byName().get("queue-off"));
    assertThat(runs.number("queue-on", "/router/queued")).isGreaterThan(100);
    assertThat(runs.byName().get("queue-on-no-jumps")).isNotEqualTo(runs.byName().get("queue-on"));
    assertThat(runs.byName().get("queue-on-demotion-only"))
        .isEqualTo(runs.byName().get("queue-on-no-jumps"));
    assertThat(runs.number("queue-off", "/admission/pauses")).isGreaterThan(30);
  }
}
