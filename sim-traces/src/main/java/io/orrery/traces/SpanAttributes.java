package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.function.BiConsumer;

/**
 * A span's attributes: an object, or OTLP's list of {@code {"key": ..., "value": {"intValue":
 * "5"}}}.
 */
final class SpanAttributes {
  private SpanAttributes() {}

  /**
   * Hands each attribute to a taker, which must read or skip the value that comes next.
   *
   * @param taker takes the rows, standing before the value, and the attribute's key
   */
  static void read(JsonRows rows, String field, BiConsumer<JsonRows, String> taker) {
    JsonToken token = rows.beginValue();
    if (token == JsonToken.START_OBJECT) {
      for (String key; (key = rows.nextField()) != null; ) {
        taker.accept(rows, key);
      }
    } else if (token == JsonToken.START_ARRAY) {
      while (rows.nextObject(field)) {
        readPair(rows, taker);
      }
    } else if (token != JsonToken.VALUE_NULL) {
      throw rows.wrong(field, rows.found(), "an object or a list of keys and values");
    }
  }

  /** The key stands before the value, as the protocol's encoders write them. */
  private static void readPair(JsonRows rows, BiConsumer<JsonRows, String> taker) {
    String key = "";
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("key")) {
        String text = rows.textOrNull(field);
        key = text == null ? "" : text;
      } else if (field.equals("value") && rows.enter(field, JsonToken.START_OBJECT)) {
        readValue(rows, key, taker);
      } else if (!field.equals("value")) {
        rows.skip();
      }
    }
  }

  private static void readValue(JsonRows rows, String key, BiConsumer<JsonRows, String> taker) {
    for (String kind; (kind = rows.nextField()) != null; ) {
      if (kind.equals("arrayValue") && rows.enter(kind, JsonToken.START_OBJECT)) {
        readValues(rows, key, taker);
      } else if (!kind.equals("arrayValue")) {
        taker.accept(rows, key);
      }
    }
  }

  /** Of a list, the first value of each kind of scalar counts. */
  private static void readValues(JsonRows rows, String key, BiConsumer<JsonRows, String> taker) {
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("values") && rows.enter(field, JsonToken.START_ARRAY)) {
        while (rows.nextObject(field)) {
          readValue(rows, key, taker);
        }
      } else if (!field.equals("values")) {
        rows.skip();
      }
    }
  }
}
