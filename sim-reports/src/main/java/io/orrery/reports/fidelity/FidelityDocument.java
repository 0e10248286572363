package io.orrery.reports.fidelity;

import io.orrery.models.HostCosts;
import io.orrery.reports.JsonText;
import io.orrery.scenarios.fidelity.Configuration;
import io.orrery.scenarios.fidelity.FidelityResult;
import io.orrery.scenarios.fidelity.FidelityRow;
import io.orrery.scenarios.fidelity.Judgement;
import io.orrery.scenarios.fidelity.Metric;
import io.orrery.scenarios.fidelity.Told;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A comparison for machines. Errors are shares (0.05 is 5 %), times milliseconds. {@code
 * median_ape} and {@code p90_ape} judge every row by constants that were fitted without it where
 * there are any, else by those that ship.
 *
 * @param version of the program
 * @param result what was found
 */
public record FidelityDocument(String version, FidelityResult result) {
  /** The version of the document's structure; it grows when a key changes its meaning or goes. */
  public static final int SCHEMA_VERSION = 1;

  private static final int DIGITS = 6;

  /** The document as JSON, ended by a new line. */
  public String toJson() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("version", version);
    root.put("step_times", result.stepTimes());
    root.put("median_ape", judged(result.rows(), 0.5));
    root.put("p90_ape", judged(result.rows(), 0.9));
    root.put("groups", groups());
    root.put("fits", result.fits().stream().map(FidelityDocument::fit).toList());
    root.put("pools", result.pools().stream().map(FidelityDocument::pool).toList());
    root.put("quantiles", result.quantiles().stream().map(FidelityDocument::quantile).toList());
    root.put("skipped", result.skipped().stream().map(FidelityDocument::skipped).toList());
    root.put("rows", result.rows().stream().map(FidelityDocument::row).toList());
    return JsonText.of(root);
  }

  private static Map<String, Object> judged(List<FidelityRow> rows, double share) {
    Map<String, Object> errors = new LinkedHashMap<>();
    for (Metric metric : Metric.values()) {
      put(errors, metric.key(), Errors.judged(rows, metric, share));
    }
    return errors;
  }

  private List<Object> groups() {
    List<Object> groups = new ArrayList<>();
    for (Group group : Group.of(result.rows(), Group.Key.ALL_BUT_LENGTHS)) {
      Map<String, Object> entry = new LinkedHashMap<>(group.keys());
      entry.put("rows", group.rows().size());
      entry.put("median_ape", judged(group.rows(), 0.5));
      entry.put("p90_ape", judged(group.rows(), 0.9));
      Map<String, Object> byJudgement = new LinkedHashMap<>();
      for (Judgement judgement : Judgement.values()) {
        Map<String, Object> errors = new LinkedHashMap<>();
        for (Metric metric : Metric.values()) {
          put(errors, metric.key(), Errors.quantile(group.rows(), metric, judgement, 0.5));
        }
        if (!errors.isEmpty()) {
          byJudgement.put(judgement.key(), errors);
        }
      }
      entry.put("median_ape_by", byJudgement);
      Map<String, Object> spread = new LinkedHashMap<>();
      put(spread, "ttft", Errors.quantile(group.rows(), FidelityRow::ttftSpread, 0.5));
      put(spread, "tpot", Errors.quantile(group.rows(), FidelityRow::tpotSpread, 0.5));
      entry.put("repeat_spread", spread);
      groups.add(entry);
    }
    return groups;
  }

  private static Map<String, Object> row(FidelityRow row) {
    Map<String, Object> entry = configuration(row.configuration());
    entry.put("repeats", row.repeats());
    Map<String, Object> spread = new LinkedHashMap<>();
    put(spread, "ttft", row.ttftSpread());
    put(spread, "tpot", row.tpotSpread());
    entry.put("repeat_spread", spread);
    entry.put("note", row.note());
    entry.put("judged_by", row.judgement().key());
    entry.put("measured", told(row.measured()));
    Map<String, Object> errors = new LinkedHashMap<>();
    for (Metric metric : Metric.values()) {
      put(errors, metric.key(), row.error(metric, row.judgement()));
    }
    entry.put("ape", errors);
    Map<String, Object> told = new LinkedHashMap<>();
    row.told().forEach((judgement, numbers) -> told.put(judgement.key(), told(numbers)));
    entry.put("told", told);
    return entry;
  }

  private static Map<String, Object> configuration(Configuration configuration) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("file", configuration.file());
    entry.put("line", configuration.line());
    entry.putAll(configuration.keys());
    entry.put("requests", configuration.requests());
    return entry;
  }

  private static Map<String, Object> told(Told told) {
    Map<String, Object> entry = new LinkedHashMap<>();
    put(entry, "ttft_ms", told.ttftMillis());
    put(entry, "tpot_ms", told.tpotMillis());
    put(entry, "e2e_ms", told.endToEndMillis());
    put(entry, "tokens_per_s", told.tokensPerSecond());
    return entry;
  }

  private static Map<String, Object> fit(FidelityResult.Fit fit) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("engine", fit.engine());
    entry.put("without", fit.without());
    entry.put("rows", fit.rows());
    HostCosts host = fit.host();
    put(entry, "kernelMultiplier", host.kernelMultiplier());
    put(entry, "layerMicros", host.layerMicros());
    put(entry, "sequenceMicros", host.sequenceMicros());
    put(entry, "mixedLayerMicros", host.mixedLayerMicros());
    put(entry, "requestMillis", host.requestMillis());
    return entry;
  }

  private static Map<String, Object> pool(FidelityResult.Pool pool) {
    Map<String, Object> entry = configuration(pool.configuration());
    entry.put("measured_blocks", pool.measuredBlocks());
    entry.put("told_blocks", pool.toldBlocks());
    return entry;
  }

  private static Map<String, Object> quantile(FidelityResult.Quantile quantile) {
    Map<String, Object> entry = configuration(quantile.configuration());
    entry.put("metric", quantile.metric().key());
    put(entry, "quantile", quantile.share());
    put(entry, "measured_ms", quantile.measured());
    put(entry, "told_ms", quantile.told());
    return entry;
  }

  private static Map<String, Object> skipped(FidelityResult.Skipped skipped) {
    Map<String, Object> entry = configuration(skipped.configuration());
    entry.put("reason", skipped.reason());
    return entry;
  }

  private static void put(Map<String, Object> entry, String key, double value) {
    @Nullable BigDecimal rounded =
        Double.isFinite(value)
            ? BigDecimal.valueOf(value)
                .setScale(DIGITS, RoundingMode.HALF_EVEN)
                .stripTrailingZeros()
            : null;
    if (rounded != null) {
      entry.put(key, rounded);
    }
  }
}
