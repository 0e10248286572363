package io.orrery.reports.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.reports.summary.Summary;
import io.orrery.reports.sweep.PointResult;
import io.orrery.scenarios.plan.BoundarySearch.Boundary;
import io.orrery.scenarios.plan.PlanSlo;
import io.orrery.scenarios.sweep.SweepPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CandidateResultTest {
  private static final PlanSlo SLO = new PlanSlo(1000, 50, OptionalDouble.empty());

  private static Trial trial(long size, boolean holds, long seed) {
    Summary summary = Summary.of(Map.of("ttft_ms.p95", holds ? 900 : 1100));
    PointResult result = new PointResult("k", "d", "t", 1, 1000, 50, List.of(), summary);
    return new Trial(size, seed, 1, result, SloCheck.of(summary, SLO));
  }

  private static CandidateResult candidate(
      SortedMap<Long, Boundary> boundaries, List<Trial> trials, double slower, double faster) {
    SweepPoint point = new SweepPoint(0, "a", "a", "v", List.of(), Map.of(), List.of());
    return new CandidateResult(
        point,
        "b200",
        "",
        boundaries,
        trials,
        OptionalLong.of(40),
        2.5,
        null,
        null,
        slower,
        faster);
  }

  private static CandidateResult of(List<Trial> trials) {
    return candidate(new TreeMap<>(), trials, Double.NaN, Double.NaN);
  }

  private static SortedMap<Long, Boundary> boundaries(long... lasts) {
    SortedMap<Long, Boundary> boundaries = new TreeMap<>();
    for (long last : lasts) {
      boundaries.put(
          boundaries.size() + 1L, new Boundary(OptionalLong.of(last), OptionalLong.of(last + 1)));
    }
    return boundaries;
  }

  @Test
  void moreSessionsThatHoldWhereFewerDoNotAreAContradiction() {
    List<Trial> trials = new ArrayList<>();
    for (long size : new long[] {10, 20, 40, 80}) {
      trials.add(trial(size, size <= 40, 1));
    }
    assertThat(of(trials).violations(false)).isEmpty();
    trials.add(trial(15, false, 2)); // another seed's sizes are its own
    assertThat(of(trials).violations(false)).isEmpty();
    trials.add(trial(15, false, 1));
    trials.add(trial(30, false, 1));
    assertThat(of(trials).violations(false))
        .containsExactly("a holds at 40 but not at 30 (seed 1)");
  }

  @Test
  void fewerWorkersThatHoldWhereMoreDoNotAreAContradiction() {
    List<Trial> trials = new ArrayList<>();
    for (long workers : new long[] {1, 2, 4, 8}) {
      trials.add(trial(workers, workers >= 4, 1));
    }
    assertThat(of(trials).violations(true)).isEmpty();
    trials.add(trial(6, false, 1));
    assertThat(of(trials).violations(true)).containsExactly("a holds at 4 but not at 6 (seed 1)");
  }

  @Test
  void moreThatHoldAlthoughEverythingTakesLongerAreAContradiction() {
    assertThat(candidate(boundaries(40), List.of(), 2, 3).violations(false)).isEmpty();
    assertThat(candidate(boundaries(40), List.of(), 3, 3).violations(false))
        .containsExactly("a does better with longer step times");
    assertThat(candidate(boundaries(40), List.of(), 2, 2).violations(false))
        .containsExactly("a does worse with shorter step times");
    assertThat(candidate(boundaries(40), List.of(), 3, 2).violations(true)).isEmpty();
    assertThat(candidate(boundaries(40), List.of(), 2, 3).violations(true)).hasSize(2);
  }

  /**
   * Half as many where step times are a standard deviation longer, twice as many where they are one
   * shorter: one standard deviation of step time is ln 2 of the boundary.
   */
  @Test
  void theBoundaryIsAsUncertainAsStepTimesSeedsAndSearchMakeIt() {
    CandidateResult exact = candidate(boundaries(40, 40), List.of(), 1.25, 5);
    assertThat(exact.boundaryDeviation(0)).isCloseTo(Math.log(2), within(1e-12));
    // A search that stops at 10 % adds ln(1.1) / √12.
    assertThat(exact.boundaryDeviation(0.1))
        .isCloseTo(Math.hypot(Math.log(2), Math.log(1.1) / Math.sqrt(12)), within(1e-12));
    // Seeds at 20 and 80 have a standard deviation of √2 · ln 2.
    CandidateResult drawn = candidate(boundaries(20, 80), List.of(), 1.25, 5);
    assertThat(drawn.boundaryDeviation(0)).isCloseTo(Math.log(2) * Math.sqrt(3), within(1e-12));
    assertThat(of(List.of()).boundaryDeviation(0)).isNaN();
  }

  @Test
  void whatIsBrokenByLessThanItsDigitsSaysSo() {
    assertThat(SloCheck.of(Summary.of(Map.of("ttft_ms.p95", 1000.4)), SLO).worst().text())
        .isEqualTo("TTFT p95 1.00 s and a little");
    SloCheck.Part kept = SloCheck.of(Summary.of(Map.of("ttft_ms.p95", 750)), SLO).worst();
    assertThat(kept.withRoom()).isEqualTo("TTFT p95 750 ms (25.0 % to spare)");
  }
}
