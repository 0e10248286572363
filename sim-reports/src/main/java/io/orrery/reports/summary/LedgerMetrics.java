package io.orrery.reports.summary;

import static io.orrery.reports.summary.Metric.Better.HIGHER;
import static io.orrery.reports.summary.Metric.Better.LOWER;
import static io.orrery.reports.summary.Metric.Better.NEITHER;

import io.orrery.engine.record.LedgerClass;
import java.util.ArrayList;
import java.util.List;

/** Where every input token came from, or why it had to be computed: the prefill tax. */
final class LedgerMetrics implements MetricGroup {
  /**
   * A class of the ledger; together they sum to the input tokens.
   *
   * @param always whether it stands in the summary even if no token fell into it; the others belong
   *     to features that most runs do not use
   */
  private record Line(Metric metric, boolean always, LedgerClass... kinds) {}

  private static final List<Line> LINES =
      List.of(
          line(
              "hit_device",
              HIGHER,
              true,
              "reused from the worker's KV cache",
              LedgerClass.HIT_DEVICE),
          line("hit_host", HIGHER, false, "reused from host memory", LedgerClass.HIT_HOST),
          line("hit_disk", HIGHER, false, "reused from disk", LedgerClass.HIT_DISK),
          line("hit_shared", HIGHER, false, "reused from a shared store", LedgerClass.HIT_SHARED),
          line(
              "tail",
              NEITHER,
              true,
              "in the last block of a prompt, which is partial or computed again by rule",
              LedgerClass.TAIL),
          line(
              "unidentified",
              NEITHER,
              true,
              "whose block the trace does not name",
              LedgerClass.UNIDENTIFIED),
          line(
              "in_flight",
              NEITHER,
              true,
              "that were being computed somewhere and were not done when the request was placed",
              LedgerClass.IN_FLIGHT),
          line(
              "rewritten",
              NEITHER,
              true,
              "that were new because the session had changed its earlier context: the agent's tax",
              LedgerClass.REWRITTEN),
          line("new", NEITHER, true, "that nobody had computed before", LedgerClass.NEW),
          line(
              "unfetched",
              LOWER,
              false,
              "that a slower tier held and did not deliver",
              LedgerClass.UNFETCHED),
          line(
              "unaligned",
              LOWER,
              false,
              "that the worker held, but where the engine cannot resume",
              LedgerClass.UNALIGNED),
          line("orphaned", LOWER, false, "that the worker held behind a gap", LedgerClass.ORPHANED),
          line(
              "queue_evicted",
              LOWER,
              true,
              "that the worker held when the request was placed and had evicted when it was scheduled",
              LedgerClass.QUEUE_EVICTED),
          line(
              "misplaced",
              LOWER,
              true,
              "that another worker held, and not the one chosen",
              LedgerClass.MISPLACED_CHOSEN,
              LedgerClass.MISPLACED_BLIND,
              LedgerClass.MISPLACED_POOL_BOUND),
          line("lost", LOWER, false, "whose last copy was lost with a worker", LedgerClass.LOST),
          line(
              "evicted", LOWER, true, "whose last copy was evicted for space", LedgerClass.EVICTED),
          line("expired", LOWER, false, "whose last copy expired", LedgerClass.EXPIRED),
          line(
              "unreachable",
              LOWER,
              true,
              "that no other class explains; 0 unless tiers or faults are in play",
              LedgerClass.UNREACHABLE));

  private static final List<Line> MISPLACED =
      List.of(
          split("chosen", "the router knew of the holder", LedgerClass.MISPLACED_CHOSEN),
          split("blind", "the router's index did not know", LedgerClass.MISPLACED_BLIND),
          split("pool_bound", "the holder cannot prefill", LedgerClass.MISPLACED_POOL_BOUND));

  private static Line line(
      String key, Metric.Better better, boolean always, String which, LedgerClass... kinds) {
    return new Line(
        Metric.count("ledger_tokens." + key, better, "Input tokens " + which + "."), always, kinds);
  }

  private static Line split(String key, String why, LedgerClass kind) {
    return new Line(
        Metric.count(
            "misplaced_tokens." + key,
            LOWER,
            "Of the misplaced input tokens, those where " + why + "."),
        kind != LedgerClass.MISPLACED_POOL_BOUND,
        kind);
  }

  @Override
  public String title() {
    return "Ledger (prefill tax)";
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    LINES.forEach(line -> metrics.add(line.metric()));
    MISPLACED.forEach(line -> metrics.add(line.metric()));
    return metrics;
  }

  @Override
  public Measure measure(RunFacts run) {
    return out -> {
      long[] tokens = new long[LedgerClass.values().length];
      for (LedgerClass kind : LedgerClass.values()) {
        tokens[kind.ordinal()] = run.columns().ledgerTokens(kind);
      }
      LINES.forEach(line -> put(line, tokens, out));
      MISPLACED.forEach(line -> put(line, tokens, out));
    };
  }

  private static void put(Line line, long[] tokens, Summary.Builder out) {
    long sum = 0;
    for (LedgerClass kind : line.kinds()) {
      sum += tokens[kind.ordinal()];
    }
    if (line.always() || sum > 0) {
      out.put(line.metric(), sum);
    }
  }
}
