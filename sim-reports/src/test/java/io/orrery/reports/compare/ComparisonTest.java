package io.orrery.reports.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.reports.compare.Change.Verdict;
import io.orrery.reports.summary.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static RunSet.Variant variant(Map<Long, Map<String, Number>> seeds) {
    TreeMap<Long, Summary> summaries = new TreeMap<>();
    seeds.forEach((seed, values) -> summaries.put(seed, Summary.of(values)));
    return new RunSet.Variant("digest", "trace", summaries);
  }

  private static RunSet.Variant ttft(double... values) {
    Map<Long, Map<String, Number>> seeds = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      seeds.put((long) i + 1, Map.of("ttft_ms.p95", values[i]));
    }
    return variant(seeds);
  }

  private static Change only(Comparison comparison) {
    assertThat(comparison.changes()).hasSize(1);
    return comparison.changes().get(0);
  }

  @Test
  void theIntervalIsStudentsOverPairsOfSeeds() {
    // Differences 10, 14, 12: mean 12, deviation 2; t(2 degrees, 97.5 %) = 4.302653.
    Change change = only(Comparison.of("a", ttft(100, 200, 300), "b", ttft(110, 214, 312)));

    assertThat(change.delta()).isCloseTo(12, within(1e-9));
    assertThat(change.halfWidth()).isCloseTo(4.302653 * 2 / Math.sqrt(3), within(1e-5));
    assertThat(change.verdict()).isEqualTo(Verdict.WORSE);
  }

  @Test
  void pairingTakesOutWhatSeedsHaveInCommon() {
    // Unpaired, a spread of 100 between seeds would hide a change of 1.
    assertThat(only(Comparison.of("a", ttft(100, 200, 300), "b", ttft(97, 196.9, 297))).verdict())
        .isEqualTo(Verdict.BETTER);
  }

  @Test
  void anIntervalThatHoldsZeroIsNoise() {
    assertThat(only(Comparison.of("a", ttft(100, 200, 300), "b", ttft(130, 190, 320))).verdict())
        .isEqualTo(Verdict.NOISE);
  }

  @Test
  void equalRunsAreIdenticalAndSmallDifferencesTheSame() {
    Comparison equal = Comparison.of("a", ttft(100), "b", ttft(100));
    assertThat(only(equal).verdict()).isEqualTo(Verdict.IDENTICAL);
    assertThat(equal.verdict()).isEqualTo("b is identical to a, digit for digit.");
    assertThat(only(Comparison.of("a", ttft(1000), "b", ttft(1004))).verdict())
        .isEqualTo(Verdict.SAME);
  }

  @Test
  void theMetricSaysWhichWayIsBetter() {
    Map<String, Number> before = new LinkedHashMap<>();
    before.put("hit_rate.tokens", 0.9);
    before.put("ttft_ms.p95", 100);
    before.put("ttft_ms.count", 7);
    before.put("tokens.input", 1000);
    before.put("gone", 1);
    Map<String, Number> after = new LinkedHashMap<>(before);
    after.put("hit_rate.tokens", 0.5);
    after.put("ttft_ms.p95", 80);
    after.put("ttft_ms.count", 9);
    after.put("tokens.input", 2000);
    after.remove("gone");

    Comparison comparison =
        Comparison.of("a", variant(Map.of(1L, before)), "b", variant(Map.of(1L, after)));

    assertThat(comparison.changes().stream().map(c -> c.key() + " " + c.verdict().label()))
        .containsExactly(
            "hit_rate.tokens worse",
            "ttft_ms.p95 better",
            "tokens.input changed",
            "ttft_ms.count changed");
    assertThat(comparison.notes())
        .contains("gone is known on one side only.")
        .anyMatch(note -> note.startsWith("One seed: no intervals"));
    assertThat(comparison.verdict())
        .isEqualTo(
            "b against a: 1 of 4 numbers worse, 1 better, 0 within noise. Worst: hit_rate.tokens"
                + " −44.4 %.");
  }

  @Test
  void onlyCommonSeedsCount() {
    Comparison comparison = Comparison.of("a", ttft(100, 200, 300), "b", ttft(100, 200));
    assertThat(only(comparison).seeds()).isEqualTo(2);
    assertThat(comparison.notes()).anyMatch(note -> note.startsWith("1 runs have a seed"));
    assertThatThrownBy(
            () -> Comparison.of("a", ttft(1), "b", variant(Map.of(9L, Map.of("ttft_ms.p95", 1)))))
        .hasMessageContaining("a has the seeds [1] and b has [9]");
  }

  @Test
  void whatIsNoSummaryIsRefused() {
    assertThatThrownBy(() -> RunSet.read("x", "[1]")).hasMessageContaining("no JSON object");
    assertThatThrownBy(() -> RunSet.read("x", "{")).hasMessageContaining("no JSON (");
    assertThatThrownBy(() -> RunSet.read("x", "{\"schemaVersion\": 7}"))
        .hasMessageContaining("found schemaVersion 7, expected a summary of schemaVersion 1");
  }

  @Test
  void setsOfVariantsArePairedByName() {
    RunSet first = new RunSet("A", new LinkedHashMap<>(Map.of("x", ttft(1))));
    RunSet same = new RunSet("B", new LinkedHashMap<>(Map.of("x", ttft(2))));
    RunSet other = new RunSet("C", new LinkedHashMap<>(Map.of("y", ttft(2))));
    assertThat(Pairing.of(List.of(first, same)).get(0).after()).isEqualTo("B x");
    assertThat(Pairing.of(List.of(first, other)).get(0).after()).isEqualTo("C y");
    assertThatThrownBy(() -> Pairing.of(List.of(first)))
        .hasMessage("A: found one variant, expected several or a second run to compare with");
  }
}
