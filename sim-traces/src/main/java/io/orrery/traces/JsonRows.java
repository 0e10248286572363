package io.orrery.traces;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The JSON objects of a file, one after the other (JSON lines, or whole files), read as a stream
 * with typed getters whose complaints name file, line, field, value and expectation. A field's
 * value is read by exactly one getter or skipped.
 */
final class JsonRows implements Closeable {
  private static final int MAX_DEPTH = 100;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(400)
                  .build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private final String file;
  private final JsonParser parser;
  private int rowLine;

  JsonRows(String file, InputStream in) {
    this.file = file;
    try {
      parser = FACTORY.createParser(in);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Name of the file, for messages. */
  String file() {
    return file;
  }

  /** Moves into the next object; false at the end of the file. */
  boolean nextRow() {
    JsonToken token = token();
    if (token == null) {
      return false;
    }
    rowLine = line();
    if (token != JsonToken.START_OBJECT) {
      throw wrong(null, found(), "one JSON object per line");
    }
    return true;
  }

  /** Name of the next field of the current object; null at its end. */
  @Nullable String nextField() {
    try {
      return parser.nextFieldName();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Line of the current object's first character, 1-based. */
  int rowLine() {
    return rowLine;
  }

  /** Skips the value of the field just named. */
  void skip() {
    try {
      parser.nextToken();
      parser.skipChildren();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** A string, or null. */
  @Nullable String textOrNull(String field) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token != JsonToken.VALUE_STRING) {
      throw wrong(field, found(), "a string");
    }
    return currentText();
  }

  /** An id: a non-empty string or a whole number. */
  String id(String field) {
    JsonToken token = token();
    boolean fits = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
    String text = fits ? currentText() : "";
    if (text.isEmpty()) {
      throw wrong(field, found(), "a string that is not empty");
    }
    return text;
  }

  /** A whole number in [min, max]. */
  long whole(String field, long min, long max) {
    token();
    return currentWhole(field, min, max);
  }

  /** A whole number in [min, max], or {@code missing} for null. */
  long wholeOr(String field, long min, long max, long missing) {
    return token() == JsonToken.VALUE_NULL ? missing : currentWhole(field, min, max);
  }

  /** A time of at least 0 in the given unit, as nanoseconds; null is {@link Trace#NO_TIME}. */
  long nanosOrNone(String field, long nanosPerUnit, String unit) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return Trace.NO_TIME;
    }
    String expected = "a number of " + unit + ", at least 0";
    try {
      long nanos;
      if (token == JsonToken.VALUE_NUMBER_INT
          && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        nanos = Decimals.nanos(parser.getLongValue(), nanosPerUnit);
      } else if (isNumber(token) && !parser.isNaN()) {
        nanos =
            Decimals.nanos(
                parser.getTextCharacters(),
                parser.getTextOffset(),
                parser.getTextLength(),
                nanosPerUnit);
      } else {
        throw wrong(field, found(), expected);
      }
      if (nanos == Decimals.OUT_OF_RANGE) {
        throw wrong(field, found(), expected + " and at most 146 years");
      }
      if (nanos < 0) {
        throw wrong(field, found(), expected);
      }
      return nanos;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Enters the object or array that is the field's value; false for null. */
  boolean enter(String field, JsonToken start) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return false;
    }
    if (token != start) {
      throw wrong(field, found(), start == JsonToken.START_ARRAY ? "an array" : "an object");
    }
    return true;
  }

  /** Moves to the next object of the array entered; false at its end. */
  boolean nextObject(String field) {
    JsonToken token = token();
    if (token == JsonToken.END_ARRAY) {
      return false;
    }
    if (token != JsonToken.START_OBJECT) {
      throw wrong(field, found(), "an array of objects");
    }
    return true;
  }

  /**
   * Adds an array of ints, which {@link RunFolding} may have folded, to a new list of runs and
   * returns their number; null counts as empty.
   */
  int intRuns(String field, RunColumn into) {
    into.startList();
    if (!enter(field, JsonToken.START_ARRAY)) {
      return 0;
    }
    int count = 0;
    try {
      for (JsonToken token; (token = parser.nextToken()) != JsonToken.END_ARRAY; ) {
        int length = 1;
        int first;
        if (token == JsonToken.VALUE_NUMBER_INT) {
          first = parser.getIntValue();
        } else {
          first = foldedFirst(field, token);
          length = foldedLength(field);
        }
        into.add(first, length);
        count += length;
      }
      return count;
    } catch (InputCoercionException e) {
      throw wrong(field, found(), "whole numbers of 32 bits");
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Adds an array of 64-bit hashes, signed or unsigned; false for null. */
  boolean hashes(String field, LongColumn into) {
    if (!enter(field, JsonToken.START_ARRAY)) {
      return false;
    }
    try {
      JsonToken token;
      while ((token = parser.nextToken()) == JsonToken.VALUE_NUMBER_INT) {
        into.add(
            parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? unsigned(field)
                : parser.getLongValue());
      }
      if (token != JsonToken.END_ARRAY) {
        throw wrong(field, found(), "whole numbers of 64 bits");
      }
      return true;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * First number of a run; what {@link RunFolding} would not have written is the file's mistake.
   */
  private int foldedFirst(String field, @Nullable JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw wrong(field, found(), "whole numbers");
    }
    if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT || parser.getIntValue() < 0) {
      throw wrong(field, "an array", "whole numbers");
    }
    return parser.getIntValue();
  }

  private int foldedLength(String field) throws IOException {
    int length = parser.nextToken() == JsonToken.VALUE_NUMBER_INT ? parser.getIntValue() : 0;
    if (length < 1 || parser.nextToken() != JsonToken.END_ARRAY) {
      throw wrong(field, "an array", "whole numbers");
    }
    return length;
  }

  /**
   * Notes that a field of the current object has been seen.
   *
   * @param seen fields seen so far, one bit each
   * @return {@code seen} with the field's bit
   */
  int once(int seen, int bit, String field) {
    if ((seen & bit) != 0) {
      skip();
      throw wrong(field, "a second value", "each key once per object");
    }
    return seen | bit;
  }

  /** An exception at the current line. */
  TraceException wrong(@Nullable String field, String value, String expected) {
    return new TraceException(file, line(), field, value, expected);
  }

  /** An exception at an earlier line. */
  TraceException wrong(int atLine, String field, String value, String expected) {
    return new TraceException(file, atLine, field, value, expected);
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  private @Nullable JsonToken token() {
    try {
      return parser.nextToken();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private String currentText() {
    try {
      return parser.getText();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private long currentWhole(String field, long min, long max) {
    String expected = "a whole number from " + min + " to " + max;
    try {
      JsonToken token = parser.currentToken();
      if (!isNumber(token) || parser.isNaN()) {
        throw wrong(field, found(), expected);
      }
      long value;
      if (token == JsonToken.VALUE_NUMBER_INT
          && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        value = parser.getLongValue();
      } else {
        double number = parser.getDoubleValue();
        value = (long) number;
        if (value != number || Math.abs(number) > 1L << 53) {
          throw wrong(field, found(), expected);
        }
      }
      if (value < min || value > max) {
        throw wrong(field, found(), expected);
      }
      return value;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private long unsigned(String field) throws IOException {
    var value = parser.getBigIntegerValue();
    if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
      throw wrong(field, found(), "whole numbers of 64 bits");
    }
    return value.longValue();
  }

  private static boolean isNumber(@Nullable JsonToken token) {
    return token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
  }

  /** The current token as a reader of the message would write it. */
  private String found() {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "the end of the file";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "the string \"" + currentText() + '"';
      default -> token == JsonToken.END_ARRAY ? "the end of an array" : currentText();
    };
  }

  /** The current line, 1-based. */
  int line() {
    return parser.currentLocation().getLineNr();
  }

  private TraceException broken(IOException e) {
    if (e instanceof JsonEOFException eof) {
      return at(eof, "the end of the file inside an object", "a complete JSON object");
    }
    if (e instanceof StreamConstraintsException) {
      String message = firstSentence(e).toLowerCase(Locale.ROOT);
      return message.contains("nesting")
          ? wrong(null, "nesting deeper than " + MAX_DEPTH + " levels", "less nesting")
          : wrong(null, "an excessive " + message, "shorter values");
    }
    if (e instanceof JsonParseException parse) {
      return at(
          parse, "text that is not JSON (" + firstSentence(e) + ")", "one JSON object per line");
    }
    return new TraceException(
        file, 0, null, "an unreadable file (" + e.getMessage() + ")", "a readable trace file");
  }

  private TraceException at(JsonParseException e, String value, String expected) {
    return new TraceException(file, e.getLocation().getLineNr(), null, value, expected);
  }

  private static String firstSentence(IOException e) {
    String message =
        e instanceof JsonParseException parse ? parse.getOriginalMessage() : e.getMessage();
    String text = message == null ? "unknown" : message;
    int colon = text.indexOf(": ");
    int bracket = text.indexOf(" (", 1);
    return colon > 0 ? text.substring(0, colon) : bracket > 0 ? text.substring(0, bracket) : text;
  }
}
