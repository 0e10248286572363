package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The requests that waited longest, one by one, and what their sessions went through. */
final class SlowSection {
  private static final List<String> HEADER =
      List.of(
          "request", "session", "turn", "worker", "input", "reused", "pause", "router", "host",
          "queue", "prefill", "TTFT", "state");

  private final List<RunFigures> runs;

  SlowSection(List<RunFigures> runs) {
    this.runs = runs;
  }

  Section section() {
    List<Table> tables = new ArrayList<>();
    for (RunFigures run : runs) {
      List<Integer> rows = run.slow().rows();
      if (rows.isEmpty()) {
        continue;
      }
      String name = SafeNames.id(run.name());
      List<List<String>> lines = new ArrayList<>();
      Map<Integer, Integer> lives = new LinkedHashMap<>();
      for (int row : rows) {
        lines.add(line(run, row));
        lives.putIfAbsent(run.run().session(row), row);
      }
      tables.add(new Table("slow-" + name, "Slowest, " + run.name(), HEADER, lines));
      for (int row : lives.values()) {
        List<List<String>> turns = new ArrayList<>();
        run.slow().life(row).forEach(other -> turns.add(line(run, other)));
        tables.add(
            new Table(
                "life-" + name + "-" + run.run().session(row),
                "Life of session " + session(run, row) + ", " + run.name(),
                HEADER,
                turns));
      }
    }
    return new Section("slow", "The slowest requests", lead(), List.of(), tables);
  }

  private String lead() {
    RunFigures first = runs.get(0);
    List<Integer> rows = first.slow().rows();
    if (rows.isEmpty()) {
      return "No request got a first token.";
    }
    return "The slowest first token"
        + (runs.size() == 1 ? "" : " under " + first.name())
        + " took "
        + HumanUnits.millis(ttft(first.run().columns(), rows.get(0)))
        + ". Each request is followed by the life of its session, turn by turn.";
  }

  private static double ttft(RunColumns columns, int row) {
    return (columns.firstTokenNanos(row) - columns.arrivalNanos(row)) / 1e6;
  }

  private static String session(RunFigures run, int row) {
    Trace trace = run.run().trace();
    return trace.sessionId(trace.session(run.run().columns().request(row)));
  }

  private static List<String> line(RunFigures run, int row) {
    RunColumns columns = run.run().columns();
    Trace trace = run.run().trace();
    int request = columns.request(row);
    boolean admitted = run.run().admitted(row);
    boolean answered = columns.firstTokenNanos(row) != RunColumns.NO_TIME;
    List<String> cells = new ArrayList<>();
    cells.add(trace.requestId(request));
    cells.add(session(run, row));
    cells.add(Integer.toString(trace.turn(request) + 1));
    cells.add(columns.worker(row) < 0 ? "–" : Integer.toString(columns.worker(row)));
    cells.add(HumanUnits.count(trace.inputTokens(request)));
    cells.add(
        admitted && run.run().hasIdentities()
            ? HumanUnits.percent(
                (double) run.run().hitTokens(row) / Math.max(1, trace.inputTokens(request)))
            : "–");
    cells.add(span(columns.arrivalNanos(row), columns.admittedNanos(row)));
    cells.add(span(columns.admittedNanos(row), columns.placedNanos(row)));
    cells.add(span(columns.placedNanos(row), columns.queuedNanos(row)));
    cells.add(span(columns.queuedNanos(row), columns.scheduledNanos(row)));
    cells.add(span(columns.scheduledNanos(row), columns.firstTokenNanos(row)));
    cells.add(answered ? HumanUnits.millis(ttft(columns, row)) : "–");
    cells.add(columns.state(row).name().toLowerCase(Locale.ROOT));
    return cells;
  }

  private static String span(long from, long to) {
    return from < 0 || to < 0 ? "–" : HumanUnits.millis((to - from) / 1e6);
  }
}
