package io.orrery.reports.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.Rejections;
import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Summaries;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeadSentenceTest {
  private static RunReport run(String name, Map<String, ? extends Number> numbers) {
    return new RunReport(name, Map.of(), "", "", Map.of(), Summaries.of(numbers), List.of());
  }

  private static Map<String, Number> numbers(double ttft, int misplaced, int evicted) {
    Map<String, Number> numbers = new LinkedHashMap<>();
    numbers.put("tokens.input", 100);
    numbers.put("ledger_tokens.misplaced", misplaced);
    numbers.put("ledger_tokens.evicted", evicted);
    numbers.put("ttft_ms.p95", ttft);
    return numbers;
  }

  @Test
  void namesTheGainAndItsCause() {
    assertThat(
            LeadSentence.of(
                List.of(
                    run("load-based", numbers(4100, 55, 10)),
                    run("affinity", numbers(900, 4, 9)),
                    run("kv-aware", numbers(620, 3, 9)))))
        .isEqualTo(
            "kv-aware cuts TTFT p95 from 4.10 s to 620 ms (−85 %) against load-based (next"
                + " best: affinity, 900 ms): under load-based, 55.0 % of the input tokens were computed again because their blocks"
                + " lay on another worker (kv-aware: 3.0 %).");
  }

  @Test
  void evictionIsACauseToo() {
    assertThat(
            LeadSentence.of(
                List.of(run("big", numbers(500, 5, 1)), run("small", numbers(1000, 5, 31)))))
        .contains("big cuts TTFT p95 from 1.00 s to 500 ms (−50 %) against small")
        .contains("31.0 % of the input tokens were computed again because their blocks had been")
        .contains("(big: 1.0 %)");
  }

  @Test
  void waitingIsACauseWhereTheLedgerKnowsNone() {
    Map<String, Number> slow = numbers(5000, 5, 5);
    slow.put("queue_wait_ms.p95", 4000);
    Map<String, Number> fast = numbers(1000, 5, 5);
    fast.put("queue_wait_ms.p95", 200);

    assertThat(LeadSentence.of(List.of(run("few", slow), run("many", fast))))
        .endsWith(
            "against few: requests waited 4.00 s at p95 before their first step, not 200 ms.");
  }

  @Test
  void manyRefusalsAreMentioned() {
    Map<String, Number> all = numbers(5000, 5, 5);
    all.put("requests.dispatched", 200);
    all.put("requests.rejected", 1);
    Map<String, Number> few = numbers(1000, 5, 5);
    few.put("requests.dispatched", 200);
    few.put("requests.rejected", 30);
    RunReport a = run("a", all);
    Rejections.Group why = new Rejections.Group("prompts longer than 99 tokens", 30);
    RunReport b = new RunReport("b", Map.of(), "", "", Map.of(), Summaries.of(few), List.of(why));

    assertThat(LeadSentence.of(List.of(a, b)))
        .endsWith(
            " against a. 15.0 % of the requests were refused under b: prompts longer than 99"
                + " tokens.");
    assertThat(LeadSentence.of(List.of(b)))
        .endsWith(" 15.0 % of the requests were refused: prompts longer than 99 tokens.");
    assertThat(LeadSentence.of(List.of(a))).doesNotContain("refused");
  }

  @Test
  void aSmallDifferenceInTheLedgerIsNoCause() {
    assertThat(
            LeadSentence.of(List.of(run("a", numbers(5000, 12, 5)), run("b", numbers(1000, 5, 5)))))
        .isEqualTo("b cuts TTFT p95 from 5.00 s to 1.00 s (−80 %) against a.");
  }

  @Test
  void noCauseIsMadeUp() {
    assertThat(
            LeadSentence.of(List.of(run("a", numbers(5000, 5, 5)), run("b", numbers(1000, 5, 5)))))
        .isEqualTo("b cuts TTFT p95 from 5.00 s to 1.00 s (−80 %) against a.");
  }

  @Test
  void equalVariantsAreCalledEqual() {
    RunReport a = run("a", numbers(1000, 5, 5));
    assertThat(LeadSentence.of(List.of(a, run("b", numbers(1000, 5, 5)))))
        .isEqualTo("The variants give identical results, digit for digit.");
    assertThat(LeadSentence.of(List.of(a, run("b", numbers(1010, 50, 5)))))
        .isEqualTo("The variants hardly differ in TTFT p95: 1.00 s to 1.01 s.");
  }

  @Test
  void aSingleRunIsDescribed() {
    Map<String, Number> numbers = numbers(1000, 5, 5);
    numbers.put("ttft_ms.p50", 100);
    assertThat(LeadSentence.of(List.of(run("a", numbers))))
        .isEqualTo("TTFT is 100 ms at the median and 1.00 s at p95.");
    numbers.put("hit_rate.tokens", 0.5);
    numbers.put("hit_rate.bound", 0.75);
    assertThat(LeadSentence.of(List.of(run("a", numbers))))
        .endsWith(
            "; 50.0 % of the input tokens came from the cache (no cache could give more than"
                + " 75.0 %).");
  }

  /** A bound holds of what is known: three quarters of the input are not. */
  @Test
  void whatHasNoIdentityIsSaid() {
    Map<String, Number> numbers = numbers(1000, 5, 5);
    numbers.put("hit_rate.tokens", 0.1);
    numbers.put("hit_rate.bound", 0.2);
    numbers.put("hit_rate.unidentified_share", 0.75);

    assertThat(LeadSentence.of(List.of(run("a", numbers))))
        .endsWith(
            "; 10.0 % of the input tokens came from the cache, but 75.0 % of the input has no"
                + " identity and is never found; of the known input 40.0 % came from the cache (no"
                + " cache could give more than 80.0 % of it).");
    assertThat(ComparisonTable.of(List.of(run("a", numbers)), false))
        .contains("without identity                  75.0 %")
        .contains("bound, of known input             80.0 %")
        .doesNotContain("no cache reuses more than");
  }

  @Test
  void amongSeveralVariantsWhatHasNoIdentityIsSaidOnce() {
    Map<String, Number> fast = numbers(1000, 5, 5);
    Map<String, Number> slow = numbers(3000, 5, 5);
    fast.put("hit_rate.unidentified_share", 0.75);
    slow.put("hit_rate.unidentified_share", 0.75);

    assertThat(LeadSentence.of(List.of(run("a", fast), run("b", slow))))
        .startsWith("a cuts TTFT p95 from 3.00 s to 1.00 s")
        .endsWith(
            ". 75.0 % of the input has no identity: what caches would give for it is unknown, and no"
                + " variant finds it.");
    slow.put("hit_rate.unidentified_share", 0.5);
    assertThat(LeadSentence.of(List.of(run("a", fast), run("b", slow))))
        .contains(". Up to 75.0 % of the input has no identity");
    fast.remove("hit_rate.unidentified_share");
    slow.remove("hit_rate.unidentified_share");
    assertThat(LeadSentence.of(List.of(run("a", fast), run("b", slow))))
        .doesNotContain("no identity");
  }

  @Test
  void withoutAnyTokenItSaysWhatBecameOfTheRequests() {
    Map<String, Number> numbers =
        Map.of("requests.dispatched", 7, "requests.rejected", 5, "requests.unfinished", 2);
    assertThat(LeadSentence.of(List.of(run("a", numbers))))
        .isEqualTo("No request got a token: 7 sent, 5 rejected, 2 unfinished.");
  }
}
