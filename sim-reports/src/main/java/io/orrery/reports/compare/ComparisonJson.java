package io.orrery.reports.compare;

import io.orrery.reports.JsonText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Comparisons for machines. */
public final class ComparisonJson {
  /** The version of the document's structure. */
  public static final int SCHEMA_VERSION = 1;

  private static final MathContext DIGITS = new MathContext(12);

  private ComparisonJson() {}

  /** The document, ended by a new line. */
  public static String of(List<Comparison> comparisons) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    List<Object> list = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("before", comparison.before());
      entry.put("after", comparison.after());
      entry.put("verdict", comparison.verdict());
      entry.put("notes", comparison.notes());
      List<Object> changes = new ArrayList<>();
      comparison.changes().forEach(change -> changes.add(tree(change)));
      entry.put("changes", changes);
      list.add(entry);
    }
    root.put("comparisons", list);
    return JsonText.of(root);
  }

  private static Map<String, Object> tree(Change change) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("key", change.key());
    tree.put("before", decimal(change.before()));
    tree.put("after", decimal(change.after()));
    tree.put("delta", decimal(change.delta()));
    if (Double.isFinite(change.relative())) {
      tree.put("relative", decimal(change.relative()));
    }
    tree.put("seeds", change.seeds());
    if (!Double.isNaN(change.halfWidth())) {
      tree.put("interval_low", decimal(change.delta() - change.halfWidth()));
      tree.put("interval_high", decimal(change.delta() + change.halfWidth()));
    }
    tree.put("better", change.better().name().toLowerCase(Locale.ROOT));
    tree.put("verdict", change.verdict().name().toLowerCase(Locale.ROOT));
    return tree;
  }

  private static BigDecimal decimal(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
  }
}
