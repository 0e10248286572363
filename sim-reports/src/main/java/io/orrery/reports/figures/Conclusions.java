package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the numbers, a sentence or two each: which variant to choose, what users get
 * from it, and what would have to change for it to do better.
 */
final class Conclusions {
  /** Of two variants, one that refuses so much more of the requests is not chosen. */
  private static final double REFUSED = 0.01;

  /** Shares that are so far apart are a reason, and so are times that differ by so much. */
  private static final double TELLING = 0.02;

  private static final double MUCH = 0.1;

  /** Above this share of blocks in use, or of input lost by eviction, memory is what limits. */
  private static final double FULL = 0.95;

  private static final double EVICTED = 0.05;

  /** GPUs that are idle for less than this share of the time have no room. */
  private static final double BUSY = 0.1;

  private final List<RunFigures> figures;
  private final List<RunReport> runs;
  private final List<RunReport> everySeed;

  private Conclusions(List<RunFigures> figures, List<RunReport> runs, List<RunReport> everySeed) {
    this.figures = figures;
    this.runs = runs;
    this.everySeed = everySeed;
  }

  /**
   * The sentences.
   *
   * @param figures what was looked at in each variant's first run
   * @param runs each variant's numbers, means over seeds, in the same order
   * @param everySeed the runs of every seed
   */
  static List<String> of(
      List<RunFigures> figures, List<RunReport> runs, List<RunReport> everySeed) {
    return new Conclusions(figures, runs, everySeed).sentences();
  }

  private List<String> sentences() {
    List<RunReport> able = able();
    if (able.isEmpty()) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    RunReport chosen = able.get(0);
    if (runs.size() > 1) {
      // Of equals the one that is best in the first goal.
      chosen =
          able.stream()
              .max(
                  Comparator.comparingLong((RunReport run) -> wins(run, able))
                      .thenComparing(run -> Goal.ALL.get(0).isBest(run, able)))
              .orElseThrow();
      sentences.add(choice(chosen, able, runs));
    }
    int at = runs.indexOf(chosen);
    add(sentences, why(chosen));
    add(sentences, promise(chosen.summary(), figures.get(at)));
    add(sentences, slowest(figures.get(at)));
    add(sentences, cache(chosen.summary()));
    add(sentences, memory(chosen.summary()));
    add(sentences, gpus(chosen.summary()));
    if (everySeed.size() > 1) {
      sentences.add(certainty());
    }
    return sentences;
  }

  private static void add(List<String> sentences, @Nullable String sentence) {
    if (sentence != null) {
      sentences.add(sentence);
    }
  }

  /** The variants that may be chosen. */
  private List<RunReport> able() {
    List<RunReport> answered =
        runs.stream().filter(run -> run.summary().get("ttft_ms.p95").isPresent()).toList();
    double fewest = answered.stream().mapToDouble(Conclusions::refused).min().orElse(0);
    return answered.stream().filter(run -> refused(run) <= fewest + REFUSED).toList();
  }

  private static double refused(RunReport run) {
    double sent = run.summary().get("requests.dispatched", 0);
    return sent == 0 ? 0 : run.summary().get("requests.rejected", 0) / sent;
  }

  private static long wins(RunReport run, List<RunReport> among) {
    return Goal.ALL.stream().filter(goal -> goal.isBest(run, among)).count();
  }

  private static String choice(RunReport chosen, List<RunReport> able, List<RunReport> runs) {
    List<String> refusing =
        runs.stream().filter(run -> !able.contains(run)).map(RunReport::name).toList();
    if (able.size() == 1) {
      return "Choose "
          + chosen.name()
          + ": the others refused more of their requests, or answered none: "
          + String.join(", ", refusing)
          + ".";
    }
    List<Goal> differing = Goal.ALL.stream().filter(goal -> goal.tells(able)).toList();
    if (differing.isEmpty()) {
      return "No choice: the variants are alike in "
          + names(Goal.ALL)
          + ". What follows is of "
          + chosen.name()
          + ".";
    }
    List<Goal> won = differing.stream().filter(goal -> goal.isBest(chosen, able)).toList();
    List<Goal> near =
        differing.stream()
            .filter(goal -> !won.contains(goal) && goal.isNearBest(chosen, able))
            .toList();
    List<Goal> lost =
        differing.stream().filter(goal -> !won.contains(goal) && !near.contains(goal)).toList();
    boolean clear = 2 * (won.size() + near.size()) > differing.size();
    String text =
        clear
            ? "Choose " + chosen.name() + ": of " + runs.size() + " variants it is "
            : "No variant is best in all: " + chosen.name() + ", of which all that follows is, is ";
    if (!won.isEmpty()) {
      text += "best in " + names(won) + (near.isEmpty() ? "" : ", and ");
    }
    if (!near.isEmpty()) {
      text += "within 2 % of the best in " + names(near);
    }
    if (won.isEmpty() && near.isEmpty()) {
      text += "best in nothing";
    }
    text += ".";
    for (Goal goal : lost) {
      RunReport better =
          able.stream().filter(run -> goal.isBest(run, able)).findFirst().orElse(chosen);
      text +=
          " "
              + goal.name().substring(0, 1).toUpperCase(Locale.ROOT)
              + goal.name().substring(1)
              + (goal.high() ? " is highest under " : " is lowest under ")
              + better.name()
              + " ("
              + goal.text(better)
              + ", not "
              + goal.text(chosen)
              + ").";
    }
    return refusing.isEmpty()
        ? text
        : text
            + " Left out, since more of their requests were refused or none was answered: "
            + String.join(", ", refusing)
            + ".";
  }

