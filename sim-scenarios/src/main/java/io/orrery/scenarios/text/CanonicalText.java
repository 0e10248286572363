package io.orrery.scenarios.text;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Writes a tree of {@link Map} (in its own order), {@link List}, String, Number and Boolean as JSON
 * or YAML, always the same way: two-space indents, {@code \n}, quotes only where YAML needs them.
 * Whole numbers and decimals print as they are given ({@link BigDecimal} without exponent).
 */
public final class CanonicalText {
  private static final Pattern PLAIN =
      Pattern.compile("(?:[A-Za-z/]|\\.{1,2}/)[A-Za-z0-9 ./_+-]*(?<! )|\\d{1,19} [A-Za-z/]+");
  private static final Set<String> WORDS_OF_YAML =
      Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", ".inf", ".nan", ".");

  private static final Set<Integer> INVISIBLE =
      Set.of(
          (int) Character.CONTROL,
          (int) Character.FORMAT,
          (int) Character.SURROGATE,
          (int) Character.LINE_SEPARATOR,
          (int) Character.PARAGRAPH_SEPARATOR);

  private CanonicalText() {}

  /** The tree as one line of JSON without blanks. */
  public static String json(Object tree) {
    StringBuilder out = new StringBuilder();
    writeJson(out, tree);
    return out.toString();
  }

  /** The tree as a YAML document, one key a line, lists of plain values in brackets. */
  public static String yaml(Map<String, ?> tree) {
    return yaml(tree, path -> "");
  }

  /**
   * As {@link #yaml(Map)}, with a comment behind each value.
   *
   * @param comment gives the comment for a dotted path, empty for none
   */
  public static String yaml(Map<String, ?> tree, Function<String, String> comment) {
    StringBuilder out = new StringBuilder();
    writeMapping(out, KeyPath.ROOT, tree, "", comment);
    return out.toString();
  }

  /** Text in double quotes, escaped as both JSON and YAML read it. */
  public static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.codePoints().forEach(c -> escape(out, c));
    return out.append('"').toString();
  }

  /** A value as YAML that reads back as the same value. */
  public static String yamlText(Value value) {
    return flow(plain(value));
  }

  /**
   * The value as String, Boolean, Long, BigDecimal, or a list of these; a quantity is a string with
   * its unit.
   */
  public static Object plain(Value value) {
    if (value instanceof Value.Flag flag) {
      return flag.on();
    } else if (value instanceof Value.Whole whole) {
      return whole.number();
    } else if (value instanceof Value.Decimal decimal) {
      return decimal.number();
    } else if (value instanceof Value.Items items) {
      return items.values().stream().map(CanonicalText::plain).toList();
    }
    return value.text();
  }

  /** Text as a YAML scalar that reads back as the same text. */
  public static String yamlText(String text) {
    boolean plain =
        PLAIN.matcher(text).matches() && !WORDS_OF_YAML.contains(text.toLowerCase(Locale.ROOT));
    return plain ? text : quoted(text);
  }

  private static void escape(StringBuilder out, int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        boolean visible = !INVISIBLE.contains(Character.getType(c));
        if (visible || c > 0xFFFF) {
          out.appendCodePoint(c);
        } else {
          out.append(String.format(Locale.ROOT, "\\u%04x", c));
        }
      }
    }
  }

  private static void writeJson(StringBuilder out, Object tree) {
    if (tree instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator).append(quoted(String.valueOf(entry.getKey()))).append(':');
        writeJson(out, entry.getValue());
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (tree instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        out.append(separator);
        writeJson(out, item);
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else {
      out.append(tree instanceof String text ? quoted(text) : plainNumberOrFlag(tree));
    }
  }

  private static void writeMapping(
      StringBuilder out,
      KeyPath at,
      Map<?, ?> map,
      String indent,
      Function<String, String> comment) {
    String lead = indent;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = String.valueOf(entry.getKey());
      KeyPath path = at.child(key);
      out.append(lead).append(yamlText(key)).append(':');
      writeValue(out, path, entry.getValue(), indent, comment);
      // A list's first key stands behind the dash; the next lines are indented by blanks.
      lead = indent.replace('-', ' ');
    }
  }

  private static void writeValue(
      StringBuilder out,
      KeyPath path,
      Object value,
      String indent,
      Function<String, String> comment) {
    String blanks = indent.replace('-', ' ');
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      out.append('\n');
      writeMapping(out, path, map, blanks + "  ", comment);
    } else if (value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
      out.append('\n');
      for (int i = 0; i < list.size(); i++) {
        writeMapping(out, path.index(i), (Map<?, ?>) list.get(i), blanks + "  - ", comment);
      }
    } else {
      String remark = comment.apply(path.text());
      out.append(' ')
          .append(flow(value))
          .append(remark.isEmpty() ? "" : "  # " + remark)
          .append('\n');
    }
  }

  private static String flow(Object value) {
    if (value instanceof List<?> list) {
      StringBuilder out = new StringBuilder("[");
      for (Object item : list) {
        out.append(out.length() == 1 ? "" : ", ").append(flow(item));
      }
      return out.append(']').toString();
    }
    if (value instanceof Map<?, ?>) {
      return "{}";
    }
    return value instanceof String text ? yamlText(text) : plainNumberOrFlag(value);
  }

  private static String plainNumberOrFlag(Object value) {
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : String.valueOf(value);
  }
}
