package io.orrery.traces.imports;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.traces.TraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads logs of JSON lines, and what is in them. */
final class JsonLog {
  static final String BAD_LINE = "lines that are not JSON, left out";
  static final String TRUNCATED = "last lines that were cut off, left out";
  static final String OTHER_TOKENS = "lines of other kinds that hold token counts, left out";
  static final String BAD_COUNT = "calls with a token count that is none, left out";
  static final long NO_TIME = Long.MIN_VALUE;

  /** 1 January 2200: what is later is no time of a log. */
  private static final long LATEST_MILLIS = 7_258_118_400_000L;

  /** More than any sum of tokens, and little enough to be summed. */
  private static final long MOST_TOKENS = 1L << 50;

  /** Images stand in logs as text. */
  private static final int LONGEST_TEXT = 1 << 28;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxStringLength(LONGEST_TEXT)
                      .maxNestingDepth(500)
                      .build())
              .build());

  private JsonLog() {}

  /** Takes an object of a log. */
  interface Taker {
    void take(JsonNode object, long line);
  }

  /** Hands over each object; what is none is counted. */
  static void lines(Path file, LogFindings findings, Taker taker) {
    try (BufferedReader reader = reader(file)) {
      String line = reader.readLine();
      for (long number = 1; line != null; number++) {
        String next = reader.readLine();
        if (!line.isBlank()) {
          take(file, line, number, next == null, findings, taker);
        }
        line = next;
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static void take(
      Path file, String line, long number, boolean last, LogFindings findings, Taker taker) {
    JsonNode object;
    try {
      // Editors leave a byte order mark behind.
      object = MAPPER.readTree(number == 1 && line.startsWith("\ufeff") ? line.substring(1) : line);
    } catch (JsonProcessingException e) {
      findings.count(last ? TRUNCATED : BAD_LINE, file.toString(), number);
      return;
    }
    if (object != null && object.isObject()) {
      taker.take(object, number);
    } else {
      findings.count(BAD_LINE, file.toString(), number);
    }
  }

  /** The one object of a file; a missing one is counted. */
  static JsonNode object(Path file, LogFindings findings) {
    try (BufferedReader reader = reader(file)) {
      JsonNode object = MAPPER.readTree(reader);
      if (object != null && object.isObject()) {
        return object;
      }
    } catch (JsonProcessingException e) {
      // Counted below: agents are stopped while they write.
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    findings.count("files that are not JSON, left out", file.toString(), 0);
    return MAPPER.createObjectNode();
  }

  static ObjectNode newObject() {
    return MAPPER.createObjectNode();
  }

  /** What a text says in JSON; null where it says nothing, or is no JSON. */
  static @Nullable JsonNode parsed(@Nullable String json) {
    try {
      return json == null ? null : MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static BufferedReader reader(Path file) throws IOException {
    return new BufferedReader(
        new InputStreamReader(
            Files.newInputStream(file),
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE)),
        1 << 16);
  }

  private static TraceException unreadable(Path file, IOException e) {
    return new TraceException(
        file.toString(), 0, null, String.valueOf(e.getMessage()), "a log that can be read");
  }

  /** Unix ms of an ISO date or a number of ms, else {@link #NO_TIME}. */
  static long millis(JsonNode value) {
    long millis = -1;
    if (value.isNumber() && value.doubleValue() <= LATEST_MILLIS) {
      millis = value.longValue();
    } else if (value.isTextual()) {
      try {
        millis = Instant.parse(value.textValue()).toEpochMilli();
      } catch (DateTimeParseException | ArithmeticException e) {
        return NO_TIME;
      }
    }
    return millis < 0 || millis > LATEST_MILLIS ? NO_TIME : millis;
  }

  /**
   * Whether a usage holds, by one of these names, what is no count of tokens: a text, or less than
   * 0.
   */
  static boolean holdsBadCount(JsonNode usage, String... names) {
    for (String name : names) {
      JsonNode value = usage.path(name);
      boolean absent = value.isMissingNode() || value.isNull();
      if (!absent && !(value.isNumber() && value.doubleValue() >= 0)) {
        return true;
      }
    }
    return false;
  }

  /** A count of tokens: 0 where there is none, or none that makes sense. */
  static long tokens(JsonNode value) {
    return value.isNumber() && value.doubleValue() > 0
        ? (long) Math.min(MOST_TOKENS, value.doubleValue())
        : 0;
  }

  /**
   * Whether a number in an object is a count of tokens by its name. A kind of line that is not
   * known may hold what should have been counted.
   */
  static boolean holdsTokenCounts(JsonNode object) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      JsonNode value = field.getValue();
      if ((value.isNumber() && name.contains("token")) || holdsTokenCounts(value)) {
        return true;
      }
    }
    if (object.isArray()) {
      for (JsonNode item : object) {
        if (holdsTokenCounts(item)) {
          return true;
        }
      }
    }
    return false;
  }
}
