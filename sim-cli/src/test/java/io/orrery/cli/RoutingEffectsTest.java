package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is known to go wrong with routers goes wrong here, too: {@code scenarios/effects}. */
class RoutingEffectsTest {
  private static Summaries run(String name) {
    return Summaries.of("scenarios/effects/" + name + ".yaml");
  }

  @Test
  void aCreditTooHighSendsEverybodyWhereTheSystemPromptIs() {
    Summaries runs = run("shared-system-prompt");
    assertThat(runs.number("credit-20", "/imbalance/busy"))
        .isGreaterThan(1.1 * runs.number("credit-1", "/imbalance/busy"));
    assertThat(runs.number("credit-20", "/ttft_ms/p50"))
        .isGreaterThan(5 * runs.number("credit-1", "/ttft_ms/p50"));
  }

  @Test
  void replicasThatDoNotTalkHerd() {
    Summaries runs = run("replicas-herd");
    assertThat(runs.number("apart", "/ttft_ms/p99"))
        .isGreaterThan(1.2 * runs.number("one", "/ttft_ms/p99"));
    assertThat(runs.number("apart", "/imbalance/busy"))
        .isGreaterThan(runs.number("one", "/imbalance/busy"));
    assertThat(runs.byName().get("together").at("/ttft_ms"))
        .isEqualTo(runs.byName().get("one").at("/ttft_ms"));
    assertThat(runs.number("affinity-apart", "/hit_rate/tokens"))
        .isLessThan(runs.number("affinity-together", "/hit_rate/tokens") - 0.1);
  }

  @Test
  void aLowQueueThresholdStarvesLongPrompts() {
    Summaries runs = run("queue-threshold");
    assertThat(runs.number("no-queue", "/router/queued")).isZero();
    assertThat(runs.number("wspt", "/router/queued")).isGreaterThan(100);
    assertThat(runs.number("wspt", "/ttft_ms/p50"))
        .isLessThan(0.5 * runs.number("no-queue", "/ttft_ms/p50"));
    assertThat(runs.number("wspt", "/ttft_ms/max"))
        .isGreaterThan(5 * runs.number("no-queue", "/ttft_ms/max"));
    assertThat(runs.number("fcfs", "/ttft_ms/max"))
        .isLessThan(2 * runs.number("no-queue", "/ttft_ms/max"));
  }

  @Test
  void stickySessionsStarveTheTail() {
    Summaries runs = run("sticky-sessions");
    assertThat(runs.number("hashed", "/ttft_ms/max"))
        .isGreaterThan(runs.number("weighed", "/ttft_ms/max"));
    assertThat(runs.number("hashed", "/ttft_ms/p99"))
        .isGreaterThan(runs.number("weighed", "/ttft_ms/p99"));
    assertThat(runs.number("hashed", "/imbalance/busy"))
        .isGreaterThan(1.1 * runs.number("weighed", "/imbalance/busy"));
    assertThat(runs.number("hashed", "/ttft_ms/p50"))
        .isLessThan(runs.number("weighed", "/ttft_ms/p50"));
  }

  @Test
  void lateEventsCostHits() {
    Summaries runs = run("event-delay");
    double atOnce = runs.number("at-once", "/hit_rate/tokens");
    assertThat(runs.number("five-seconds", "/hit_rate/tokens")).isGreaterThan(atOnce - 0.01);
    assertThat(runs.number("a-minute", "/hit_rate/tokens")).isLessThan(atOnce - 0.02);
    assertThat(runs.number("a-minute-predicted", "/hit_rate/tokens"))
        .isGreaterThan(runs.number("a-minute", "/hit_rate/tokens") + 0.01);
    assertThat(runs.number("a-minute", "/router/estimate_error_tokens/mean"))
        .isGreaterThan(runs.number("at-once", "/router/estimate_error_tokens/mean"));
  }
}
