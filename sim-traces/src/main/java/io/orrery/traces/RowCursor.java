package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Where one is in a file of rows, and how one moves on; {@link JsonRows} reads values. */
class RowCursor implements Closeable {
  private final String file;
  private final TextForm form;
  final Tokens tokens;
  boolean textNumbers;
  private LongPredicate recordWanted = line -> true;
  private int rowLine;
  private BooleanSupplier enough = () -> false;
  private boolean stopped;

  RowCursor(String file, TextForm form, Tokens tokens) {
    this.file = file;
    this.form = form;
    this.tokens = tokens;
    textNumbers = form.table();
  }

  /** Name of the file, for messages. */
  String file() {
    return file;
  }

  /** Whether the rows are comma-separated values. */
  boolean isTable() {
    return form.table();
  }

  /** From now on numbers may stand in quotes, as they do in tables. */
  void acceptTextNumbers() {
    textNumbers = true;
  }

  /** The table's columns, known once {@link #nextRow} has been called. */
  List<String> columns() {
    return tokens.columns();
  }

  /** From now on there is no further row once somebody says so. */
  void stopWhen(BooleanSupplier isEnough) {
    enough = isEnough;
  }

  /** Whether there may be rows that nobody wanted. */
  boolean isStopped() {
    return stopped;
  }

  /** Moves into the next row; false at the end of the file. */
  boolean nextRow() {
    if (enough.getAsBoolean()) {
      stopped |= hasMore();
      return false;
    }
    JsonToken token = token();
    while (token == null) {
      if (!nextRecord()) {
        return false;
      }
      token = token();
    }
    if (form.table() && rowLine == 0) {
      checkColumns();
    }
    rowLine = line();
    if (token != JsonToken.START_OBJECT) {
      throw wrong(null, found(), "one JSON object per line");
    }
    return true;
  }

  private boolean hasMore() {
    try {
      return token() != null || nextRecord();
    } catch (TraceException e) {
      return true;
    }
  }

  private void checkColumns() {
    Set<String> seen = new HashSet<>();
    for (String column : columns()) {
      if (!seen.add(column)) {
        throw wrong(1, column, "a second value", "each key once per object");
      }
    }
  }

  /** Asks before each record whether it is to be read, by the line with which it begins. */
  void listen(LongPredicate wanted) {
    recordWanted = wanted;
  }

  /** The record read last, where each is parsed by itself. */
  String recordText() {
    try {
      return tokens.recordText();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** The first line of the record being read, where each is parsed by itself; 0 between two. */
  long recordLine() {
    return tokens.recordLine();
  }

  /** Leaves out what is left of the current record, where each is parsed by itself. */
  void leaveRecord() {
    tokens.leaveRecord();
  }

  private boolean nextRecord() {
    try {
      boolean found;
      do {
        found = tokens.nextRecord();
      } while (found && !recordWanted.test(tokens.recordLine()));
      return found;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Name of the next field of the current object; null at its end. */
  @Nullable String nextField() {
    try {
      return tokens.nextName();
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
      tokens.next();
      tokens.skipChildren();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** Moves to the value of the field just named, to skip it with {@link #skipElement}. */
  @Nullable JsonToken beginValue() {
    return token();
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

  /** Moves to the next element of the array entered; null at its end. */
  @Nullable JsonToken nextElement() {
    JsonToken token = token();
    return token == JsonToken.END_ARRAY ? null : token;
  }

  /** Skips what is left of the element that {@link #nextElement} has come to. */
  void skipElement() {
    try {
      tokens.skipChildren();
    } catch (IOException e) {
      throw broken(e);
    }
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

  /** An exception at the current line; in a table the row's, whose last value ends its line. */
  TraceException wrong(@Nullable String field, String value, String expected) {
    return new TraceException(
        file, form.table() && rowLine > 0 ? rowLine : line(), field, value, expected);
  }

  /** An exception at another line, 0 for none. */
  TraceException wrong(int atLine, @Nullable String field, String value, String expected) {
    return new TraceException(file, atLine, field, value, expected);
  }

  @Override
  public void close() throws IOException {
    tokens.close();
  }

  @Nullable JsonToken token() {
    try {
      return tokens.next();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  String currentText() {
    return tokens.text();
  }

  /** The current token as a reader of the message would write it. */
  String found() {
    JsonToken token = tokens.current();
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
    return (int) Math.min(Integer.MAX_VALUE, tokens.line());
  }

  TraceException broken(IOException e) {
    return ParserComplaints.of(e, file, line(), tokens.parserOffset(), form.table());
  }
}
