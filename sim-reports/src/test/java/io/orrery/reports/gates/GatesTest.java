package io.orrery.reports.gates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.gates.GateResult.Outcome;
import io.orrery.reports.summary.Summary;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

class GatesTest {
  @ParameterizedTest
  @CsvSource({
    "ttft_ms.p99 <= 2000, 2000, true",
    "ttft_ms.p99 <= 2000, 2000.5, false",
    "ttft_ms.p99<2000, 2000, false",
    "hit_rate.tokens >= 90 %, 0.9, true",
    "hit_rate.tokens >= 90%, 0.89, false",
    "goodput_rps >= 0.95 * baseline, 95, true",
    "goodput_rps >= 0.95*baseline, 94.9, false",
    "ledger_tokens.misplaced <= baseline + 1 %, 101, true",
    "ledger_tokens.misplaced <= baseline + 1 %, 101.1, false",
    "hit_rate.tokens >= baseline - 0.5 %, 99.5, true",
    "preemptions <= baseline + 3, 103, true",
    "preemptions <= baseline + 3, 104, false",
    "preemptions <= 2 * baseline - 50, 150, true",
    "preemptions == baseline, 100, true",
    "preemptions > baseline, 100, false",
    "tpot_ms.mean >= -1.5e1, -15, true"
  })
  void conditionsAreWhatTheySay(String text, double value, boolean holds) {
    GateExpression expression = GateExpression.parse(text);
    double limit = expression.limit(OptionalDouble.of(100)).orElseThrow();
    assertThat(expression.holds(value, limit)).isEqualTo(holds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ttft_ms.p99",
        "ttft_ms.p99 <=",
        "<= 3",
        "a <= b",
        "a <= baseline *",
        "a <= 3 +",
        "a <= baseline baseline",
        "a => 3",
        "a <= 1 2",
        "a <= NaN",
        "a <= Infinity",
        "a <= 1e999",
        "a <= -1e999 %",
        "a <= 1e999 * baseline",
        "a <= baseline + 1e999",
        "a <= -1 * baseline",
        "a <= baseline / 2",
        "a <= 1 <= 2",
        "a <= 0x10"
      })
  void whatIsNoConditionIsRefused(String text) {
    assertThatThrownBy(() -> GateExpression.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static RunReport run(String name, Map<String, Number> numbers) {
    return new RunReport(
        name, Map.of("seed", 1L), "c", "trace", Map.of(), Summary.of(numbers), List.of());
  }

  private static Gate gate(String warn, String fail, String... variants) {
    return new Gate(
        warn.isEmpty() ? null : GateExpression.parse(warn),
        fail.isEmpty() ? null : GateExpression.parse(fail),
        List.of(variants),
        "gates.yaml",
        3);
  }

  private static Baseline baseline(Map<String, Number> numbers) {
    return Baseline.of(document(), List.of(run("a", numbers)), 1);
  }

  private static RunDocument document() {
    return new RunDocument("0.1.0", "s", List.of(), List.of(), List.of());
  }

  private static GateResult only(Gate gate, Map<String, Number> before, Map<String, Number> now) {
    List<GateResult> results =
        new GateCheck(baseline(before)).check(List.of(gate), List.of(run("a", now)));
    assertThat(results).hasSize(1);
    return results.get(0);
  }

  @Test
  void warnAndFailStandTogether() {
    Gate gate = gate("preemptions <= baseline + 1 %", "preemptions <= baseline + 5 %");
    assertThat(only(gate, Map.of("preemptions", 100), Map.of("preemptions", 101)).outcome())
        .isEqualTo(Outcome.PASSED);
    assertThat(only(gate, Map.of("preemptions", 100), Map.of("preemptions", 103)).outcome())
        .isEqualTo(Outcome.WARNED);
    GateResult failed = only(gate, Map.of("preemptions", 100), Map.of("preemptions", 110));
    assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(GateText.line(failed))
        .isEqualTo(
            "FAIL    a: preemptions <= baseline + 5 % (found 110, limit 105, baseline 100,"
                + " +10.00 %)");
  }

  @Test
  void whatIsNotKnownDoesNotPass() {
    Gate gate = gate("", "preemptions <= baseline");
    GateResult noNumber = only(gate, Map.of("preemptions", 1), Map.of());
    assertThat(noNumber.outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(noNumber.failed()).isTrue();
    assertThat(GateText.detail(only(gate, Map.of(), Map.of("preemptions", 1))))
        .isEqualTo("found 1, the baseline has no such number");
  }

  @Test
  void theWorstComesFirstAndTheVerdictNamesIt() {
    List<Gate> gates =
        List.of(
            gate("", "ttft_ms.p95 <= 100"),
            gate("", "ttft_ms.p50 <= 10"),
            gate("preemptions <= 0", ""),
            gate("", "hit_rate.tokens >= 0.5"));
    List<GateResult> results =
        new GateCheck(null)
            .check(
                gates,
                List.of(
                    run(
                        "a",
                        Map.of(
                            "ttft_ms.p95", 110,
                            "ttft_ms.p50", 90,
                            "preemptions", 4,
                            "hit_rate.tokens", 0.6))));
    assertThat(results.stream().map(r -> r.expression().key()))
        .containsExactly("ttft_ms.p50", "ttft_ms.p95", "preemptions", "hit_rate.tokens");
    assertThat(GateText.verdict(results, 0))
        .isEqualTo("failed: 2 of 4 gates, worst ttft_ms.p50 of a; 1 warned");
  }

  @Test
  void gatesMayBeForSomeVariantsOnly() {
    List<GateResult> results =
        new GateCheck(null)
            .check(
                List.of(gate("", "preemptions <= 0", "b")),
                List.of(run("a", Map.of("preemptions", 1)), run("b", Map.of("preemptions", 0))));
    assertThat(results).hasSize(1);
    assertThat(GateText.verdict(results, 0)).isEqualTo("passed: 1 gate");
  }

  @Test
  void aNumberThatNobodyHasIsNoMatterOfTheBuiltInGates() {
    GateCheck check = new GateCheck(baseline(Map.of("preemptions", 1, "hit_rate.tokens", 0.5)));
    List<GateResult> results =
        check.check(Gate.builtIn(), List.of(run("a", Map.of("preemptions", 1, "goodput_rps", 1))));
    assertThat(results)
        .extracting(result -> result.outcome() + " " + result.expression().key())
        .containsExactly("UNKNOWN hit_rate.tokens", "UNKNOWN goodput_rps", "PASSED preemptions");
  }

  @Test
  void aBaselineOfSomethingElseSaysWhatDiffers() {
    Baseline before = baseline(Map.of());
    RunReport other =
        new RunReport(
            "a",
            Map.of(
                "seed", 2L, "slo", new BigDecimal("5E+1"), "routing", Map.of("policy", "random")),
            "c",
            "other",
            Map.of(RunReport.PROFILE, Map.of("sha256", "p")),
            Summary.of(Map.of()),
            List.of());
    assertThat(before.differences(Baseline.of(document(), List.of(other), 1)))
        .containsExactly(
            "a: another trace (other, not trace)",
            "a: another profile of step times, other measured tables, or another model file",
            "a: routing.policy is random, not nothing",
            "a: seed is 2, not 1",
            "a: slo is 50, not nothing");
  }

  @Test
  void aTestCaseHasOneNameWhateverComesOutOfItsGate() {
    Gate gate = gate("preemptions <= 1", "preemptions <= 3");
    List<String> suites = new ArrayList<>();
    for (int found = 1; found <= 5; found += 2) {
      suites.add(
          GateDocuments.junit(
              "s",
              new GateCheck(null)
                  .check(List.of(gate), List.of(run("a", Map.of("preemptions", found))))));
    }
    assertThat(suites)
        .allSatisfy(
            suite ->
                assertThat(suite)
                    .contains("name=\"preemptions &lt;= 3, warn: preemptions &lt;= 1\""));
    assertThat(suites.get(1)).contains("warning: preemptions &lt;= 1: found 3, limit 1");
    assertThat(suites.get(2)).contains("message=\"preemptions &lt;= 3: found 5, limit 3");
  }

  @Test
  void documentsForOtherProgramsStayWellFormed() throws Exception {
    List<GateResult> results =
        new GateCheck(null)
            .check(
                List.of(gate("", "preemptions <= 0"), gate("preemptions <= 1", "")),
                List.of(run("<&\"'\u0001|", Map.of("preemptions", 2))));
    String junit = GateDocuments.junit("s<", results);
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(junit)));
    assertThat(document.getDocumentElement().getAttribute("tests")).isEqualTo("2");
    assertThat(document.getDocumentElement().getAttribute("failures")).isEqualTo("1");
    assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(GateDocuments.annotations(results))
        .startsWith("::error file=gates.yaml,line=3::FAIL")
        .contains("\n::warning file=gates.yaml,line=3::WARN");
    assertThat(GateDocuments.json("s", results, 3)).contains("\"passed\": false");
    assertThat(GateDocuments.markdown("s", results, 0)).contains("| FAIL | &lt;&amp;");
  }
}
