package io.orrery.reports.cells;

import io.orrery.reports.JsonText;
import io.orrery.reports.console.HumanUnits;
import io.orrery.reports.console.TextTable;
import io.orrery.reports.summary.MergeableSummary;
import io.orrery.reports.summary.Summary;
import io.orrery.reports.work.Workers;
import io.orrery.scenarios.ScenarioText;
import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepReader;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Simulates the cells of a fleet, and tells their numbers as one. */
public final class CellsRun {
  /** The version of the document's structure. */
  public static final int SCHEMA_VERSION = 1;

  private static final MathContext DIGITS = new MathContext(12);

  /** A variant on all cells. */
  private static final class Fleet {
    final MergeableSummary summary = new MergeableSummary();
    final TreeSet<Integer> empty = new TreeSet<>();
    final TreeMap<Integer, String> failures = new TreeMap<>();
    final TreeMap<Integer, List<String>> assumptions = new TreeMap<>();
    int simulated;
  }

  private final Sweep variants;
  private final int cells;
  private final String version;
  private final List<Fleet> fleets = new ArrayList<>();
  private String trace = "";

  private CellsRun(Sweep variants, int cells, String version) {
    this.variants = variants;
    this.cells = cells;
    this.version = version;
    for (int i = 0; i < variants.size(); i++) {
      fleets.add(new Fleet());
    }
  }

  /**
   * Simulates every variant on every cell.
   *
   * @param cells at least 1
   * @param version of the program, and of what else was plugged in
   * @param ended hears of every cell
   */
  public static CellsRun of(
      Workers engine, ScenarioText scenario, int cells, String version, Runnable ended) {
    CellsRun run = new CellsRun(SweepReader.variants(scenario.layers()), cells, version);
    engine.run(
        run.pieces(),
        new CellWork(UUID.randomUUID().toString(), scenario, cells),
        cell -> {
          run.take(cell);
          ended.run();
        });
    return run;
  }

  /** How many cells of how many variants there are. */
  public int pieces() {
    return Math.multiplyExact(variants.size(), cells);
  }

  private void take(CellWork.Ended cell) {
    Fleet fleet = fleets.get(cell.piece() / cells);
    int number = cell.piece() % cells;
    trace = cell.trace().isEmpty() ? trace : cell.trace();
    String failure = cell.failure();
    if (failure != null) {
      fleet.failures.put(number, failure.replace("\n", "; "));
    } else if (cell.summary().length == 0) {
      fleet.empty.add(number);
    } else {
      fleet.simulated++;
      fleet.summary.add(MergeableSummary.read(cell.summary()));
      fleet.assumptions.put(number, cell.assumptions());
    }
  }

  /** Why cells failed, as {@code VARIANT, cell 3: reason}. */
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (int v = 0; v < fleets.size(); v++) {
      String name = variants.point(v).name();
      fleets
          .get(v)
          .failures
          .forEach((cell, why) -> failures.add(name + ", cell " + (cell + 1) + ": " + why));
    }
    return failures;
  }

  /** Whether some cell of every variant was simulated. */
  public boolean hasNumbers() {
    return fleets.stream().allMatch(fleet -> fleet.simulated > 0);
  }

  /** The numbers for machines; the same bytes wherever and in whatever order cells were done. */
  public String json() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("kind", "orrery-cells");
    root.put("version", version);
    root.put("name", variants.name());
    root.put("cells", cells);
    root.put("trace", trace);
    List<Object> entries = new ArrayList<>();
    for (int v = 0; v < fleets.size(); v++) {
      entries.add(entry(v));
    }
    root.put("variants", entries);
    return JsonText.of(root);
  }

  private Map<String, Object> entry(int v) {
    Fleet fleet = fleets.get(v);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", variants.point(v).name());
    entry.put("simulated", fleet.simulated);
    entry.put("empty", fleet.empty.stream().map(cell -> (Object) (cell + 1)).toList());
    Map<String, Object> failures = new LinkedHashMap<>();
    fleet.failures.forEach((cell, why) -> failures.put(Integer.toString(cell + 1), why));
    entry.put("failures", failures);
    Map<String, Integer> assumptions = new LinkedHashMap<>();
    fleet
        .assumptions
        .values()
        .forEach(texts -> texts.forEach(text -> assumptions.merge(text, 1, Integer::sum)));
    entry.put("assumptions", assumptions);
    entry.put("summary", fleet.summary.summary().tree());
    Map<String, Object> spreads = new LinkedHashMap<>();
    fleet
        .summary
        .spreads()
        .forEach(
            (key, spread) -> {
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("min", spread.least());
              one.put("mean", plain(spread.mean()));
              one.put("max", spread.greatest());
              spreads.put(key, one);
            });
    entry.put("over_cells", spreads);
    return entry;
  }

  private static BigDecimal plain(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
  }

  /** A table with a line for each variant. */
  public String text() {
    TextTable table =
        new TextTable(
            "variant", "cells", "requests", "TTFT p50", "TTFT p95", "TPOT p95", "input reused");
    for (int v = 0; v < fleets.size(); v++) {
      Summary summary = fleets.get(v).summary.summary();
      table.add(
          variants.point(v).name(),
          HumanUnits.count(fleets.get(v).simulated),
          HumanUnits.count((long) summary.get("requests.completed", 0)),
          millis(summary, "ttft_ms.p50"),
          millis(summary, "ttft_ms.p95"),
          millis(summary, "tpot_ms.p95"),
          summary.get("hit_rate.tokens").isPresent()
              ? HumanUnits.percent(summary.get("hit_rate.tokens", 0))
              : "");
    }
    return table.toString();
  }

  private static String millis(Summary summary, String key) {
    return summary.get(key).isPresent() ? HumanUnits.seconds(summary.get(key, 0) / 1e3) : "";
  }
}
