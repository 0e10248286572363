package io.orrery.reports.console;

import io.orrery.reports.RunReport;
import io.orrery.reports.summary.KnownInput;
import io.orrery.reports.summary.Summary;
import java.util.Comparator;
import java.util.List;

/**
 * What the runs show, in a sentence or two computed from their numbers: which variant gives the
 * first token soonest, against the one that takes longest, and what the ledger says about why.
 */
public final class LeadSentence {
  /** Differences below this share are not called differences. */
  private static final double ALIKE = 0.02;

  /** A cause is named when the ledger charges so much more of the input to it. */
  private static final double TELLING = 0.1;

  /** Refusals are mentioned when they are so large a share of the requests. */
  private static final double MANY = 0.01;

  private LeadSentence() {}

  /** The text, without a new line. */
  public static String of(List<RunReport> runs) {
    List<RunReport> answered =
        runs.stream().filter(run -> run.summary().get("ttft_ms.p95").isPresent()).toList();
    if (answered.isEmpty()) {
      return "No request got a token: " + fates(runs.get(0).summary()) + ".";
    }
    return finding(runs, answered) + (runs.size() == 1 ? "" : unknown(runs)) + refusals(runs);
  }

  private static String finding(List<RunReport> runs, List<RunReport> answered) {
    if (runs.size() == 1) {
      return single(runs.get(0).summary());
    }
    if (runs.stream().allMatch(run -> run.summary().equals(runs.get(0).summary()))) {
      return "The variants give identical results, digit for digit.";
    }
    Comparator<RunReport> byTtft = Comparator.comparingDouble(run -> ttft(run.summary()));
    RunReport best = answered.stream().min(byTtft).orElseThrow();
    RunReport worst = answered.stream().max(byTtft).orElseThrow();
    double low = ttft(best.summary());
    double high = ttft(worst.summary());
    if (high - low <= ALIKE * high) {
      return "The variants hardly differ in TTFT p95: "
          + HumanUnits.millis(low)
          + " to "
          + HumanUnits.millis(high)
          + ".";
    }
    return best.name()
        + " cuts TTFT p95 from "
        + HumanUnits.millis(high)
        + " to "
        + HumanUnits.millis(low)
        + " ("
        + HumanUnits.change(high, low)
        + ") against "
        + worst.name()
        + next(answered, best, worst)
        + cause(best, worst)
        + ".";
  }

  /** The best against the worst says little of whether the best is needed. */
  private static String next(List<RunReport> answered, RunReport best, RunReport worst) {
    return answered.stream()
        .filter(run -> !run.name().equals(best.name()) && !run.name().equals(worst.name()))
        .min(Comparator.comparingDouble(run -> ttft(run.summary())))
        .map(
            run ->
                " (next best: " + run.name() + ", " + HumanUnits.millis(ttft(run.summary())) + ")")
        .orElse("");
  }

  private static String single(Summary summary) {
    String text =
        "TTFT is "
            + HumanUnits.millis(summary.get("ttft_ms.p50", 0))
            + " at the median and "
            + HumanUnits.millis(ttft(summary))
            + " at p95";
    if (summary.get("hit_rate.tokens").isPresent()) {
      text += "; " + reuse(summary);
    }
    return text + ".";
  }

  private static String reuse(Summary summary) {
    String reused =
        HumanUnits.percent(summary.get("hit_rate.tokens", 0))
            + " of the input tokens came from the cache";
    if (KnownInput.isAll(summary)) {
      return reused
          + " (no cache could give more than "
          + HumanUnits.percent(summary.get("hit_rate.bound", 0))
          + ")";
    }
    return reused
        + ", but "
        + HumanUnits.percent(KnownInput.unidentifiedShare(summary))
        + " of the input has no identity and is never found; of the known input "
        + HumanUnits.percent(KnownInput.share(summary, "hit_rate.tokens").orElse(0))
        + " came from the cache (no cache could give more than "
        + HumanUnits.percent(KnownInput.share(summary, "hit_rate.bound").orElse(0))
        + " of it)";
  }

  /** No variant finds input without identity, so that differences between them are too small. */
  private static String unknown(List<RunReport> runs) {
    double most =
        runs.stream()
            .mapToDouble(run -> KnownInput.unidentifiedShare(run.summary()))
            .max()
            .orElseThrow();
    if (most == 0) {
      return "";
    }
    boolean alike =
        runs.stream().allMatch(run -> KnownInput.unidentifiedShare(run.summary()) == most);
    return (alike ? " " : " Up to ")
        + HumanUnits.percent(most)
        + " of the input has no identity: what caches would give for it is unknown, and no variant"
        + " finds it.";
  }

  private static String fates(Summary summary) {
    return HumanUnits.count(summary.get("requests.dispatched", 0))
        + " sent, "
        + HumanUnits.count(summary.get("requests.rejected", 0))
        + " rejected, "
        + HumanUnits.count(summary.get("requests.unfinished", 0))
        + " unfinished";
  }

  /** Latencies say little where many requests were never answered. */
  private static String refusals(List<RunReport> runs) {
    RunReport worst =
        runs.stream().max(Comparator.comparingDouble(LeadSentence::refusedShare)).orElseThrow();
    if (refusedShare(worst) < MANY) {
      return "";
    }
    boolean alike = runs.stream().allMatch(run -> refusedShare(run) == refusedShare(worst));
    return " "
        + HumanUnits.percent(refusedShare(worst))
        + " of the requests were refused"
        + (alike ? "" : " under " + worst.name())
        + (worst.rejections().size() == 1 ? ": " + worst.rejections().get(0).reason() : "")
        + ".";
  }

  private static double refusedShare(RunReport run) {
    double sent = run.summary().get("requests.dispatched", 0);
    return sent == 0 ? 0 : run.summary().get("requests.rejected", 0) / sent;
  }

  private static double ttft(Summary summary) {
    return summary.get("ttft_ms.p95", 0);
  }

  /** What the ledger charges to the slower run and not to the faster one. */
  private static String cause(RunReport best, RunReport worst) {
    double misplaced = share(worst, "misplaced") - share(best, "misplaced");
    double evicted =
        share(worst, "evicted")
            + share(worst, "queue_evicted")
            - share(best, "evicted")
            - share(best, "queue_evicted");
    if (misplaced >= TELLING && misplaced >= evicted) {
      return because(
          worst,
          best,
          share(worst, "misplaced"),
          share(best, "misplaced"),
          "because their blocks lay on another worker");
    }
    if (evicted >= TELLING) {
      return because(
          worst,
          best,
          share(worst, "evicted") + share(worst, "queue_evicted"),
          share(best, "evicted") + share(best, "queue_evicted"),
          "because their blocks had been evicted");
    }
    double slow = worst.summary().get("queue_wait_ms.p95", 0);
    double fast = best.summary().get("queue_wait_ms.p95", 0);
    if (slow - fast >= (ttft(worst.summary()) - ttft(best.summary())) / 2) {
      return ": requests waited "
          + HumanUnits.millis(slow)
          + " at p95 before their first step, not "
          + HumanUnits.millis(fast);
    }
    return "";
  }

  private static String because(
      RunReport worst, RunReport best, double high, double low, String why) {
    return ": under "
        + worst.name()
        + ", "
        + HumanUnits.percent(high)
        + " of the input tokens were computed again "
        + why
        + " ("
        + best.name()
        + ": "
        + HumanUnits.percent(low)
        + ")";
  }

  private static double share(RunReport run, String kind) {
    double input = run.summary().get("tokens.input", 0);
    return input == 0 ? 0 : run.summary().get("ledger_tokens." + kind, 0) / input;
  }
}
