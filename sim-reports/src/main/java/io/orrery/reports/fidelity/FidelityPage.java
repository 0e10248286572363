package io.orrery.reports.fidelity;

import static io.orrery.reports.fidelity.Text.head;
import static io.orrery.reports.fidelity.Text.percent;
import static io.orrery.reports.fidelity.Text.row;

import io.orrery.models.HostCosts;
import io.orrery.scenarios.fidelity.FidelityResult;
import io.orrery.scenarios.fidelity.FidelityRow;
import io.orrery.scenarios.fidelity.Judgement;
import io.orrery.scenarios.fidelity.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A comparison as a page of Markdown. The same result gives the same bytes. */
public final class FidelityPage {
  private static final Judgement[] CLOSED_LOOP = {
    Judgement.CLOSED_FORM, Judgement.SHIPPED, Judgement.LEAVE_MODEL_OUT, Judgement.LEAVE_GPU_OUT
  };

  private final FidelityResult result;
  private final List<FidelityRow> closed;
  private final List<FidelityRow> open;
  private final StringBuilder text = new StringBuilder();

  private FidelityPage(FidelityResult result) {
    this.result = result;
    this.closed =
        result.rows().stream().filter(row -> row.configuration().requests().isEmpty()).toList();
    this.open =
        result.rows().stream().filter(row -> !row.configuration().requests().isEmpty()).toList();
  }

  /**
   * The page.
   *
   * @param chart file name of the chart beside it
   */
  public static String of(FidelityResult result, String chart) {
    FidelityPage page = new FidelityPage(result);
    page.write(chart);
    return page.text.toString();
  }

  private void write(String chart) {
    line("# Fidelity: told and measured serving");
    line();
    line(
        "%,d measurements, replayed through the engine with step times of kind `%s`; %,d more were not replayed (see the end).",
        result.rows().size(), result.stepTimes(), result.skipped().size());
    line(
        "How they are replayed, what the columns mean and how constants are fitted: [docs/fidelity.md](../docs/fidelity.md).");
    line();
    line("![%s](%s)", ScatterChart.alternative(result), chart);
    line();
    if (!closed.isEmpty()) {
      byEngine();
      constants();
      groups("By model, precision and GPU", Group.Key.MODEL, Group.Key.WEIGHTS, Group.Key.SYSTEM);
      groups("By requests in flight", Group.Key.CONCURRENCY);
      groups("By lengths", Group.Key.LENGTHS);
      notes();
    }
    if (!open.isEmpty()) {
      openLoop();
    }
    skipped();
  }

  private void byEngine() {
    line("## Closed loops: median errors");
    line();
    List<String> titles = new ArrayList<>(List.of("engine", "rows", "metric", "repeats differ by"));
    for (Judgement judgement : CLOSED_LOOP) {
      titles.add(judgement.title());
      titles.add("p90");
    }
    text.append(head(titles));
    for (Group group : Group.of(closed, Group.Key.ENGINE)) {
      for (Metric metric : Metric.values()) {
        List<String> cells = new ArrayList<>();
        cells.add(String.valueOf(group.keys().get("engine")));
        cells.add(count(group.rows().size()));
        cells.add(name(metric));
        cells.add(spread(group.rows(), metric));
        for (Judgement judgement : CLOSED_LOOP) {
          cells.add(percent(Errors.quantile(group.rows(), metric, judgement, 0.5)));
          cells.add(percent(Errors.quantile(group.rows(), metric, judgement, 0.9)));
        }
        text.append(row(cells));
      }
    }
    line();
  }

  private static String spread(List<FidelityRow> rows, Metric metric) {
    return switch (metric) {
      case TTFT -> percent(Errors.quantile(rows, row -> genuine(row.ttftSpread()), 0.5));
      case TPOT -> percent(Errors.quantile(rows, row -> genuine(row.tpotSpread()), 0.5));
      default -> "";
    };
  }

  /** Repeats that agree to the last digit are one run that was published twice. */
  private static double genuine(double spread) {
    return spread == 0 ? Double.NaN : spread;
  }

  private void constants() {
    line("## Host constants");
    line();
    text.append(
        head(
            List.of(
                "engine",
                "left out",
                "rows fitted",
                "kernels ×",
                "µs per layer",
                "µs per sequence",
                "µs per layer with prefill",
                "ms per request")));
    for (FidelityResult.Fit fit : result.fits()) {
      HostCosts host = fit.host();
      text.append(
          row(
              List.of(
                  fit.engine(),
                  fit.without().isEmpty() ? "nothing" : fit.without(),
                  count(fit.rows()),
                  String.format(Locale.ROOT, "%.3f", host.kernelMultiplier()),
                  decimal(host.layerMicros()),
                  decimal(host.sequenceMicros()),
                  decimal(host.mixedLayerMicros()),
                  decimal(host.requestMillis()))));
    }
    line();
  }

