package io.orrery.cli;

import io.orrery.models.Fact;
import io.orrery.models.Provenance;
import io.orrery.reports.console.Paragraph;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Every fact about a thing, with its source. */
final class FactTable {
  private static final int WIDTH = 100;
  private static final String INDENT = "    ";
  private static final int LARGE = 1_000_000;

  private FactTable() {}

  /** One fact a line, its source under it. */
  static String text(Provenance provenance) {
    StringBuilder out = new StringBuilder();
    provenance.remarks().forEach(remark -> append(out, "  ", "low confidence: " + remark));
    provenance
        .facts()
        .forEach(
            (field, fact) -> {
              if (!field.equals("title")) {
                String low = fact.lowConfidence() ? "   low confidence: " + fact.note() : "";
                String remark =
                    fact.lowConfidence() || fact.note().isEmpty() ? "" : "   " + fact.note();
                append(out, "  ", field + "  " + value(fact) + low + remark);
                append(out, INDENT, fact.source());
              }
            });
    return out.toString();
  }

  private static void append(StringBuilder out, String indent, String text) {
    Paragraph.wrapped(text, WIDTH - indent.length())
        .lines()
        .forEach(line -> out.append(indent).append(line).append('\n'));
  }

  private static String value(Fact fact) {
    if (fact.value() == null) {
      return "none";
    }
    if (fact.value() instanceof BigDecimal number
        && number.abs().compareTo(BigDecimal.valueOf(LARGE)) >= 0
        && number.stripTrailingZeros().precision() <= 4) {
      return String.format(Locale.ROOT, "%s", number.stripTrailingZeros());
    }
    return fact.value() instanceof BigDecimal number
        ? number.toPlainString()
        : String.valueOf(fact.value());
  }

  /** The facts as JSON objects, by field. */
  static Map<String, Object> json(Provenance provenance) {
    Map<String, Object> fields = new LinkedHashMap<>();
    provenance
        .facts()
        .forEach(
            (field, fact) -> {
              Map<String, Object> object = new LinkedHashMap<>();
              object.put("value", fact.value());
              object.put("source", fact.source());
              object.put("confidence", fact.lowConfidence() ? "low" : "normal");
              if (!fact.note().isEmpty()) {
                object.put("note", fact.note());
              }
              fields.put(field, object);
            });
    return fields;
  }
}
