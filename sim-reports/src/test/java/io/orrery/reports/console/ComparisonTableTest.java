package io.orrery.reports.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Summaries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {
  private static RunReport run(String name, double ttft, double hits, int rejected) {
    Map<String, Number> numbers = new LinkedHashMap<>();
    numbers.put("requests.completed", 1234);
    numbers.put("requests.rejected", rejected);
    numbers.put("tokens.input", 1000);
    numbers.put("ledger_tokens.misplaced", 100);
    numbers.put("hit_rate.tokens", hits);
    numbers.put("ttft_ms.p95", ttft);
    return new RunReport(name, Map.of(), "", "", Map.of(), Summaries.of(numbers), List.of());
  }

  @Test
  void signsStandWhereThePrintedNumbersDiffer() {
    List<RunReport> runs =
        List.of(
            run("load-based", 4100, 0.30, 0),
            run("session-affinity", 620, 0.9001, 0),
            run("kv-aware", 700, 0.9002, 0));

    assertThat(ComparisonTable.of(runs, false))
        .isEqualTo(
            """
                                                  load-based    session-affinity            kv-aware
            Latency
              TTFT p95                                4.10 s -            620 ms +            700 ms
            Cache and tax, of input tokens
              reused                                  30.0 % -            90.0 % +            90.0 % +
              tax: held by another worker             10.0 %              10.0 %              10.0 %
              tax: evicted                             0.0 %               0.0 %               0.0 %
              rewritten by the session                 0.0 %               0.0 %               0.0 %
            Memory and GPUs
            Requests
              completed                                1,234               1,234               1,234

            + best, - worst of the variants; no sign where they print alike.
            """
                .replace("Memory and GPUs\n", ""));
  }

  @Test
  void linesOfRareEventsAppearWithTheFirst() {
    assertThat(ComparisonTable.of(List.of(run("a", 1, 1, 0)), false)).doesNotContain("rejected");
    assertThat(ComparisonTable.of(List.of(run("a", 1, 1, 3)), false))
        .containsPattern("  rejected +3\n")
        .doesNotContain("best");
  }

  @Test
  void colourRepeatsTheSigns() {
    List<RunReport> runs = List.of(run("a", 10, 0.5, 0), run("b", 20, 0.5, 0));

    String coloured = ComparisonTable.of(runs, true);

    assertThat(coloured).contains("\u001b[32m").contains("\u001b[31m");
    assertThat(coloured.replaceAll("\u001b\\[\\d*m", ""))
        .isEqualTo(ComparisonTable.of(runs, false));
  }

  @Test
  void fitsAHundredColumnsHoweverManyRunsAndHoweverLongTheirNames() {
    List<RunReport> runs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      runs.add(run("a-variant-with-a-name-of-great-length-" + i, 1e7 * (i + 1), 0.1 * i, 123456));
    }

    String table = ComparisonTable.of(runs, false);

    assertThat(table.lines()).allMatch(line -> line.length() <= ComparisonTable.WIDTH);
    assertThat(table.lines().filter(line -> line.contains("TTFT p95"))).hasSize(3);
    // Best and worst of all eight, in the first and the last part.
    assertThat(table.lines().filter(line -> line.contains("TTFT p95") && line.contains("+")))
        .hasSize(1);
  }
}
