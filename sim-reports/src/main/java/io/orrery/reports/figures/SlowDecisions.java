package io.orrery.reports.figures;

import io.orrery.engine.record.LedgerClass;
import io.orrery.engine.record.RunColumns;
import io.orrery.reports.chart.Figures;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How slow requests were placed: what was decided, on what belief, and what came of it. */
final class SlowDecisions {
  private static final List<String> HEADER =
      List.of(
          "request",
          "worker",
          "requests ahead of it",
          "elsewhere, mean",
          "expected reuse",
          "found",
          "why the rest was computed",
          "held back by admission",
          "router's own choice");

  /** Parts of the input below one in so many are not worth words. */
  private static final int SMALL = 200;

  private static final Map<LedgerClass, String> WHY = why();

  private final RunFigures run;
  private final RunColumns columns;

  SlowDecisions(RunFigures run) {
    this.run = run;
    columns = run.run().columns();
  }

  private static Map<LedgerClass, String> why() {
    Map<LedgerClass, String> words = new EnumMap<>(LedgerClass.class);
    words.put(LedgerClass.TAIL, "last block");
    words.put(LedgerClass.UNIDENTIFIED, "not named by the trace");
    words.put(LedgerClass.IN_FLIGHT, "being computed");
    words.put(LedgerClass.REWRITTEN, "rewritten by the session");
    words.put(LedgerClass.NEW, "new");
    words.put(LedgerClass.UNFETCHED, "in a slower tier, not loaded");
    words.put(LedgerClass.UNALIGNED, "no place to resume");
    words.put(LedgerClass.ORPHANED, "behind a gap");
    words.put(LedgerClass.QUEUE_EVICTED, "evicted while it queued");
    words.put(LedgerClass.MISPLACED_CHOSEN, "on another worker, as the router knew");
    words.put(LedgerClass.MISPLACED_BLIND, "on another worker, unknown to the router");
    words.put(LedgerClass.MISPLACED_POOL_BOUND, "on a worker that cannot prefill");
    words.put(LedgerClass.LOST, "lost with a worker");
    words.put(LedgerClass.EVICTED, "evicted");
    words.put(LedgerClass.EXPIRED, "expired");
    words.put(LedgerClass.UNREACHABLE, "unreachable");
    return words;
  }

  /**
   * A table with a line for each request.
   *
   * @param links from requests to their decisions, where these were recorded
   */
  Table table(String id, List<Integer> rows, List<Table.Link> links) {
    List<List<String>> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(line(row)));
    return new Table(id, "How these were placed, " + run.name(), false, HEADER, lines, links);
  }

  private List<String> line(int row) {
    Trace trace = run.run().trace();
    int worker = columns.worker(row);
    long[] ahead = worker < 0 ? new long[1] : inFlight(columns.placedNanos(row), row);
    long others = 0;
    for (int i = 0; i < ahead.length; i++) {
      others += i == worker ? 0 : ahead[i];
    }
    int reason = columns.holdReason(row);
    boolean overruled = columns.routerChoice(row) >= 0 && columns.routerChoice(row) != worker;
    return List.of(
        trace.requestId(columns.request(row)),
        worker < 0 ? Figures.UNKNOWN : Integer.toString(worker),
        worker < 0 ? Figures.UNKNOWN : HumanUnits.count(ahead[worker]),
        ahead.length < 2
            ? Figures.UNKNOWN
            : HumanUnits.amount((double) others / (ahead.length - 1)),
        columns.believedTokens(row) < 0
            ? "not asked"
            : HumanUnits.count(columns.believedTokens(row)),
        run.run().admitted(row) && run.run().hasIdentities()
            ? HumanUnits.count(run.run().hitTokens(row))
            : Figures.UNKNOWN,
        computed(row),
        reason < 0 ? "no" : run.run().result().admission().reason(reason),
        overruled ? Integer.toString(columns.routerChoice(row)) : "the same");
  }

  /** Requests on every worker at a moment, without one. */
  private long[] inFlight(long now, int but) {
    long[] counts = new long[run.run().result().workers().size()];
    for (int row = 0; row < columns.rows(); row++) {
      if (row != but && columns.dispatched(row) && columns.worker(row) >= 0) {
        boolean placed = columns.placedNanos(row) <= now;
        boolean over = columns.state(row).isTerminal() && columns.endNanos(row) <= now;
        counts[columns.worker(row)] += placed && !over ? 1 : 0;
      }
    }
    return counts;
  }

  /** The largest classes of the input that was not reused. */
  private String computed(int row) {
    if (!run.run().admitted(row)) {
      return Figures.UNKNOWN;
    }
    int least = run.run().inputTokens(row) / SMALL;
    String text =
        WHY.keySet().stream()
            .filter(kind -> columns.ledger(kind, row) > least)
            .sorted(
                Comparator.comparingInt((LedgerClass kind) -> columns.ledger(kind, row)).reversed())
            .limit(3)
            .map(kind -> HumanUnits.count(columns.ledger(kind, row)) + " " + WHY.get(kind))
            .collect(Collectors.joining("; "));
    return text.isEmpty() ? "nothing" : text;
  }
}
