package io.orrery.traces;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file's first JSON object, as far as it had to be read to tell the file's format.
 *
 * @param keys its top-level keys in order
 * @param schema the value of the key {@code schema}, null where there is none
 * @param complete whether these are all of its keys
 */
record FirstObject(Set<String> keys, @Nullable String schema, boolean complete) {
  boolean has(String key) {
    return keys.contains(key);
  }

  /**
   * Reads until one of the formats recognises the object.
   *
   * @throws TraceException where none does
   */
  static TraceFormat format(JsonRows rows) {
    if (!rows.nextRow()) {
      throw rows.wrong(null, "no JSON object", "at least one request");
    }
    Set<String> keys = new LinkedHashSet<>();
    String schema = null;
    boolean complete = false;
    while (!complete) {
      String field = rows.nextField();
      complete = field == null;
      if (field != null) {
        keys.add(field);
        if (field.equals("schema")) {
          schema = rows.textOrNull(field);
        }
      }
      FirstObject object = new FirstObject(keys, schema, complete);
      for (TraceFormat format : TraceFormat.values()) {
        if (format.recognises(object)) {
          return format;
        }
      }
      if (field != null && !field.equals("schema")) {
        rows.skip();
      }
    }
    String known = KnownFormats.object(keys);
    if (known != null) {
      throw KnownFormats.unread(rows.file(), known);
    }
    throw rows.wrong(
        "trace format",
        "an object with the keys " + String.join(", ", keys),
        "one of the formats " + TraceFormat.names());
  }
}
