package io.orrery.reports.gates;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gate on one number.
 *
 * @param warn condition whose breach is a warning
 * @param fail condition whose breach fails the check
 * @param variants it holds for; empty for all
 * @param file where it was written
 * @param line in the file, from 1; 0 for the built-in gates
 */
public record Gate(
    @Nullable GateExpression warn,
    @Nullable GateExpression fail,
    List<String> variants,
    String file,
    int line) {
  public Gate {
    variants = List.copyOf(variants);
    if (warn == null && fail == null) {
      throw new IllegalArgumentException("a gate without a condition");
    }
  }

  /** The number that it is about. */
  public String key() {
    return fail != null ? fail.key() : warn != null ? warn.key() : "";
  }

  /** What it says, whatever comes out of it: the same name in every report. */
  public String text() {
    String failing = fail == null ? "" : fail.text();
    String warning = warn == null ? "" : "warn: " + warn.text();
    return failing + (failing.isEmpty() || warning.isEmpty() ? "" : ", ") + warning;
  }

  /** Whether nobody wrote it. */
  public boolean isBuiltIn() {
    return line == 0;
  }

  /** Whether it is about a variant. */
  public boolean holdsFor(String variant) {
    return variants.isEmpty() || variants.contains(variant);
  }

  /**
   * Gates for those who bring none: what a run must not lose against its baseline. The simulation
   * is exact, so any difference has a cause; the margins leave room for intended small ones.
   */
  public static List<Gate> builtIn() {
    return List.of(
        builtIn("requests.completed >= baseline", "requests.completed >= baseline"),
        builtIn("ttft_ms.p50 <= baseline + 1 %", "ttft_ms.p50 <= baseline + 5 %"),
        builtIn("ttft_ms.p95 <= baseline + 1 %", "ttft_ms.p95 <= baseline + 5 %"),
        builtIn("itl_ms.p99 <= baseline + 1 %", "itl_ms.p99 <= baseline + 5 %"),
        builtIn("hit_rate.tokens >= baseline - 0.5 %", "hit_rate.tokens >= baseline - 2 %"),
        builtIn("goodput_rps >= baseline - 1 %", "goodput_rps >= baseline - 5 %"),
        builtIn(
            "ledger_tokens.misplaced <= baseline + 2 %",
            "ledger_tokens.misplaced <= baseline + 10 %"),
        builtIn("preemptions <= baseline + 5 %", "preemptions <= baseline + 20 %"));
  }

  private static Gate builtIn(String warn, String fail) {
    return new Gate(
        GateExpression.parse(warn), GateExpression.parse(fail), List.of(), "built-in gates", 0);
  }
}
