package io.orrery.traces;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.Locale;

/** Says in this module's words what a parser complains about. */
final class ParserComplaints {
  private static final String REPEATED = "Duplicate field '";

  private ParserComplaints() {}

  /**
   * The complaint as a trace's.
   *
   * @param line the line where the parser stood
   * @param lineOffset lines before the parser's first
   */
  static TraceException of(
      IOException e, String file, long line, long lineOffset, boolean table, int maxDepth) {
    String row = table ? "rows of comma-separated values" : "one JSON object per line";
    if (e instanceof JsonEOFException eof) {
      return at(
          eof,
          file,
          lineOffset,
          "the end of the file inside " + (table ? "quotes" : "an object"),
          table ? "a complete row" : "a complete JSON object");
    }
    if (e instanceof CharConversionException) {
      return new TraceException(file, line, null, "text that is not UTF-8", "UTF-8 text");
    }
    if (e instanceof StreamConstraintsException) {
      String message = firstSentence(e).toLowerCase(Locale.ROOT);
      boolean nesting = message.contains("nesting");
      return new TraceException(
          file,
          line,
          null,
          nesting ? "nesting deeper than " + maxDepth + " levels" : "an excessive " + message,
          nesting ? "less nesting" : "shorter values");
    }
    if (e instanceof StreamReadException parse
        && String.valueOf(parse.getOriginalMessage()).startsWith(REPEATED)) {
      String message = parse.getOriginalMessage();
      String field = message.substring(REPEATED.length(), message.lastIndexOf('\''));
      return new TraceException(file, line, field, "a second value", "each key once per object");
    }
    if (e instanceof StreamReadException parse) {
      String kind = table ? "text that is no table" : "text that is not JSON";
      return at(parse, file, lineOffset, kind + " (" + firstSentence(e) + ")", row);
    }
    return new TraceException(
        file, 0, null, "an unreadable file (" + e.getMessage() + ")", "a readable trace file");
  }

  private static TraceException at(
      StreamReadException e, String file, long lineOffset, String value, String expected) {
    return new TraceException(
        file,
        e.getLocation() == null ? 0 : lineOffset + e.getLocation().getLineNr(),
        null,
        value,
        expected);
  }

  private static String firstSentence(IOException e) {
    String message =
        e instanceof StreamReadException parse ? parse.getOriginalMessage() : e.getMessage();
    String text = message == null ? "unknown" : message;
    int colon = text.indexOf(": ");
    int bracket = text.indexOf(" (", 1);
    return colon > 0 ? text.substring(0, colon) : bracket > 0 ? text.substring(0, bracket) : text;
  }
}
