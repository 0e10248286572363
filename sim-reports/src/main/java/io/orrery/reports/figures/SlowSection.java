package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.console.HumanUnits;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The requests that waited longest, one by one, and what their sessions went through. */
final class SlowSection {
  private static final List<String> HEADER =
      List.of(
          "request", "session", "turn", "TTFT", "worker", "input", "reused", "pause", "router",
          "host", "queue", "prefill", "state");

  /** The first of the columns that may be left out. */
  private static final int FIRST_TIME = HEADER.indexOf("pause");

  private final List<RunFigures> runs;
  private final RunFigures chosen;
  private final RecordedDecisions decisions;

  /**
   * @param chosen the one that is recommended
   */
  SlowSection(List<RunFigures> runs, RunFigures chosen, RecordedDecisions decisions) {
    this.runs = runs;
    this.chosen = chosen;
    this.decisions = decisions;
  }

  Section section() {
    List<Table> tables = new ArrayList<>();
    add(chosen, tables);
    runs.stream().filter(run -> run != chosen).forEach(run -> add(run, tables));
    Map<Integer, String> alike = alike(tables);
    List<Table> shown = tables.stream().map(table -> without(alike, table)).toList();
    return new Section("slow", "The slowest requests", lead() + said(alike), List.of(), shown);
  }

  private void add(RunFigures run, List<Table> tables) {
    List<Integer> rows = run.slow().rows();
    if (rows.isEmpty()) {
      return;
    }
    String name = SafeNames.id(run.name());
    String placed = "placed-" + name;
    List<List<String>> lines = new ArrayList<>();
    List<Table.Link> links = new ArrayList<>();
    List<Table.Link> toDecisions = new ArrayList<>();
    Map<String, Integer> lives = new LinkedHashMap<>();
    List<Table> explained = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      int row = rows.get(i);
      lines.add(line(run, row));
      String life = "life-" + name + "-" + run.run().session(row);
      lives.putIfAbsent(life, row);
      links.add(new Table.Link(i, 0, Table.rowId(placed, i)));
      links.add(new Table.Link(i, 1, life));
      Table decision = decisions.table(run, row, "decision-" + name + "-" + i);
      if (decision != null) {
        toDecisions.add(new Table.Link(i, 0, decision.id()));
        explained.add(decision);
      }
    }
    tables.add(new Table("slow-" + name, "Slowest, " + run.name(), false, HEADER, lines, links));
    tables.add(new SlowDecisions(run).table(placed, rows, toDecisions));
    tables.addAll(explained);
    lives.forEach((id, row) -> tables.add(life(run, row, id)));
  }

  /** The turns of a session around a slow one. */
  private static Table life(RunFigures run, int row, String id) {
    List<List<String>> turns = new ArrayList<>();
    run.slow().life(row).forEach(other -> turns.add(line(run, other)));
    return new Table(
        id,
        "Life of session " + session(run, row) + ", " + run.name(),
        true,
        HEADER,
        turns,
        List.of());
  }

  private String lead() {
    List<Integer> rows = chosen.slow().rows();
    if (rows.isEmpty()) {
      return "No request got a first token.";
    }
    return "The slowest first token"
        + (runs.size() == 1 ? "" : " under " + chosen.name())
        + " took "
        + HumanUnits.millis(ttft(chosen.run().columns(), rows.get(0)))
        + others()
        + ". Each request links to how it was placed, each session to all that it went through.";
  }

  private String others() {
    return runs.stream()
        .filter(run -> run != chosen && !run.slow().rows().isEmpty())
        .map(
            run ->
                run.name()
                    + " "
                    + HumanUnits.millis(ttft(run.run().columns(), run.slow().rows().get(0))))
        .collect(Collectors.collectingAndThen(Collectors.joining(", "), SlowSection::inBrackets));
  }

  private static String inBrackets(String text) {
    return text.isEmpty() ? "" : " (" + text + ")";
  }

  /** Columns of times and states that hold one value in all tables: they only push others aside. */
  private static Map<Integer, String> alike(List<Table> tables) {
    List<List<String>> rows =
        tables.stream()
            .filter(table -> table.header().equals(HEADER))
            .flatMap(table -> table.rows().stream())
            .toList();
    Map<Integer, String> alike = new LinkedHashMap<>();
    for (int column = FIRST_TIME; column < HEADER.size() && rows.size() > 1; column++) {
      int at = column;
      if (rows.stream().map(row -> row.get(at)).distinct().count() == 1) {
        alike.put(column, rows.get(0).get(column));
      }
    }
    return alike;
  }

  private static Table without(Map<Integer, String> alike, Table table) {
    if (alike.isEmpty() || !table.header().equals(HEADER)) {
      return table;
    }
    return new Table(
        table.id(),
        table.title(),
        table.folded(),
        without(alike, table.header()),
        table.rows().stream().map(row -> without(alike, row)).toList(),
        table.links());
  }

  private static List<String> without(Map<Integer, String> alike, List<String> cells) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      if (!alike.containsKey(i)) {
        kept.add(cells.get(i));
      }
    }
    return kept;
  }

  private static String said(Map<Integer, String> alike) {
    return alike.isEmpty()
        ? ""
        : alike.entrySet().stream()
            .map(entry -> HEADER.get(entry.getKey()) + " " + entry.getValue())
            .collect(Collectors.joining(", ", " The same for all that are listed: ", "."));
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
    cells.add(answered ? HumanUnits.millis(ttft(columns, row)) : "–");
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
    cells.add(columns.state(row).name().toLowerCase(Locale.ROOT));
    return cells;
  }

  private static String span(long from, long to) {
    return from < 0 || to < 0 ? "–" : HumanUnits.millis((to - from) / 1e6);
  }
}
