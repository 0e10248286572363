package io.orrery.reports.fidelity;

import io.orrery.scenarios.fidelity.FidelityResult;
import io.orrery.scenarios.fidelity.FidelityRow;
import io.orrery.scenarios.fidelity.Judgement;
import io.orrery.scenarios.fidelity.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A comparison as a table for a terminal: median errors by engine, model, precision and GPU. */
public final class FidelityTable {
  private static final String LINE = "%-44s %5s %9s %9s %9s %9s%n";

  private FidelityTable() {}

  /** The table, ended by a new line. */
  public static String of(FidelityResult result) {
    StringBuilder out = new StringBuilder();
    line(
        out,
        "median error (step times: " + result.stepTimes() + ")",
        "rows",
        "TTFT",
        "TPOT",
        "E2E",
        "tokens/s");
    for (Group engine : Group.of(result.rows(), Group.Key.ENGINE)) {
      errors(out, String.join(" ", engine.keys().values()), engine.rows());
      for (Group group :
          Group.of(engine.rows(), Group.Key.MODEL, Group.Key.WEIGHTS, Group.Key.SYSTEM)) {
        errors(out, "  " + String.join(" ", group.keys().values()), group.rows());
      }
    }
    errors(out, "all", result.rows());
    out.append(
        "\nEvery row is judged by host constants that were fitted without its model, where another"
            + " is there.\n");
    for (FidelityRow row : result.rows()) {
      if (!row.configuration().requests().isEmpty()) {
        openLoop(out, row);
      }
    }
    for (FidelityResult.Pool pool : result.pools()) {
      out.append(
          String.format(
              Locale.ROOT,
              "%s: KV pool of %,d blocks told, %,d measured%n",
              pool.configuration().system(),
              pool.toldBlocks(),
              pool.measuredBlocks()));
    }
    for (Map.Entry<String, Long> reason : Skips.byReason(result.skipped()).entrySet()) {
      out.append(
          String.format(Locale.ROOT, "%,d not replayed: %s%n", reason.getValue(), reason.getKey()));
    }
    return out.toString();
  }

  private static void openLoop(StringBuilder out, FidelityRow row) {
    for (Judgement judgement : row.told().keySet()) {
      out.append(
          String.format(
              Locale.ROOT,
              "%s on %s, requests %s, %s: TTFT %s, TPOT %s, E2E %s off%n",
              row.configuration().model(),
              row.configuration().system(),
              row.configuration().requests(),
              judgement.title(),
              Text.percent(row.error(Metric.TTFT, judgement)),
              Text.percent(row.error(Metric.TPOT, judgement)),
              Text.percent(row.error(Metric.E2E, judgement))));
    }
  }

  private static void errors(StringBuilder out, String label, List<FidelityRow> rows) {
    line(
        out,
        label,
        String.format(Locale.ROOT, "%,d", rows.size()),
        Text.percent(Errors.judged(rows, Metric.TTFT, 0.5)),
        Text.percent(Errors.judged(rows, Metric.TPOT, 0.5)),
        Text.percent(Errors.judged(rows, Metric.E2E, 0.5)),
        Text.percent(Errors.judged(rows, Metric.THROUGHPUT, 0.5)));
  }

  private static void line(StringBuilder out, Object... cells) {
    out.append(String.format(Locale.ROOT, LINE, cells).replace(System.lineSeparator(), "\n"));
  }
}
