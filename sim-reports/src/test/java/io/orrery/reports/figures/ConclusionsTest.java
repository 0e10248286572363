package io.orrery.reports.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Runs;
import io.orrery.reports.summary.Slo;
import io.orrery.reports.summary.Summary;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConclusionsTest {
  private static final Map<String, Number> SLOW =
      Map.of(
          "ttft_ms.p95", 900,
          "goodput_rps", 1,
          "session_completion_s.mean", 60,
          "output_tokens_per_s_per_gpu", 50,
          "requests.dispatched", 100);

  private static RunReport run(String name, Map<String, Number> changes) {
    Map<String, Number> numbers = new LinkedHashMap<>(SLOW);
    numbers.putAll(changes);
    return new RunReport(
        name, Map.of(), "digest", "trace", Map.of(), Summary.of(numbers), List.of());
  }

  private static List<String> conclusions(RunReport... runs) {
    List<RunFigures> figures = new ArrayList<>();
    for (RunReport run : runs) {
      figures.add(SampleReport.figures(run.name()));
    }
    return Conclusions.of(figures, List.of(runs), List.of(runs));
  }

  @Test
  void theVariantThatIsBestInMostIsChosenAndWhatIsBetterElsewhereIsSaid() {
    RunReport quick =
        run("quick", Map.of("ttft_ms.p95", 300, "goodput_rps", 3, "session_completion_s.mean", 40));
    RunReport wide = run("wide", Map.of("output_tokens_per_s_per_gpu", 80));

    assertThat(conclusions(wide, quick))
        .contains(
            "Choose quick: of 2 variants it is best in TTFT p95, requests/s within SLO and session"
                + " time. Output tokens/s per GPU is highest under wide (80.0, not 50.0).");
  }

  @Test
  void aDifferenceOfTwoPercentIsNone() {
    RunReport first = run("first", Map.of("ttft_ms.p95", 895));
    RunReport second = run("second", Map.of("goodput_rps", 3, "session_completion_s.mean", 40));

    assertThat(conclusions(first, second))
        .contains(
            "Choose second: of 2 variants it is best in requests/s within SLO and session time, and"
                + " within 2 % of the best in TTFT p95.");
  }

  @Test
  void whereEachIsBestInHalfOfItNoneIsChosen() {
    RunReport quick = run("quick", Map.of("ttft_ms.p95", 300, "goodput_rps", 3));
    RunReport wide =
        run("wide", Map.of("session_completion_s.mean", 40, "output_tokens_per_s_per_gpu", 80));

    assertThat(conclusions(wide, quick))
        .anyMatch(
            text ->
                text.startsWith(
                    "No variant is best in all; what follows is of quick. It is best in TTFT p95"))
        .noneMatch(text -> text.startsWith("Choose"));
  }

  @Test
  void whatRefusesRequestsIsNotChosenForBeingQuickWithTheRest() {
    RunReport all = run("all", Map.of());
    RunReport few = run("few", Map.of("ttft_ms.p95", 10, "requests.rejected", 50));

    assertThat(conclusions(all, few))
        .contains("Choose all: the others refused more of their requests, or answered none: few.");
    assertThat(conclusions(all, few, run("other", Map.of("goodput_rps", 2))).get(0))
        .startsWith("Choose other: of 3 variants it is best in requests/s within SLO.")
        .endsWith("Left out, since more of their requests were refused or none was answered: few.");
  }

  @Test
  void equalsAreNotChosenBetween() {
    assertThat(conclusions(run("one", Map.of()), run("two", Map.of())))
        .anyMatch(text -> text.startsWith("No choice: the variants are alike"));
  }

  @Test
  void memoryIsALimitWhereItIsFullOrTookBlocksBack() {
    RunReport free = run("run", Map.of("headroom.used_fraction.p99", 0.4, "preemptions", 0));
    RunReport full = run("run", Map.of("headroom.used_fraction.p99", 0.99, "preemptions", 0));
    RunReport taken = run("run", Map.of("headroom.used_fraction.p99", 0.4, "preemptions", 1));

    assertThat(conclusions(free))
        .contains(
            "Memory is no limit: running requests use no more than 40.0 % of a worker's KV blocks at"
                + " p99, with no preemptions.");
    assertThat(conclusions(full)).anyMatch(text -> text.startsWith("Memory is a limit: "));
    assertThat(conclusions(taken)).anyMatch(text -> text.contains("with 1 preemption."));
  }

  @Test
  void memoryLimitsWhereMuchOfWhatIsComputedHadBeenEvictedHoweverFewBlocksAreInUse() {
    Map<String, Number> much =
        Map.of(
            "headroom.used_fraction.p99",
            0.4,
            "tokens.input",
            1000,
            "hit_rate.tokens",
            0.9,
            "ledger_tokens.evicted",
            30);
    Map<String, Number> little = new LinkedHashMap<>(much);
    little.put("ledger_tokens.evicted", 5);

    assertThat(conclusions(run("run", much)))
        .contains(
            "Memory limits what is reused: 30.0 % of the input that is still computed had been"
                + " computed before and was evicted, though running requests use no more than 40.0 %"
                + " of a worker's KV blocks at p99, with no preemptions.");
    assertThat(conclusions(run("run", little)))
        .anyMatch(text -> text.startsWith("Memory is no limit: "))
        .anyMatch(
            text ->
                text.endsWith(
                    "and 5.0 % of the input that is still computed had been"
                        + " computed before and was evicted."));
  }

  @Test
  void whatTheCacheCouldStillGiveIsToldAgainstWhatIsComputed() {
    RunReport run = run("run", Map.of("hit_rate.tokens", 0.9, "hit_rate.bound", 0.94));
    assertThat(conclusions(run))
        .anyMatch(
            text ->
                text.endsWith(
                    "so better placement, a better order of eviction and more memory together can save"
                        + " at most 4.0 % of the input, which is 40.0 % of what is still computed."));
  }

  @Test
  void aServiceLevelThatTooFewRequestsKeepDoesNotHoldAndTheTargetThatIsMissedIsNamed() {
    // First tokens come after 10 ms, others every 10 ms, and one request in three has one alone.
    assertThat(service(new Slo(10_000_000, 100)))
        .startsWith("The service level (SLO) holds: 100.0 % of the completed requests keep both");
    assertThat(service(new Slo(9_999_999, 100)))
        .startsWith("The service level (SLO) does not hold: 0.0 % of the completed requests keep")
        .endsWith(
            "95.0 % is what targets at p95 ask. Of the 3 that do not, 100.0 % miss the first token"
                + " alone, 0.0 % the speed alone and 0.0 % both.");
    assertThat(service(new Slo(10_000_000, 101)))
        .contains("does not hold: 33.3 %")
        .endsWith(
            "Of the 2 that do not, 0.0 % miss the first token alone, 100.0 % the speed alone"
                + " and 0.0 % both.");
  }

  private static String service(Slo slo) {
    RunFigures figures = SampleReport.figures("run", Runs.twoSessionsTrace(), slo);
    return new Limits(figures.summary(), figures).sentences().get(0);
  }

  @Test
  void whereMoreSessionsThanWorkersBeginAtOnceTheSlowestOfThatBurstAreCounted() {
    // All three first tokens take one step, so that all are among the slowest.
    assertThat(slowest(0))
        .endsWith(
            "Of these 3 requests, 2 are first turns of the burst at the start: 2 sessions begin at 0.");
    assertThat(slowest(1)).startsWith("What limits the slowest").doesNotContain("burst");
  }

  /** Sessions of one request on one worker, the first at 0 and the last long after. */
  private static String slowest(long laterNanos) {
    Trace trace =
        Trace.builder(4)
            .session("a")
            .request("a1")
            .input(8)
            .output(2)
            .blocks(1, 2)
            .arrival(0)
            .session("b")
            .request("b1")
            .input(8)
            .output(2)
            .blocks(3, 4)
            .arrival(laterNanos)
            .session("c")
            .request("c1")
            .input(8)
            .output(2)
            .blocks(8, 9)
            .arrival(1_000_000_000)
            .build();
    RunFigures figures = SampleReport.figures("run", trace);
    return new Limits(figures.summary(), figures)
        .sentences().stream().filter(text -> text.contains("slowest")).findFirst().orElseThrow();
  }

  @Test
  void whereAnotherIsBetterInWhatDoesNotDecideThatIsSaid() {
    RunReport quick = run("quick", Map.of("ttft_ms.p95", 300, "ttft_ms.p99", 950));
    RunReport even = run("even", Map.of("ttft_ms.p99", 910));

    assertThat(conclusions(quick, even).get(0))
        .isEqualTo(
            "Choose quick: of 2 variants it is best in TTFT p95. Another is better in TTFT p99: even"
                + " (910 ms, not 950 ms).");
  }

  @Test
  void aSingleRunIsNotChosenAndOneWithoutAnswersConcludesNothing() {
    assertThat(conclusions(run("run", Map.of()))).noneMatch(text -> text.startsWith("Choose"));
    RunReport mute =
        new RunReport("run", Map.of(), "", "", Map.of(), Summary.of(Map.of()), List.of());
    assertThat(conclusions(mute)).isEmpty();
  }
}
