package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file, one after the other: JSON objects (JSON lines, or whole files), or rows of
 * comma-separated values under a header, which look like flat objects of texts. They are read as a
 * stream with typed getters whose complaints name file, line, field, value and expectation. A
 * field's value is read by exactly one getter or skipped.
 */
final class JsonRows extends RowCursor {
  /** Rows of a text, of which somebody makes tokens. */
  JsonRows(String file, TextForm form, Tokens tokens) {
    super(file, form, tokens);
  }

  /** Rows of a text, parsed as they are read. */
  static JsonRows of(String file, TextForm form, InputStream in) {
    try {
      return new JsonRows(file, form, new Tokens(form.tokens(in, 0)));
    } catch (IOException e) {
      throw TraceSources.unreadable(file, e);
    }
  }

  /** A string, or null. */
  @Nullable String textOrNull(String field) {
    String text = stringOrNull(field);
    return text == null ? null : whole(field, text);
  }

  private @Nullable String stringOrNull(String field) {
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
    return whole(field, text);
  }

  /** An id as {@link #id}, null for null and for the empty string. */
  @Nullable String idOrNull(String field) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NUMBER_INT) {
      throw wrong(field, found(), "a string");
    }
    String text = currentText();
    return text.isEmpty() ? null : whole(field, text);
  }

  /** A text, whatever scalar it was written as; null for null and for anything nested. */
  @Nullable String scalarOrNull(String field) {
    JsonToken token = token();
    if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      skipElement();
      return null;
    }
    return token == null || token == JsonToken.VALUE_NULL ? null : whole(field, currentText());
  }

  /** The element that {@link #nextElement} has come to, a string or number, as a text. */
  String elementText(String field) {
    return whole(field, currentText());
  }

  /** The text, unless UTF-8 cannot hold it. */
  private String whole(String field, String text) {
    if (!SurrogatePairs.areWhole(text)) {
      throw wrong(field, found(), SurrogatePairs.WHOLE);
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
    return currentNanos(field, nanosPerUnit, unit);
  }

  /**
   * A point in time: a number of the given unit since 1970, or a date and time as {@link WallClock}
   * reads it. Null is {@link Trace#NO_TIME}.
   */
  long instantOrNone(String field, long nanosPerUnit, String unit) {
    JsonToken token = token();
    if (token == JsonToken.VALUE_NULL) {
      return Trace.NO_TIME;
    }
    if (token == JsonToken.VALUE_STRING && !NumberText.isNumber(currentText())) {
      long nanos = WallClock.nanos(currentText());
      if (nanos == Decimals.OUT_OF_RANGE) {
        throw wrong(
            field,
            found(),
            "a date and time as 2026-01-31T23:59:59.5Z, or a number of " + unit + " since 1970");
      }
      return nanos;
    }
    return currentNanos(field, nanosPerUnit, unit);
  }

  private long currentNanos(String field, long nanosPerUnit, String unit) {
    JsonToken token = tokens.current();
    long nanos;
    if (token == JsonToken.VALUE_NUMBER_INT && tokens.has64Bits()) {
      nanos =
          tokens.isLong() ? Decimals.nanos(tokens.whole(), nanosPerUnit) : Decimals.OUT_OF_RANGE;
    } else if (isNumberHere(token)) {
      nanos =
          Decimals.nanos(
              tokens.characters(), tokens.textStart(), tokens.textLength(), nanosPerUnit);
    } else {
      throw noTime(field, unit, "");
    }
    if (nanos == Decimals.OUT_OF_RANGE) {
      throw noTime(field, unit, " and at most 146 years");
    }
    if (nanos < 0) {
      throw noTime(field, unit, "");
    }
    return nanos;
  }

  private TraceException noTime(String field, String unit, String most) {
    return wrong(field, found(), "a number of " + unit + ", at least 0" + most);
  }

  /** The element that {@link #nextElement} has come to, as a time. */
  long elementNanos(String field, long nanosPerUnit, String unit) {
    return currentNanos(field, nanosPerUnit, unit);
  }

  /** The element that {@link #nextElement} has come to, as a whole number. */
  long elementWhole(String field, long min, long max) {
    return currentWhole(field, min, max);
  }

  /** The element that {@link #nextElement} has come to, as an id. */
  String elementId(String field) {
    JsonToken token = tokens.current();
    if (token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NUMBER_INT) {
      throw wrong(field, found(), "ids");
    }
    return whole(field, currentText());
  }

  /** As {@link HashLists#intRuns}. */
  int intRuns(String field, RunColumn into) {
    return new HashLists(this, tokens).intRuns(field, into);
  }

  /** As {@link HashLists#hashes}, for a list in brackets that is a text, as tables hold them. */
  boolean hashesInText(String field, HashRuns into) {
    String text = stringOrNull(field);
    return text != null && new HashLists(this, tokens).hashesInText(field, text, into);
  }

  /** As {@link HashLists#hashes}. */
  boolean hashes(String field, HashRuns into) {
    return new HashLists(this, tokens).hashes(field, into);
  }

  private long currentWhole(String field, long min, long max) {
    JsonToken token = tokens.current();
    long value;
    if (token == JsonToken.VALUE_NUMBER_INT && tokens.isLong()) {
      value = tokens.whole();
    } else if (!isNumberHere(token)) {
      throw notWhole(field, min, max);
    } else {
      value =
          token == JsonToken.VALUE_STRING
              ? NumberText.whole(currentText())
              : NumberText.whole(Double.parseDouble(currentText()));
      if (value == NumberText.NOT_WHOLE) {
        throw notWhole(field, min, max);
      }
    }
    if (value < min || value > max) {
      throw notWhole(field, min, max);
    }
    return value;
  }

  private TraceException notWhole(String field, long min, long max) {
    return wrong(field, found(), "a whole number from " + min + " to " + max);
  }

  /** Whether there is a finite number here, or the text of one where that is accepted. */
  private boolean isNumberHere(@Nullable JsonToken token) {
    if (token == JsonToken.VALUE_STRING) {
      return textNumbers && NumberText.isNumber(currentText());
    }
    return token == JsonToken.VALUE_NUMBER_INT
        || (token == JsonToken.VALUE_NUMBER_FLOAT && !tokens.isNaN());
  }
}
