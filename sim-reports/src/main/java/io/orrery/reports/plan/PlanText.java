package io.orrery.reports.plan;

import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.Paragraph;
import io.orrery.reports.console.TextTable;
import io.orrery.scenarios.plan.Plan.Find;

/** A plan's answer on a terminal: one sentence, a table of candidates, then why and how sure. */
public final class PlanText {
  private static final int WIDTH = 100;

  private PlanText() {}

  /** The text. */
  public static String of(PlanResult result) {
    PlanWords words = new PlanWords(result);
    StringBuilder out = new StringBuilder(Paragraph.wrapped(words.answer(), WIDTH)).append("\n\n");
    Find find = result.plan().find();
    TextTable table =
        new TextTable(
            "candidate",
            find.ofWorkers() ? "workers" : "sessions at once",
            heading(find),
            "step times longer",
            "shorter",
            "TTFT p95",
            "KV p99",
            "<gives way first");
    for (CandidateResult candidate : result.candidates()) {
      Trial shown = candidate.holds() ? candidate.atAnswer() : candidate.beyond();
      table.add(
          candidate.name(),
          candidate.holds() ? HumanUnits.count(candidate.answer().getAsLong()) : "none",
          words.value(candidate),
          words.value(candidate.slower()),
          words.value(candidate.faster()),
          shown == null
              ? "–"
              : HumanUnits.millis(shown.result().summary().get("ttft_ms.p95", Double.NaN)),
          shown == null
              ? "–"
              : HumanUnits.percent(
                  shown.result().summary().get("headroom.used_fraction.p99", Double.NaN)),
          candidate.failure().isEmpty()
              ? candidate.beyond() == null ? "not reached" : PlanWords.bottleneck(candidate).part()
              : "failed: " + candidate.failure());
    }
    out.append(table);
    for (String detail : words.details()) {
      out.append('\n').append(Paragraph.wrapped(detail, WIDTH)).append('\n');
    }
    return out.toString();
  }

  static String heading(Find find) {
    return switch (find) {
      case CONCURRENCY -> "sessions per GPU";
      case GPUS -> "GPUs";
      case USD -> "$ per hour";
      case KWH -> "kWh per hour";
    };
  }
}
