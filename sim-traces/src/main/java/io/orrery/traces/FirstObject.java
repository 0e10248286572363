package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file's first JSON object, as far as it had to be read to tell the file's format, or
 * the columns of a table.
 *
 * @param kinds the first token of the value of each top-level key, in order
 * @param schema the value of the key {@code schema}, also of a wrapped event; null where there is
 *     none
 * @param complete whether these are all of its keys
 * @param table whether they are the columns of a table
 */
record FirstObject(
    Map<String, JsonToken> kinds, @Nullable String schema, boolean complete, boolean table) {
  /** A list of many formats: the keys of its first object stand here, too, as {@code data.KEY}. */
  private static final String LIST = "data";

  boolean has(String key) {
    return kinds.containsKey(key);
  }

  boolean hasAll(String... keys) {
    return List.of(keys).stream().allMatch(kinds::containsKey);
  }

  boolean holdsObject(String key) {
    return kinds.get(key) == JsonToken.START_OBJECT;
  }

  boolean holdsArray(String key) {
    return kinds.get(key) == JsonToken.START_ARRAY;
  }

  /** Whether the list is empty or begins with an object that has one of the keys. */
  boolean listsObjectsWith(String... keys) {
    boolean known = kinds.keySet().stream().anyMatch(key -> key.startsWith(LIST + "."));
    return holdsArray(LIST)
        && (!known || Stream.of(keys).anyMatch(key -> kinds.containsKey(LIST + "." + key)));
  }

  Set<String> keys() {
    return kinds.keySet();
  }

  /**
   * Reads until one of the formats recognises the object.
   *
   * @throws TraceException where none does
   */
  static TraceFormat format(JsonRows rows) {
    boolean any = rows.nextRow();
    if (rows.isTable()) {
      return tableFormat(rows);
    }
    if (!any) {
      throw rows.wrong(0, null, "no JSON object", "at least one request");
    }
    Map<String, JsonToken> kinds = new LinkedHashMap<>();
    String schema = null;
    boolean complete = false;
    while (!complete) {
      String field = rows.nextField();
      complete = field == null;
      if (field != null && field.equals("schema")) {
        schema = rows.scalarOrNull(field);
        kinds.put(field, JsonToken.VALUE_STRING);
      }
      FirstObject object = new FirstObject(kinds, schema, complete, false);
      TraceFormat format = recognised(object);
      if (format != null) {
        return format;
      }
      if (field != null && !field.equals("schema")) {
        JsonToken kind = rows.beginValue();
        boolean aList = field.equals(LIST) && kind == JsonToken.START_ARRAY;
        boolean more = false;
        if (kind != null) {
          kinds.put(field, kind);
          more = aList && addKeysOfElement(rows, kinds);
          format = recognised(object);
          if (format != null) {
            return format;
          }
        }
        if (field.equals("event") && kind == JsonToken.START_OBJECT) {
          schema = schemaInside(rows);
        } else if (aList) {
          leaveList(rows, more);
        } else {
          rows.skipElement();
        }
      }
    }
    throw unknown(rows, kinds.keySet());
  }

  /** False where the list is empty. */
  private static boolean addKeysOfElement(JsonRows rows, Map<String, JsonToken> kinds) {
    JsonToken element = rows.nextElement();
    if (element == JsonToken.START_OBJECT) {
      for (String field; (field = rows.nextField()) != null; ) {
        kinds.put(LIST + "." + field, JsonToken.NOT_AVAILABLE);
        rows.skip();
      }
    }
    return element != null;
  }

  private static void leaveList(JsonRows rows, boolean more) {
    for (boolean inside = more; inside; inside = rows.nextElement() != null) {
      rows.skipElement();
    }
  }

  /** Of an event that a sink has wrapped. */
  private static @Nullable String schemaInside(JsonRows rows) {
    String schema = null;
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("schema")) {
        schema = rows.scalarOrNull(field);
      } else {
        rows.skip();
      }
    }
    return schema;
  }

  private static TraceException unknown(JsonRows rows, Set<String> keys) {
    if (isOfAnAgentsLog(keys)) {
      return rows.wrong(
          "trace format",
          "a line of a coding agent's log",
          "a trace, as orrery trace import makes");
    }
    if (BenchmarkReader.isSummary(keys)) {
      return rows.wrong(
          "trace format",
          "a benchmark's results without its requests",
          "those with input_lens and output_lens (vllm bench serve --save-detailed,"
              + " sglang.bench_serving --output-details)");
    }
    return rows.wrong(
        "trace format",
        keys.isEmpty()
            ? "an object without keys"
            : "an object with the keys " + String.join(", ", keys),
        "one of the formats " + TraceFormat.names() + ", or a column mapping");
  }

  /** Claude Code, Codex, pi. */
  private static boolean isOfAnAgentsLog(Set<String> keys) {
    return keys.containsAll(Set.of("type", "timestamp", "payload"))
        || keys.containsAll(Set.of("type", "sessionId"))
        || keys.containsAll(Set.of("type", "timestamp", "cwd"));
  }

  private static TraceFormat tableFormat(JsonRows rows) {
    Map<String, JsonToken> kinds = new LinkedHashMap<>();
    rows.columns().forEach(column -> kinds.put(column, JsonToken.VALUE_STRING));
    FirstObject header = new FirstObject(kinds, null, true, true);
    TraceFormat format = recognised(header);
    if (format == null) {
      throw rows.wrong(
          1,
          "trace format",
          "a table with the columns " + String.join(", ", kinds.keySet()),
          "one of the formats " + TraceFormat.names() + ", or a column mapping");
    }
    return format;
  }

  private static @Nullable TraceFormat recognised(FirstObject object) {
    for (TraceFormat format : TraceFormat.values()) {
      if (format.recognises(object)) {
        return format;
      }
    }
    return null;
  }
}
