package io.orrery.reports.figures;

import io.orrery.engine.record.WorkerStats;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.summary.Drain;
import io.orrery.reports.summary.KnownInput;
import io.orrery.reports.summary.Summary;
import io.orrery.reports.summary.WorkerContexts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What users get from a variant, and what would have to change for it to do better. */
final class Limits {
  /** Above this share of blocks in use memory is what limits. */
  private static final double FULL = 0.95;

  /** Above this share of what is still computed, eviction costs enough to be a limit. */
  private static final double EVICTED = 0.1;

  /** GPUs that are idle for less than this share of the time have no room. */
  private static final double BUSY = 0.1;

  private final Summary summary;
  private final RunFigures run;

  Limits(Summary summary, RunFigures run) {
    this.summary = summary;
    this.run = run;
  }

  /** The sentences. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    Stream.of(service(), slowest(), cache(), memory(), gpus())
        .filter(text -> text != null)
        .forEach(sentences::add);
    return sentences;
  }

  private @Nullable String service() {
    GoodputByLoad.Outcomes outcomes = run.goodput().outcomes();
    if (outcomes.all() == 0) {
      return null;
    }
    double kept = outcomes.keptShare();
    boolean holds = kept >= Goal.KEPT;
    return (holds ? "The service level (SLO) holds: " : "The service level (SLO) does not hold: ")
        + HumanUnits.percent(kept)
        + " of the completed requests keep both of its targets, a first token within "
        + HumanUnits.millis(run.run().slo().ttftNanos() / 1e6)
        + " and "
        + HumanUnits.amount(run.run().slo().tokensPerSecond())
        + " output tokens per second after it; "
        + HumanUnits.percent(Goal.KEPT)
        + " is what targets at p95 ask."
        + misses(outcomes);
  }

  /** Which of the targets is missed, in a sentence; empty if none is. */
  static String misses(GoodputByLoad.Outcomes outcomes) {
    long missed = outcomes.all() - outcomes.kept();
    if (missed == 0) {
      return "";
    }
    return " Of the "
        + HumanUnits.count(missed)
        + " that do not, "
        + HumanUnits.percent((double) outcomes.late() / missed)
        + " miss the first token alone, "
        + HumanUnits.percent((double) outcomes.slow() / missed)
        + " the speed alone and "
        + HumanUnits.percent((double) outcomes.both() / missed)
        + " both.";
  }

  private @Nullable String slowest() {
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
        + kinds(run.waterfall().slowestKind(), run.waterfall().allKind())
        + burst(run.waterfall().slowestKind());
  }

