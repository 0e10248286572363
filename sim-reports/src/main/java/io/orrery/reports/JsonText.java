package io.orrery.reports;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a tree of maps (in their own order), lists, strings, numbers, booleans and null as JSON:
 * one key a line, two blanks of indent, {@code \n}; lists of plain values on one line. The same
 * tree gives the same bytes.
 */
public final class JsonText {
  private final StringBuilder out = new StringBuilder();

  private JsonText() {}

  /** The tree as a document that ends with a new line. */
  public static String of(Object tree) {
    JsonText json = new JsonText();
    json.write(tree, "\n");
    return json.out.append('\n').toString();
  }

  private void write(@Nullable Object value, String lineStart) {
    if (value == null) {
      out.append("null");
    } else if (value instanceof Map<?, ?> map) {
      writeMap(map, lineStart);
    } else if (value instanceof List<?> list) {
      writeList(list, lineStart);
    } else if (value instanceof String text) {
      writeText(text);
    } else if (value instanceof BigDecimal decimal) {
      out.append(decimal.toPlainString());
    } else if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("no JSON for a " + value.getClass().getName());
    }
  }

  private void writeMap(Map<?, ?> map, String lineStart) {
    if (map.isEmpty()) {
      out.append("{}");
      return;
    }
    String inner = lineStart + "  ";
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator).append(inner);
      writeText((String) entry.getKey());
      out.append(": ");
      write(entry.getValue(), inner);
      separator = ",";
    }
    out.append(lineStart).append('}');
  }

  private void writeList(List<?> list, String lineStart) {
    boolean nested = list.stream().anyMatch(item -> item instanceof Map || item instanceof List);
    boolean texts = list.stream().anyMatch(item -> item instanceof String) && list.size() > 1;
    boolean lines = nested || texts;
    String inner = lines ? lineStart + "  " : "";
    out.append('[');
    for (int i = 0; i < list.size(); i++) {
      out.append(i == 0 ? "" : lines ? "," : ", ").append(inner);
      write(list.get(i), inner);
    }
    out.append(lines ? lineStart : "").append(']');
  }

  private void writeText(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ' || (Character.isSurrogate(c) && !paired(text, i))) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean paired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
