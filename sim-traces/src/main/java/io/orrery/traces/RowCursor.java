package io.orrery.traces;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Where one is in a file of rows, and how one moves on; {@link JsonRows} reads values. */
class RowCursor implements Closeable {
  private final String file;
  private final boolean table;

  /** Where bad lines may be left out, the lines; else null. */
  private final @Nullable LineFeed lines;

  JsonParser parser;
  private @Nullable CsvSchema columns;
  boolean textNumbers;
  private boolean folded;
  private boolean keysOnce;

  private LongPredicate lineWanted = line -> true;

  /** Lines before the parser's first. */
  private long lineOffset;

  private int rowLine;

  /**
   * Rows of a text.
   *
   * @param table whether they are comma-separated values
   * @param byLine whether each line is parsed by itself, so that {@link #nextLine} can leave one
   *     out
   */
  RowCursor(String file, InputStream in, boolean table, boolean byLine) {
    this.file = file;
    this.table = table;
    textNumbers = table;
    lines = byLine ? new LineFeed(in, table) : null;
    try {
      if (byLine) {
        parser = RowParsers.json(new byte[0]);
      } else {
        parser = table ? RowParsers.table(in) : RowParsers.json(in);
      }
    } catch (IOException e) {
      throw new TraceException(
          file, 0, null, "an unreadable file (" + e.getMessage() + ")", "a readable trace file");
    }
  }

  /** Name of the file, for messages. */
  String file() {
    return file;
  }

  /** Whether the rows are comma-separated values. */
  boolean isTable() {
    return table;
  }

  /** From now on a key that comes twice in an object, or a column twice in a table, is an error. */
  void refuseRepeatedKeys() {
    keysOnce = true;
    parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }

  /** Says that the text has passed through {@link RunFolding}. */
  void folded() {
    folded = true;
  }

  boolean isFolded() {
    return folded;
  }

  /** From now on numbers may stand in quotes, as they do in tables. */
  void acceptTextNumbers() {
    textNumbers = true;
  }

  /** The table's columns, known once {@link #nextRow} has been called. */
  List<String> columns() {
    CsvSchema known = columns;
    if (known == null && parser instanceof CsvParser csv) {
      known = csv.getSchema();
    }
    List<String> names = new ArrayList<>();
    if (known != null) {
      known.forEach(column -> names.add(column.getName()));
    }
    return names;
  }

  /** Moves into the next row; false at the end of the file. */
  boolean nextRow() {
    JsonToken token = token();
    while (token == null) {
      if (!openLine()) {
        return false;
      }
      token = token();
    }
    if (table && rowLine == 0) {
      checkColumns();
    }
    rowLine = line();
    if (token != JsonToken.START_OBJECT) {
      throw wrong(null, found(), "one JSON object per line");
    }
    return true;
  }

  private void checkColumns() {
    Set<String> seen = new HashSet<>();
    for (String column : columns()) {
      if (!seen.add(column)) {
        throw wrong(1, column, "a second value", "each key once per object");
      }
    }
  }

  /** Asks before each line whether it is to be read; only where each is parsed by itself. */
  void listen(LongPredicate wanted) {
    lineWanted = wanted;
  }

  /** The line read last, where each is parsed by itself. */
  String lineText() {
    return lines == null ? "" : lines.text();
  }

  /** Number of the line read last, where each is parsed by itself. */
  long startedLine() {
    return lines == null ? 0 : lines.number();
  }

  /** Leaves out the rest of the current line; returns its text. */
  String nextLine() {
    String text = lineText();
    try {
      parser.close();
      parser = RowParsers.json(new byte[0]);
    } catch (IOException e) {
      throw broken(e);
    }
    return text;
  }

  private boolean openLine() {
    LineFeed feed = lines;
    if (feed == null) {
      return false;
    }
    try {
      do {
        if (!feed.next()) {
          return false;
        }
      } while (!lineWanted.test(feed.number()));
      if (table && columns == null) {
        columns = header(feed.bytes());
        return openLine();
      }
      lineOffset = feed.number() - 1;
      CsvSchema known = columns;
      parser =
          known == null ? RowParsers.json(feed.bytes()) : RowParsers.table(feed.bytes(), known);
      if (keysOnce) {
        refuseRepeatedKeys();
      }
      return true;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static CsvSchema header(byte[] line) throws IOException {
    try (CsvParser header = RowParsers.table(new ByteArrayInputStream(line))) {
      header.nextToken();
      return header.getSchema();
    }
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
      parser.skipChildren();
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
        file, table && rowLine > 0 ? rowLine : line(), field, value, expected);
  }

  /** An exception at an earlier line. */
  TraceException wrong(int atLine, String field, String value, String expected) {
    return new TraceException(file, atLine, field, value, expected);
  }

  @Override
  public void close() throws IOException {
    parser.close();
    if (lines != null) {
      lines.close();
    }
  }

  @Nullable JsonToken token() {
    try {
      return parser.nextToken();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  String currentText() {
    try {
      return parser.getText();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** The current token as a reader of the message would write it. */
  String found() {
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
    return (int) Math.min(Integer.MAX_VALUE, lineOffset + ParserComplaints.line(parser));
  }

  TraceException broken(IOException e) {
    return ParserComplaints.of(e, file, line(), lineOffset, table, RowParsers.MAX_DEPTH);
  }
}