  /** How many of the slowest are those that came all at once; empty if no more than workers did. */
  private String burst(Waterfall.Kind slow) {
    int sessions = run.waterfall().sessionsAtStart();
    return sessions <= run.run().result().workers().size()
        ? ""
        : " Of these "
            + HumanUnits.count(slow.count(), "request")
            + ", "
            + HumanUnits.count(slow.atStart())
            + (slow.atStart() == 1 ? " is a first turn" : " are first turns")
            + " of the burst at the start: "
            + HumanUnits.count(sessions)
            + " sessions begin at 0.";
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

  private @Nullable String cache() {
    if (summary.get("hit_rate.tokens").isEmpty()) {
      return null;
    }
    boolean all = KnownInput.isAll(summary);
    String input = all ? "input" : "known input";
    double reused = ofKnown("hit_rate.tokens");
    double bound = ofKnown("hit_rate.bound");
    double left = Math.max(0, bound - reused);
    return "What the cache has left to give: "
        + (all
            ? ""
            : "of "
                + HumanUnits.percent(KnownInput.unidentifiedShare(summary))
                + " of the input, which has no identity, nobody knows; ")
        + HumanUnits.percent(reused)
        + " of the "
        + input
        + " is reused and no cache of any size could reuse more than "
        + HumanUnits.percent(bound)
        + ", so better placement, a better order of eviction and more memory together can save at most "
        + HumanUnits.percent(left)
        + " of the "
        + input
        + (reused < 1
            ? ", which is "
                + HumanUnits.percent(left / (1 - reused))
                + " of what is still computed"
                + (all ? "." : " of it.")
            : ".");
  }

  /** A share of all input as one of the input whose identity is known. */
  private double ofKnown(String key) {
    return KnownInput.share(summary, key).orElse(summary.get(key, 0));
  }

  private @Nullable String memory() {
    if (summary.get("headroom.used_fraction.p99").isEmpty()) {
      return null;
    }
    double used = summary.get("headroom.used_fraction.p99", 0);
    double preempted = summary.get("preemptions", 0);
    double evicted = evictedOfComputed(summary);
    String verdict =
        used > FULL || preempted > 0
            ? "is a limit: "
            : evicted > EVICTED ? "limits what is reused: " : "is no limit: ";
    String requests =
        "running requests use no more than "
            + HumanUnits.percent(used)
            + " of a worker's KV blocks at p99, with "
            + (preempted == 0
                ? "no preemptions"
                : HumanUnits.count(preempted) + (preempted == 1 ? " preemption" : " preemptions"));
    if (summary.get("hit_rate.tokens").isEmpty()) {
      return "Memory " + verdict + requests + ".";
    }
    String cached =
        HumanUnits.percent(evicted)
            + " of the input that is still computed had been computed before and was evicted";
    return "Memory "
        + verdict
        + (evicted > EVICTED
            ? cached + contexts() + ", though " + requests
            : requests + ", and " + cached)
        + ".";
  }

  /** Evicted input tokens as a share of those that were computed. */
  static double evictedOfComputed(Summary summary) {
    double computed = summary.get("tokens.input", 0) * (1 - summary.get("hit_rate.tokens", 0));
    double evicted =
        summary.get("ledger_tokens.evicted", 0) + summary.get("ledger_tokens.queue_evicted", 0);
    return computed > 0 ? evicted / computed : 0;
  }

  /** Whether what sessions need outgrew a worker's cache; empty if it did not. */
  private String contexts() {
    WorkerContexts contexts = run.run().timeline().byWorker();
    if (contexts == null) {
      return "";
    }
    List<WorkerStats> workers = run.run().result().workers();
    int fullest = 0;
    long over = 0;
    for (int i = 0; i < workers.size(); i++) {
      fullest = filling(contexts, workers, i) > filling(contexts, workers, fullest) ? i : fullest;
      over += filling(contexts, workers, i) > 1 ? 1 : 0;
    }
    return over == 0
        ? ""
        : " (on "
            + over
            + " of "
            + HumanUnits.count(workers.size(), "worker")
            + " the live sessions outgrow the cache at times and need up to "
            + HumanUnits.percent(filling(contexts, workers, fullest))
            + " of it)";
  }

  private static double filling(WorkerContexts contexts, List<WorkerStats> workers, int worker) {
    return (double) contexts.peakBlocks(worker) / workers.get(worker).usableBlocks();
  }

  private @Nullable String gpus() {
    double idle = Reasons.gpuShare(summary, "idle");
    if (Double.isNaN(idle)) {
      return null;
    }
    Drain drain = Drain.of(run.run().trace(), run.run().result());
    boolean drained = drain.isWorthSaying() && drain.beginNanos() > 0;
    Occupation loaded =
        Occupation.of(run.run(), drained ? drain.beginNanos() : run.run().result().endNanos());
    String text =
        (drained ? loaded.without() : idle) < BUSY
            ? (drained
                ? "GPUs are seldom idle until the last sessions begin: "
                : "GPUs are seldom idle: ")
            : (drained
                ? "GPUs have room until the last sessions begin: "
                : "GPUs have room on average: ");
    if (drained) {
      text +=
          "the last session began "
              + HumanUnits.seconds(drain.beginNanos() / 1e9)
              + " into the run, and until then they had no request to run for "
              + HumanUnits.percent(loaded.without())
              + " of the time"
              + atOnce(loaded)
              + "; over the whole run, the "
              + HumanUnits.seconds(drain.nanos() / 1e9)
              + " in which the last sessions end included, ";
    }
    return text
        + HumanUnits.percent(idle)
        + " of their time is idle, "
        + HumanUnits.percent(Reasons.gpuShare(summary, "prefill"))
        + " goes into prefill and "
        + HumanUnits.percent(Reasons.gpuShare(summary, "decode"))
        + " into decode"
        + (drained ? "." : atOnce(loaded) + ".");
  }

  /** Steps of few requests may take more: being busy is not being full. */
  private static String atOnce(Occupation loaded) {
    return Double.isNaN(loaded.atOnce())
        ? ""
        : ", and a worker with any ran " + HumanUnits.amount(loaded.atOnce()) + " at once";
  }
}