  /** What the variants differ in that makes one quicker; null if nothing of that tells. */
  private @Nullable String why(RunReport chosen) {
    if (runs.size() == 1) {
      return null;
    }
    List<String> parts = new ArrayList<>();
    if (spread(Conclusions::tax) > TELLING) {
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
    if (differs(run -> run.summary().get("tpot_ms.p50", Double.NaN))) {
      parts.add(
          "an output token takes "
              + beside(
                  chosen, run -> HumanUnits.millis(run.summary().get("tpot_ms.p50", Double.NaN)))
              + " at the median");
    }
    return parts.isEmpty() ? null : "Why: " + String.join("; ", parts) + ".";
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
            .limit(4)
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

  private static double gpuShare(Summary summary, String part) {
    double all = 0;
    for (String each : List.of("prefill", "decode", "idle")) {
      all += summary.get("gpu_seconds." + each, 0);
    }
    return all == 0 ? Double.NaN : summary.get("gpu_seconds." + part, 0) / all;
  }

  private static String names(List<Goal> goals) {
    List<String> names = goals.stream().map(Goal::name).toList();
    return names.size() < 2
        ? String.join("", names)
        : String.join(", ", names.subList(0, names.size() - 1))
            + " and "
            + names.get(names.size() - 1);
  }

  private static @Nullable String promise(Summary summary, RunFigures run) {
    double all = summary.get("requests_per_s", 0);
    if (summary.get("goodput_rps").isEmpty() || all == 0) {
      return null;
    }
    double share = summary.get("goodput_rps", 0) / all;
    return "What users get: "
        + HumanUnits.percent(share)
        + " of the completed requests keep both promises of the service level (SLO), a first token"
        + " within "
        + HumanUnits.millis(run.run().slo().ttftNanos() / 1e6)
        + " and "
        + HumanUnits.amount(run.run().slo().tokensPerSecond())
        + " output tokens per second after it.";
  }

  private static @Nullable String slowest(RunFigures run) {
    double[] parts = run.waterfall().slowest();
    double total = 0;
    int largest = 0;
    for (int i = 0; i < parts.length; i++) {
      total += parts[i];
      largest = parts[i] > parts[largest] ? i : largest;
    }
    if (!(total > 0)) {
      return null;
    }
    return "What limits the slowest: the slowest twentieth of the requests wait "
        + HumanUnits.millis(total)
        + " for their first token on average, "
        + HumanUnits.percent(parts[largest] / total)
        + " of it "
        + Waterfall.IN_WORDS.get(largest)
        + kinds(run.waterfall().slowestKind(), run.waterfall().allKind());
  }

  private static String kinds(Waterfall.Kind slow, Waterfall.Kind all) {
    String turns =
        all.firstTurns() == 1
            ? "they"
            : HumanUnits.percent(slow.firstTurns())
                + " of them are first turns of a session (of all requests "
                + HumanUnits.percent(all.firstTurns())
                + "), and they";
    return "; "
        + turns
        + " compute "
        + HumanUnits.amount(Math.round(slow.computedTokens()))
        + " input tokens each (all requests: "
        + HumanUnits.amount(Math.round(all.computedTokens()))
        + ").";
  }

  private static @Nullable String cache(Summary summary) {
    if (summary.get("hit_rate.tokens").isEmpty()) {
      return null;
    }
    double reused = summary.get("hit_rate.tokens", 0);
    double bound = summary.get("hit_rate.bound", 0);
    return "What the cache has left to give: "
        + HumanUnits.percent(reused)
        + " of the input is reused and no cache of any size could reuse more than "
        + HumanUnits.percent(bound)
        + ", so better placement or more memory can save at most "
        + HumanUnits.percent(Math.max(0, bound - reused))
        + " of the input.";
  }

  private static @Nullable String memory(Summary summary) {
    if (summary.get("headroom.used_fraction.p99").isEmpty()) {
      return null;
    }
    double used = summary.get("headroom.used_fraction.p99", 0);
    double preempted = summary.get("preemptions", 0);
    double evicted = summary.get("hit_rate.eviction_loss", 0);
    String verdict =
        used > FULL || preempted > 0
            ? "is a limit: "
            : evicted > EVICTED ? "limits what is reused: " : "is no limit: ";
    return "Memory "
        + verdict
        + HumanUnits.percent(used)
        + " of the KV blocks are in use at p99, "
        + (preempted == 0
            ? "no preemptions"
            : HumanUnits.count(preempted) + (preempted == 1 ? " preemption" : " preemptions"))
        + (summary.get("hit_rate.eviction_loss").isPresent()
            ? ", and eviction lost " + HumanUnits.percent(evicted) + " of the input"
            : "")
        + ".";
  }

  private static @Nullable String gpus(Summary summary) {
    double idle = gpuShare(summary, "idle");
    if (Double.isNaN(idle)) {
      return null;
    }
    return "GPUs "
        + (idle < BUSY ? "are a limit: " : "have room on average: ")
        + HumanUnits.percent(idle)
        + " of their time is idle, "
        + HumanUnits.percent(gpuShare(summary, "prefill"))
        + " goes into prefill and "
        + HumanUnits.percent(gpuShare(summary, "decode"))
        + " into decode.";
  }

  private String certainty() {
    String sure = "How sure this is: the load is this trace and no other; ";
    int seeds = everySeed.size() / runs.size();
    if (seeds == 1) {
      return sure
          + "one run of each variant. Where something is drawn by lot, several seeds tell whether"
          + " small differences are more than chance (run --seeds, then compare).";
    }
    boolean alike =
        everySeed.stream().map(run -> List.of(run.name(), run.summary())).distinct().count()
            == runs.size();
    return alike
        ? sure + "nothing in these runs is drawn by lot, all " + seeds + " seeds give the same."
        : sure
            + "sentences are of means over "
            + seeds
            + " seeds, pictures and tables show the first; orrery compare gives intervals.";
  }
}
