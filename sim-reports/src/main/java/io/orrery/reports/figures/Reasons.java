package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What variants differ in that makes one of them quicker. */
final class Reasons {
  /** Shares that are so far apart are a reason, and so are times that differ by so much. */
  private static final double TELLING = 0.02;

  private static final double MUCH = 0.1;

  /** Others that are named beside the chosen one. */
  private static final int OTHERS = 4;

  private final List<RunFigures> figures;
  private final List<RunReport> runs;

  Reasons(List<RunFigures> figures, List<RunReport> runs) {
    this.figures = figures;
    this.runs = runs;
  }

  /** The sentence; null if nothing of that tells. */
  @Nullable String sentence(RunReport chosen) {
    if (runs.size() == 1) {
      return null;
    }
    List<String> parts = new ArrayList<>();
    if (spread(Reasons::tax) > TELLING) {
      parts.add(
          beside(chosen, run -> HumanUnits.percent(tax(run)))
              + " of the input tokens had to be computed again because another worker held them or"
              + " they had been evicted");
    }
    if (spread(run -> gpuShare(run.summary(), "prefill")) > TELLING) {
      parts.add(
          "prefill takes "
              + beside(chosen, run -> HumanUnits.percent(gpuShare(run.summary(), "prefill")))
              + " of the GPUs' time");
    }
    if (differs(run -> waiting(figures.get(runs.indexOf(run))))) {
      parts.add(
          "requests wait "
              + beside(chosen, run -> HumanUnits.millis(waiting(figures.get(runs.indexOf(run)))))
              + " on average before their first step");
    }
    if (differs(Reasons::tokenTime)) {
      parts.add(
          "an output token takes "
              + beside(chosen, run -> HumanUnits.millis(tokenTime(run)))
              + " at the median"
              + cause(chosen));
    }
    return parts.isEmpty() ? null : "Why: " + String.join("; ", parts) + ".";
  }

  /** Decodes wait for the prefill in their steps: said where both go the same way. */
  private String cause(RunReport chosen) {
    boolean together =
        runs.stream()
            .allMatch(
                run ->
                    Double.compare(tokenTime(run), tokenTime(chosen))
                        == Double.compare(
                            gpuShare(run.summary(), "prefill"),
                            gpuShare(chosen.summary(), "prefill")));
    return together && spread(run -> gpuShare(run.summary(), "prefill")) > TELLING
        ? ", since the prefill of others lengthens the steps that it comes from"
        : "";
  }

  private static double tokenTime(RunReport run) {
    return run.summary().get("tpot_ms.p50", Double.NaN);
  }

  private double spread(ToDoubleFunction<RunReport> number) {
    DoubleSummaryStatistics all = runs.stream().mapToDouble(number).summaryStatistics();
    return all.getMax() - all.getMin();
  }

  private boolean differs(ToDoubleFunction<RunReport> number) {
    DoubleSummaryStatistics all = runs.stream().mapToDouble(number).summaryStatistics();
    return all.getMax() > (1 + MUCH) * all.getMin();
  }

  /** Mean time before the first step, milliseconds. */
  private static double waiting(RunFigures run) {
    double[] parts = run.waterfall().all();
    double waiting = 0;
    for (int i = 0; i < parts.length - 1; i++) {
      waiting += parts[i];
    }
    return waiting;
  }

  /** The chosen variant's number, and the others' in brackets. */
  private String beside(RunReport chosen, Function<RunReport, String> number) {
    return number.apply(chosen)
        + runs.stream()
            .filter(run -> !run.name().equals(chosen.name()))
            .limit(OTHERS)
            .map(run -> run.name() + " " + number.apply(run))
            .collect(Collectors.joining(", ", " (", ")"));
  }

  private static double tax(RunReport run) {
    Summary summary = run.summary();
    double input = summary.get("tokens.input", 0);
    double again =
        summary.get("ledger_tokens.misplaced", 0)
            + summary.get("ledger_tokens.evicted", 0)
            + summary.get("ledger_tokens.queue_evicted", 0);
    return input == 0 ? 0 : again / input;
  }

  /** The share of the GPUs' time that a part of the ledger takes; NaN if there is none. */
  static double gpuShare(Summary summary, String part) {
    double all = 0;
    for (String each : List.of("prefill", "decode", "idle")) {
      all += summary.get("gpu_seconds." + each, 0);
    }
    return all == 0 ? Double.NaN : summary.get("gpu_seconds." + part, 0) / all;
  }
}
