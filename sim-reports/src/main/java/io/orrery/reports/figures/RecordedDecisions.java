package io.orrery.reports.figures;

import io.orrery.engine.record.RunColumns;
import io.orrery.reports.decisions.DecisionExplanation;
import io.orrery.reports.decisions.DecisionRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decisions of the router that were recorded, as far as a report tells of them. */
public final class RecordedDecisions {
  private final Map<String, Map<String, DecisionRow>> byRun = new HashMap<>();

  /** The requests of a run, by id, whose decisions a report would tell. */
  public static Set<String> wanted(RunFigures run) {
    Set<String> ids = new HashSet<>();
    for (int row : run.slow().rows()) {
      ids.add(run.run().trace().requestId(run.run().columns().request(row)));
    }
    return ids;
  }

  /** Adds a decision of a run. */
  public void add(String run, DecisionRow row) {
    byRun.computeIfAbsent(run, name -> new HashMap<>()).put(key(row.request(), row.copy()), row);
  }

  private static String key(String request, int copy) {
    return copy + " " + request;
  }

  /** The decision about a row of a run; null if none was recorded. */
  @Nullable Table table(RunFigures run, int row, String id) {
    RunColumns columns = run.run().columns();
    DecisionRow decision =
        byRun
            .getOrDefault(run.name(), Map.of())
            .get(key(run.run().trace().requestId(columns.request(row)), columns.copy(row)));
    if (decision == null) {
      return null;
    }
    DecisionExplanation explanation = DecisionExplanation.of(decision);
    List<List<String>> cells = explanation.cells();
    return new Table(
        id,
        "Decision about request "
            + decision.request()
            + ", "
            + run.name()
            + ": "
            + explanation.sentences(),
        true,
        cells.get(0),
        cells.subList(1, cells.size()),
        List.of());
  }
}
