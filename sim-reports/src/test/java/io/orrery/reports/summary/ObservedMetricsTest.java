package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.reports.RunReport;
import io.orrery.reports.console.ComparisonTable;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObservedMetricsTest {
  private static final long MS = 1_000_000;

  /**
   * Each step takes 10 ms and each request is alone. a1: first token at 10 ms, last at 30 ms (two
   * gaps of 10 ms). b1: first token at 10 ms, last at 20 ms. c1 has no record.
   */
  private static Summary summary(boolean recorded) {
    TraceBuilder trace = Trace.builder(4);
    trace.session("a").request("a1").input(8).output(3).blocks(1, 2).arrival(0);
    if (recorded) {
      trace.recordedTimes(20 * MS, 60 * MS).recordedCachedTokens(0);
    }
    trace.session("b").request("b1").input(12).output(2).blocks(1, 2, 3).arrival(1_000 * MS);
    if (recorded) {
      trace.recordedTimes(5 * MS, Trace.NO_TIME).recordedCachedTokens(4);
    }
    trace.session("c").request("c1").input(8).output(2).blocks(1, 2).arrival(2_000 * MS);
    return Runs.summary(
        trace.build(), Runs.pool(1, 4, 8, 32), "round-robin", new Slo(10 * MS, 100));
  }

  @Test
  void timesAreComparedRequestByRequest() {
    Summary summary = summary(true);

    assertThat(summary.get("observed.ttft_ms.count")).hasValue(2);
    assertThat(summary.get("observed.ttft_ms.max")).hasValue(20);
    assertThat(summary.get("observed.ttft_simulated_ms.max")).hasValue(10);
    // Means: 12.5 ms were recorded, 10 ms simulated; differences are 10 and 5 of 25 ms.
    assertThat(summary.get("observed.ttft_error")).hasValue(-0.2);
    assertThat(summary.get("observed.ttft_absolute_error")).hasValue(0.6);
    assertThat(summary.get("observed.e2e_ms.count")).hasValue(1);
    assertThat(summary.get("observed.e2e_error")).hasValue(-0.5);
    assertThat(summary.get("observed.tpot_ms.p50")).hasValue(20);
    assertThat(summary.get("observed.tpot_simulated_ms.p50")).hasValue(10);
  }

  /** b1 finds both blocks of a1, 8 of its 12 tokens, where 4 were recorded; a1 none. */
  @Test
  void hitRatesAreComparedOverTheSameRequests() {
    Summary summary = summary(true);

    assertThat(summary.get("observed.hit_rate")).hasValue(4 / 20.0);
    assertThat(summary.get("observed.hit_rate_simulated")).hasValue(8 / 20.0);
    assertThat(summary.get("observed.hit_rate_error")).hasValue(0.2);
  }

  /**
   * Of b1's 13 tokens 8 are known and found; 10 were found when it was recorded, 8 of them among
   * these. Of c1 nothing is known. Known are 8 of a1 and 8 of b1: 8 of 16, both times.
   */
  @Test
  void whatHasNoIdentityIsNotCompared() {
    Summary summary = partlyKnown(1, 2);

    assertThat(summary.get("observed.hit_rate")).hasValue(8 / 16.0);
    assertThat(summary.get("observed.hit_rate_simulated")).hasValue(8 / 16.0);
    assertThat(summary.get("observed.hit_rate_error")).hasValue(0);
  }

  /** 10 and 4 of 30 were found, as recorded, and there is nothing to compare it with. */
  @Test
  void whereNothingHasAnIdentityOnlyTheRecordIsSaid() {
    Summary summary = partlyKnown();

    assertThat(summary.get("observed.hit_rate").getAsDouble()).isCloseTo(14 / 30.0, within(1e-9));
    assertThat(summary.get("observed.hit_rate_simulated")).isEmpty();
    assertThat(summary.get("observed.hit_rate_error")).isEmpty();
  }

  private static Summary partlyKnown(long... blocks) {
    TraceBuilder trace = Trace.builder(4);
    trace.session("a").request("a1").input(8).output(1).blocks(blocks).arrival(0);
    trace.recordedCachedTokens(0);
    trace.session("b").request("b1").input(13).output(1).blocks(blocks).arrival(1_000 * MS);
    trace.recordedCachedTokens(10);
    trace.session("c").request("c1").input(9).output(1).arrival(2_000 * MS);
    trace.recordedCachedTokens(4);
    return Runs.summary(
        trace.build(), Runs.pool(1, 4, 8, 32), "round-robin", new Slo(10 * MS, 100));
  }

  @Test
  void theTableShowsBoth() {
    RunReport run = new RunReport("one", Map.of(), "", "", Map.of(), summary(true), List.of());

    assertThat(ComparisonTable.of(List.of(run), false))
        .contains("Recorded, and simulated", "TTFT p50, recorded", "reused, recorded");
  }

  @Test
  void withoutARecordNothingIsSaid() {
    assertThat(summary(false).values().keySet()).noneMatch(key -> key.startsWith("observed."));
  }
}
