package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;
import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RealisedBound;
import io.orrery.engine.record.Samples;
import io.orrery.traces.Trace;
import java.util.List;

/** How much of the input was reused, and how much could have been. */
final class HitRateMetrics implements MetricGroup {
  private static final double SHARE = 1e9;

  private static final Metric TOKENS =
      Metric.number(
          "hit_rate.tokens",
          HIGHER,
          "Input tokens that were reused, as a share of all input tokens.");
  private static final Metric BOUND =
      Metric.number(
          "hit_rate.bound",
          NEITHER,
          "No cache of any size, in any order of these requests, has a higher hit_rate.tokens: all"
              + " but tails, tokens without identity and blocks that must be computed once.");
  private static final Metric UNIDENTIFIED =
      Metric.number(
          "hit_rate.unidentified_share",
          NEITHER,
          "Share of all input tokens that are in whole blocks without identity, or behind them, and so"
              + " are never found in a run, whatever a cache would give: the hit rates and bounds hold"
              + " of the others only. A prompt shorter than a block has nothing to look up and is not"
              + " meant; where no other input has an identity, there are no hit rates. It stands here"
              + " only where it is not 0.");
  private static final Metric REALISED_BOUND =
      Metric.number(
          "hit_rate.realised_bound",
          NEITHER,
          "No cache has a higher hit_rate.tokens on this run's look-ups in the order in which they were"
              + " made, were it as large as all workers' together and did it know the future; absent"
              + " where hit_rate.look_up_limit stands.");
  private static final Metric PLACEMENT_LOSS =
      Metric.number(
          "hit_rate.placement_loss",
          LOWER,
          "Of hit_rate.realised_bound, what is lost because each worker finds only what came into being"
              + " on itself: the pooled bound less the sum of the workers' own bounds, as a share of"
              + " all input tokens.");
  private static final Metric EVICTION_LOSS =
      Metric.number(
          "hit_rate.eviction_loss",
          LOWER,
          "Of hit_rate.realised_bound, what is lost because the workers' caches do not know the future:"
              + " the sum of the workers' own bounds less what was found.");
  private static final Metric LOOK_UP_LIMIT =
      Metric.count(
          "hit_rate.look_up_limit",
          NEITHER,
          "Runs of blocks that the log of look-ups holds at most. It stands here only where a run has"
              + " more, so that hit_rate.realised_bound and the losses below it are not known.");
  private static final Metric SESSION =
      Metric.quantiles(
          "hit_rate.session",
          HIGHER,
          "Reused share of a session's known input tokens, session by session: without those of"
              + " hit_rate.unidentified_share, and without sessions of which nothing is known.");
  private static final Metric RESENT =
      Metric.quantiles(
          "resent_tokens_per_turn",
          NEITHER,
          "Input tokens of a turn after the first that were in the turn before, prompt or output, in"
              + " whole blocks; of turns where all whole blocks of both prompts have an identity.");

  @Override
  public String title() {
    return "Hit rate";
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        TOKENS,
        BOUND,
        UNIDENTIFIED,
        REALISED_BOUND,
        PLACEMENT_LOSS,
        EVICTION_LOSS,
        LOOK_UP_LIMIT,
        SESSION,
        RESENT);
  }

  @Override
  public Measure measure(RunFacts run) {
    return run.hasIdentities() ? new Hits(run) : out -> {};
  }

  private static final class Hits implements Measure {
    private final RunFacts run;
    private final KnownTokens known = new KnownTokens();
    private final Samples resent = new Samples();
    private long input;
    private long fixed;

    Hits(RunFacts run) {
      this.run = run;
    }

    @Override
    public void row(RequestRow row) {
      Trace trace = run.trace();
      if (row.inStep()) {
        known.add(trace, row.request(), row.inputTokens(), row.hitTokens());
        input += row.inputTokens();
        fixed += row.ledger(LedgerClass.TAIL) + row.ledger(LedgerClass.UNIDENTIFIED);
      }
      if (row.turn() > 0
          && trace.unidentifiedTokens(row.request()) == 0
          && trace.unidentifiedTokens(turnBefore(trace, row.request())) == 0) {
        resent.add(run.resentTokens(row.request()), 1);
      }
    }

    private static int turnBefore(Trace trace, int request) {
      return trace.request(trace.session(request), trace.turn(request) - 1);
    }

    @Override
    public void finish(Summary.Builder out) {
      if (known.unidentified() > 0) {
        out.put(UNIDENTIFIED, (double) known.unidentified() / input);
      }
      if (known.isAny()) {
        putRates(out);
        out.put(SESSION, sessionRates(run.sessions()), SHARE);
        out.put(RESENT, resent, 1);
      }
    }

    private void putRates(Summary.Builder out) {
      long hits = known.hits();
      long once = run.result().prefilledOnly() * run.result().blockSize();
      out.put(TOKENS, (double) hits / input);
      out.put(BOUND, (double) (input - fixed - once) / input);
      if (run.result().lookUps().complete()) {
        RealisedBound bound = run.realisedBound();
        out.put(REALISED_BOUND, (double) bound.pooledTokens() / input);
        out.put(PLACEMENT_LOSS, (double) (bound.pooledTokens() - bound.workerTokens()) / input);
        out.put(EVICTION_LOSS, (double) (bound.workerTokens() - hits) / input);
      } else {
        out.put(LOOK_UP_LIMIT, run.result().lookUps().mostRuns());
      }
    }
  }

  private static Samples sessionRates(SessionFacts sessions) {
    Samples rates = new Samples();
    for (int session = 0; session < sessions.count(); session++) {
      addRate(sessions, session, rates);
    }
    return rates;
  }

  private static void addRate(SessionFacts sessions, int session, Samples rates) {
    double rate = sessions.hitRate(session);
    if (!Double.isNaN(rate)) {
      rates.add(Math.round(SHARE * rate), 1);
    }
  }
}