  private void groups(String title, Group.Key... by) {
    line("## %s", title);
    line();
    List<String> titles = new ArrayList<>();
    titles.add("engine");
    Arrays.stream(by).map(Group.Key::label).forEach(titles::add);
    titles.add("rows");
    for (Metric metric : List.of(Metric.TPOT, Metric.TTFT)) {
      titles.add(name(metric) + ", told / measured");
      titles.add("error");
      titles.add("as shipped");
      titles.add("closed form");
      titles.add("repeats");
    }
    titles.add("E2E error");
    text.append(head(titles));
    Group.Key[] keys = new Group.Key[by.length + 1];
    keys[0] = Group.Key.ENGINE;
    System.arraycopy(by, 0, keys, 1, by.length);
    for (Group group : Group.of(closed, keys)) {
      List<String> cells = new ArrayList<>(group.keys().values());
      cells.add(count(group.rows().size()));
      for (Metric metric : List.of(Metric.TPOT, Metric.TTFT)) {
        cells.add(
            Text.ratio(
                Errors.quantile(group.rows(), row -> row.ratio(metric, row.judgement()), 0.5)));
        cells.add(percent(Errors.judged(group.rows(), metric, 0.5)));
        cells.add(percent(Errors.quantile(group.rows(), metric, Judgement.SHIPPED, 0.5)));
        cells.add(percent(Errors.quantile(group.rows(), metric, Judgement.CLOSED_FORM, 0.5)));
        cells.add(spread(group.rows(), metric));
      }
      cells.add(percent(Errors.judged(group.rows(), Metric.E2E, 0.5)));
      text.append(row(cells));
    }
    line();
  }

  private void notes() {
    Map<String, List<FidelityRow>> byNote = new TreeMap<>();
    for (FidelityRow row : closed) {
      if (!row.note().isEmpty()) {
        byNote
            .computeIfAbsent(
                row.configuration().engine() + ": " + row.note(), n -> new ArrayList<>())
            .add(row);
      }
    }
    if (byNote.isEmpty()) {
      return;
    }
    line("## Replayed, but not fitted to");
    line();
    text.append(head(List.of("what", "rows", "TPOT error", "TTFT, told / measured", "TTFT error")));
    byNote.forEach(
        (note, rows) ->
            text.append(
                row(
                    List.of(
                        note,
                        count(rows.size()),
                        percent(Errors.judged(rows, Metric.TPOT, 0.5)),
                        Text.ratio(
                            Errors.quantile(
                                rows, one -> one.ratio(Metric.TTFT, one.judgement()), 0.5)),
                        percent(Errors.judged(rows, Metric.TTFT, 0.5))))));
    line();
  }

  private void openLoop() {
    line("## Runs with the times of every request");
    line();
    text.append(
        head(
            List.of(
                "model", "GPU", "requests", "constants", "metric", "measured", "told", "error")));
    for (FidelityRow one : open) {
      one.told()
          .forEach(
              (judgement, told) -> {
                for (Metric metric : Metric.values()) {
                  text.append(
                      row(
                          List.of(
                              one.configuration().model(),
                              one.configuration().system(),
                              one.configuration().requests(),
                              judgement.title(),
                              name(metric),
                              Text.number(metric.of(one.measured())),
                              Text.number(metric.of(told)),
                              percent(one.error(metric, judgement)))));
                }
              });
    }
    line();
    quantiles();
    for (FidelityResult.Pool pool : result.pools()) {
      line(
          "KV pool of %s on %s: %,d blocks told, %,d measured, %s off.",
          pool.configuration().model(),
          pool.configuration().system(),
          pool.toldBlocks(),
          pool.measuredBlocks(),
          percent(Math.abs((double) pool.toldBlocks() / pool.measuredBlocks() - 1)));
      line();
    }
  }

  private void quantiles() {
    text.append(
        head(List.of("model", "GPU", "metric", "quantile", "measured", "as shipped", "error")));
    for (FidelityResult.Quantile quantile : result.quantiles()) {
      text.append(
          row(
              List.of(
                  quantile.configuration().model(),
                  quantile.configuration().system(),
                  name(quantile.metric()),
                  String.format(Locale.ROOT, "p%.0f", 100 * quantile.share()),
                  Text.number(quantile.measured()),
                  Text.number(quantile.told()),
                  percent(Math.abs(quantile.told() / quantile.measured() - 1)))));
    }
    line();
  }

  private void skipped() {
    line("## Not replayed");
    line();
    if (result.skipped().isEmpty()) {
      line("Nothing was left out.");
    }
    for (Map.Entry<String, Long> reason : Skips.byReason(result.skipped()).entrySet()) {
      line("- %,d of %s", reason.getValue(), reason.getKey());
    }
  }

  private static String name(Metric metric) {
    return switch (metric) {
      case TTFT -> "TTFT";
      case TPOT -> "TPOT";
      case E2E -> "E2E";
      case THROUGHPUT -> "tokens/s";
    };
  }

  private static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private void line(String format, Object... values) {
    text.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
    text.append('\n');
  }

  private void line() {
    text.append('\n');
  }
}
