package io.orrery.traces;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * What the columns of a table, or the keys of JSON lines, of no known format mean: {@code
 * input=prompt_tokens,output=completion_tokens,timestamp=ts:s}. Left of the equals sign stands what
 * Orrery knows, right of it the column, with the unit of a time behind a colon.
 */
public final class ColumnMapping {
  /** What can be mapped. */
  enum Target {
    /** Start: required. */
    TIMESTAMP("timestamp", true),
    /** Prompt tokens: required. */
    INPUT("input", false),
    /** Generated tokens: required. */
    OUTPUT("output", false),
    /** Session id. */
    SESSION("session", false),
    /** Session id of the session that started this one. */
    PARENT("parent", false),
    /** Request id. */
    REQUEST("request", false),
    /** End. */
    END("end", true),
    /** Recorded time to first token. */
    TTFT("ttft", true),
    /** Recorded time from start to last token. */
    TOTAL("total", true),
    /** Wait after the turn before. */
    WAIT("wait", true),
    /** Recorded prompt tokens out of a cache. */
    CACHED("cached", false),
    /** Priority. */
    PRIORITY("priority", false),
    /** Model. */
    MODEL("model", false),
    /** Adapter. */
    ADAPTER("adapter", false),
    /** Worker. */
    WORKER("worker", false),
    /** Finish reason. */
    FINISH("finish", false),
    /** Tools that were called. */
    TOOLS("tools", false),
    /** A list of block hashes. */
    HASHES("hashes", false);

    private final String name;
    private final boolean time;

    Target(String name, boolean time) {
      this.name = name;
      this.time = time;
    }
  }

  /** Nanoseconds per unit, by its name. */
  private static final Map<String, Long> UNITS =
      new TreeMap<>(
          Map.of(
              "ns", 1L,
              "us", 1_000L,
              "ms", 1_000_000L,
              "s", 1_000_000_000L,
              "min", 60_000_000_000L,
              "iso", 0L));

  /**
   * What a column means.
   *
   * @param nanosPerUnit of a time, 0 for dates
   * @param unit of a time, as written
   */
  record Meaning(Target target, long nanosPerUnit, String unit) {}

  private final String text;
  private final Map<String, List<Meaning>> byColumn = new LinkedHashMap<>();

  private ColumnMapping(String text) {
    this.text = text;
  }

  /**
   * Reads a mapping.
   *
   * @throws TraceException saying what is wrong with it
   */
  public static ColumnMapping parse(String text) {
    ColumnMapping mapping = new ColumnMapping(text);
    List<Target> seen = new ArrayList<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1 || equals == pair.length() - 1) {
        throw wrong('"' + pair + '"', "NAME=COLUMN, as in input=prompt_tokens,timestamp=ts:s");
      }
      Target target = target(pair.substring(0, equals).strip());
      if (seen.contains(target)) {
        throw wrong(target.name + " twice", "each name once");
      }
      seen.add(target);
      mapping.add(target, pair.substring(equals + 1).strip());
    }
    for (Target required : List.of(Target.TIMESTAMP, Target.INPUT, Target.OUTPUT)) {
      if (!seen.contains(required)) {
        throw wrong("no " + required.name, "timestamp, input and output at least");
      }
    }
    return mapping;
  }

  /** Whether columns of this name mean something. */
  List<Meaning> meanings(String column) {
    return byColumn.getOrDefault(column, List.of());
  }

  /** The names of all columns, in the order of the mapping. */
  Set<String> columns() {
    return Collections.unmodifiableSet(byColumn.keySet());
  }

  /** Whether names of columns go on, behind a full stop, after this one. */
  boolean hasColumnsIn(String name) {
    return byColumn.keySet().stream()
        .anyMatch(
            column ->
                column.length() > name.length()
                    && column.charAt(name.length()) == '.'
                    && column.startsWith(name));
  }

  /** The column that a target is in. */
  String column(Target target) {
    for (Map.Entry<String, List<Meaning>> entry : byColumn.entrySet()) {
      if (entry.getValue().stream().anyMatch(meaning -> meaning.target() == target)) {
        return entry.getKey();
      }
    }
    return target.name;
  }

  boolean has(Target target) {
    return byColumn.values().stream()
        .flatMap(List::stream)
        .anyMatch(meaning -> meaning.target() == target);
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }

  private void add(Target target, String columnAndUnit) {
    String column = columnAndUnit;
    long nanos = 0;
    String unit = "";
    if (target.time) {
      int colon = columnAndUnit.lastIndexOf(':');
      unit = colon < 0 ? "" : columnAndUnit.substring(colon + 1).toLowerCase(Locale.ROOT);
      Long known = UNITS.get(unit);
      if (known == null) {
        throw wrong(
            target.name + "=" + columnAndUnit,
            "a column and a unit, one of "
                + String.join(", ", UNITS.keySet())
                + ": "
                + target.name
                + "=COLUMN:s");
      }
      nanos = known;
      column = columnAndUnit.substring(0, colon);
    }
    List<Meaning> meanings = byColumn.computeIfAbsent(column, name -> new ArrayList<>());
    if (!meanings.isEmpty()) {
      throw wrong("column " + column + " twice", "each column once");
    }
    meanings.add(new Meaning(target, nanos, unit));
  }

  private static Target target(String name) {
    StringJoiner names = new StringJoiner(", ");
    for (Target target : Target.values()) {
      if (target.name.equals(name)) {
        return target;
      }
      names.add(target.name);
    }
    throw wrong('"' + name + '"', "one of " + names);
  }

  private static TraceException wrong(String found, String expected) {
    return new TraceException(null, 0, "column mapping", found, expected);
  }
}
