package io.orrery.reports.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.reports.chart.BarChart;
import io.orrery.reports.chart.Chart;
import io.orrery.reports.chart.LineChart;
import io.orrery.reports.summary.Slo;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceBuilder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The two sessions' run: a1 gets its first token at 10 ms, a2 is sent at 120 ms and gets its first
 * at 130 ms; b1 is sent at 1 s. Every step takes 10 ms and nobody waits.
 */
class RunFiguresTest {
  private final RunFigures run = SampleReport.figures("r");

  @Test
  void theWaterfallsPartsAddUpToTheMeanTtft() {
    double[] parts = run.waterfall().all();
    assertThat(Arrays.stream(parts).sum())
        .isCloseTo(run.summary().get("ttft_ms.mean", 0), within(1e-6));
    assertThat(parts[Waterfall.PARTS.indexOf("prefill")]).isEqualTo(10);
    assertThat(parts[Waterfall.PARTS.indexOf("queue")]).isZero();
  }

  @Test
  void profilesHoldTheSameMeansAsTheSummary() {
    double[] live = run.run().timeline().liveProfile().means();
    assertThat(Arrays.stream(live).average().orElse(-1))
        .isCloseTo(run.summary().get("concurrency.live.mean", 0), within(1e-6));
    double[] active = run.run().timeline().activeProfile().means();
    assertThat(Arrays.stream(active).average().orElse(-1))
        .isCloseTo(run.summary().get("concurrency.active.mean", 0), within(1e-6));
  }

  @Test
  void requestsAreCountedOnTheirWorkerWhileTheyAreThere() {
    double[] inFlight = run.inFlight(0).means();
    double seconds = run.run().result().endNanos() / 1e9;
    // a1 for 20 ms, a2 for 10 ms, b1 for 30 ms.
    assertThat(Arrays.stream(inFlight).average().orElse(-1) * seconds)
        .isCloseTo(0.06, within(1e-6));
  }

  @Test
  void workersAreWithoutWorkWhileNoRequestHasBegunAndNotEnded() {
    // a1 until 20 ms, and a2 from 120 ms until 130 ms, on the only worker.
    Occupation occupation = Occupation.of(run.run(), 200_000_000);
    assertThat(occupation.without()).isCloseTo(170.0 / 200, within(1e-9));
    assertThat(occupation.atOnce()).isEqualTo(1);
    assertThat(Occupation.of(run.run(), 0).without()).isNaN();
  }

  @Test
  void aWorkersContextsAreThoseOfItsOwnSessions() {
    // All sessions are on one worker, where the peak of the cluster is its own.
    var contexts = run.run().timeline().byWorker();
    assertThat(contexts).isNotNull();
    long most = 0;
    for (int worker = 0; worker < run.run().result().workers().size(); worker++) {
      most = Math.max(most, contexts.peakBlocks(worker));
      assertThat(contexts.nanosAbove(worker)).isZero();
    }
    assertThat(most * 4.0).isEqualTo(run.summary().get("headroom.working_set_tokens.max", 0));
  }

  @Test
  void theTableOfGoodputHasEveryLoadOfItsPicture() {
    for (Chart chart : SampleReport.of("r").charts()) {
      if (chart.id().equals("goodput")) {
        int loads = ((LineChart) chart).lines().get(0).x().length;
        assertThat(ChartTable.of(chart).rows()).hasSize(loads);
        return;
      }
    }
    throw new AssertionError("no picture of goodput");
  }

  @Test
  void theLargestLoadThatHoldsTheServiceLevelIsNamed() {
    // Three requests are too few for any load to be listed.
    assertThat(run.goodput().largestKept()).isEqualTo("none of the loads listed below holds it");
    assertThat(thirty(new Slo(10_000_000_000L, 1)).goodput().largestKept())
        .startsWith("the largest load listed below that holds it is ")
        .endsWith(" requests in flight per GPU");
    assertThat(thirty(new Slo(1, 1)).goodput().largestKept())
        .isEqualTo("none of the loads listed below holds it");
  }

  private static RunFigures thirty(Slo slo) {
    TraceBuilder trace = Trace.builder(4);
    for (int i = 0; i < 30; i++) {
      trace.session("s" + i).request("r" + i).input(8).output(2).blocks(1, 2).arrival(0);
    }
    return SampleReport.figures("r", trace.build(), slo);
  }

  @Test
  void turnsAreToldApart() {
    // a1 and b1 are first turns with 16 tokens: b1 finds one block of a1's. a2 finds one, too.
    double[] rates = run.hitRateByTurn();
    assertThat(rates[0]).isEqualTo(4.0 / 16);
    assertThat(rates[1]).isEqualTo(8.0 / 12);
    assertThat(rates[2]).isNaN();
    assertThat(run.ttftByTurn().get(0)).isNotNull();
    assertThat(run.ttftByTurn().get(2)).isNull();
  }

  @Test
  void theSlowestRequestsComeFirstAndBringTheirSession() {
    assertThat(run.slow().rows()).hasSize(3);
    assertThat(run.slow().life(1)).containsExactly(0, 1);
  }

  @Test
  void withoutBlockNamesNothingIsSaidOfHits() {
    Trace nameless =
        Trace.builder(4).session("a").request("a1").input(8).output(2).arrival(0).build();
    Section section = new HitRateSection(List.of(SampleReport.figures("r", nameless))).section();
    assertThat(section.lead()).contains("unknown, not zero");
    assertThat(section.charts()).isEmpty();
  }

  @Test
  void barsOfSharesAreWholes() {
    for (Chart chart : SampleReport.of("r").charts()) {
      if (chart instanceof BarChart bars
          && List.of("ledger", "gpu-time-shares").contains(bars.id())) {
        for (int bar = 0; bar < bars.bars().size(); bar++) {
          assertThat(bars.total(bar)).as(bars.id()).isCloseTo(1, within(1e-6));
        }
      }
      if (chart instanceof LineChart lines && lines.id().equals("ttft-cdf")) {
        assertThat(lines.lines().get(0).y()).isSorted().endsWith(1.0);
        assertThat(lines.lines().get(0).x()).isSorted();
      }
    }
  }
}
