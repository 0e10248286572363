package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the numbers, a sentence or two each: which variant to choose, what users get
 * from it, and what would have to change for it to do better.
 */
final class Conclusions {
  /** Goals that a choice is made by, the ones that users feel first. */
  private static final List<Goal> GOALS =
      List.of(
          new Goal("TTFT p95", "ttft_ms.p95", false, HumanUnits::millis),
          new Goal("requests/s within SLO", "goodput_rps", true, HumanUnits::amount),
          new Goal("session time", "session_completion_s.mean", false, HumanUnits::seconds),
          new Goal(
              "output tokens/s per GPU", "output_tokens_per_s_per_gpu", true, HumanUnits::amount));

  /** Of two variants, one that refuses so much more of the requests is not chosen. */
  private static final double REFUSED = 0.01;

  /** Above this share of blocks in use, or of input lost by eviction, memory is what limits. */
  private static final double FULL = 0.95;

  private static final double EVICTED = 0.05;

  /** GPUs that are idle for less than this share of the time have no room. */
  private static final double BUSY = 0.1;

  /** A number that one wants low or high. */
  private record Goal(String name, String key, boolean high, DoubleFunction<String> format) {
    double value(RunReport run) {
      double none = high ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      return run.summary().get(key, none);
    }

    String text(RunReport run) {
      return run.summary().get(key).isPresent() ? format.apply(value(run)) : "none";
    }

    boolean isBest(RunReport run, List<RunReport> among) {
      return among.stream()
          .allMatch(
              other ->
                  text(other).equals(text(run))
                      || (high ? value(other) < value(run) : value(other) > value(run)));
    }
  }

  private final List<RunFigures> figures;
  private final List<RunReport> runs;
  private final int seeds;

  private Conclusions(List<RunFigures> figures, List<RunReport> runs, int seeds) {
    this.figures = figures;
    this.runs = runs;
    this.seeds = seeds;
  }

  /**
   * The sentences.
   *
   * @param figures what was looked at in each variant's first run
   * @param runs each variant's numbers, means over seeds, in the same order
   */
  static List<String> of(List<RunFigures> figures, List<RunReport> runs, int seeds) {
    return new Conclusions(figures, runs, seeds).sentences();
  }

  private List<String> sentences() {
    List<RunReport> able = able();
    if (able.isEmpty()) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    RunReport chosen = able.get(0);
    if (runs.size() > 1) {
      boolean differ =
          GOALS.stream().anyMatch(goal -> able.stream().map(goal::text).distinct().count() > 1);
      if (!differ) {
        sentences.add(
            "No choice: the variants are alike in "
                + names(GOALS)
                + ". What follows is of "
                + chosen.name()
                + ".");
      } else {
        chosen = able.stream().max(Comparator.comparingLong(run -> wins(run, able))).orElseThrow();
        sentences.add(choice(chosen, able));
      }
    }
    int at = runs.indexOf(chosen);
    add(sentences, promise(chosen.summary(), figures.get(at)));
    add(sentences, slowest(figures.get(at)));
    add(sentences, cache(chosen.summary()));
    add(sentences, memory(chosen.summary()));
    add(sentences, gpus(chosen.summary()));
    if (runs.size() > 1 || seeds > 1) {
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
    return GOALS.stream().filter(goal -> goal.isBest(run, among)).count();
  }

  private String choice(RunReport chosen, List<RunReport> able) {
    List<Goal> won = GOALS.stream().filter(goal -> goal.isBest(chosen, able)).toList();
    String text =
        "Choose "
            + chosen.name()
            + ": of the "
            + runs.size()
            + " variants it is best in "
            + names(won)
            + ".";
    for (Goal goal : GOALS) {
      if (!won.contains(goal)) {
        RunReport better =
            able.stream().filter(run -> goal.isBest(run, able)).findFirst().orElse(chosen);
        text +=
            " "
                + goal.name().substring(0, 1).toUpperCase(Locale.ROOT)
                + goal.name().substring(1)
                + " is better under "
                + better.name()
                + " ("
                + goal.text(better)
                + ", not "
                + goal.text(chosen)
                + ").";
      }
    }
    List<String> refusing =
        runs.stream().filter(run -> !able.contains(run)).map(RunReport::name).toList();
    return refusing.isEmpty()
        ? text
        : text
            + " Left out, since more of their requests were refused or none was answered: "
            + String.join(", ", refusing)
            + ".";
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
    Waterfall.Kind slow = run.waterfall().slowestKind();
    Waterfall.Kind all = run.waterfall().allKind();
    return "What limits the slowest: the slowest twentieth of the requests wait "
        + HumanUnits.millis(total)
        + " for their first token on average, "
        + HumanUnits.percent(parts[largest] / total)
        + " of it "
        + Waterfall.IN_WORDS.get(largest)
        + "; "
        + HumanUnits.percent(slow.firstTurns())
        + " of them are first turns of a session (of all requests "
        + HumanUnits.percent(all.firstTurns())
        + "), and they compute "
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
    boolean limits = used > FULL || preempted > 0 || evicted > EVICTED;
    return "Memory "
        + (limits ? "is a limit: " : "is no limit: ")
        + HumanUnits.percent(used)
        + " of the KV blocks are in use at p99, "
        + (preempted == 0
            ? "no request was preempted"
            : HumanUnits.count(preempted) + " times a request was preempted")
        + (summary.get("hit_rate.eviction_loss").isPresent()
            ? ", and eviction lost " + HumanUnits.percent(evicted) + " of the input"
            : "")
        + ".";
  }

  private static @Nullable String gpus(Summary summary) {
    double prefill = summary.get("gpu_seconds.prefill", 0);
    double decode = summary.get("gpu_seconds.decode", 0);
    double idle = summary.get("gpu_seconds.idle", 0);
    double all = prefill + decode + idle;
    if (!(all > 0)) {
      return null;
    }
    return "GPUs "
        + (idle / all < BUSY ? "are a limit: " : "have room on average: ")
        + HumanUnits.percent(idle / all)
        + " of their time is idle, "
        + HumanUnits.percent(prefill / all)
        + " goes into prefill and "
        + HumanUnits.percent(decode / all)
        + " into decode.";
  }

  private String certainty() {
    return seeds > 1
        ? "How sure this is: sentences are of means over "
            + seeds
            + " seeds, pictures and tables show the first; orrery compare gives intervals."
        : "How sure this is: one run of each variant. Whether small differences are more than"
            + " chance, several seeds tell (run --seeds, then compare).";
  }
}
