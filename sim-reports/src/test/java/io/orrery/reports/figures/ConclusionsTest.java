package io.orrery.reports.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Summary;
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
        .anyMatch(text -> text.startsWith("No variant is best in all: quick"))
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

    assertThat(conclusions(free)).anyMatch(text -> text.startsWith("Memory is no limit: 40.0 %"));
    assertThat(conclusions(full)).anyMatch(text -> text.startsWith("Memory is a limit: 99.0 %"));
    assertThat(conclusions(taken)).anyMatch(text -> text.contains(", 1 preemption."));
  }

  @Test
  void aSingleRunIsNotChosenAndOneWithoutAnswersConcludesNothing() {
    assertThat(conclusions(run("run", Map.of()))).noneMatch(text -> text.startsWith("Choose"));
    RunReport mute =
        new RunReport("run", Map.of(), "", "", Map.of(), Summary.of(Map.of()), List.of());
    assertThat(conclusions(mute)).isEmpty();
  }
}
