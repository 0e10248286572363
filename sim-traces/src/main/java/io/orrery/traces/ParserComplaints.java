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
  static TraceException of(IOException e, String file, long line, long lineOffset, boolean table) {
    String row = table ? "rows of comma-separated values" : "one JSON object per line";
    if (e instanceof BadRowException bad) {
      return bad.at(file, line);
    }
    if (e instanceof JsonEOFException eof) {
      return at(
          eof, file, lineOffset, "the end of the file inside an object", "a complete JSON object");
    }
    if (e instanceof CharConversionException) {
      return new TraceException(file, line, null, "text that is not UTF-8", "UTF-8 text");
    }
    if (e instanceof StreamConstraintsException) {
      return tooLarge(String.valueOf(e.getMessage()), file, line);
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

  /** The limits are those of {@link RowParsers}. */
  private static TraceException tooLarge(String message, String file, long line) {
    String what = message.toLowerCase(Locale.ROOT);
    if (what.contains("nesting")) {
      return new TraceException(
          file,
          line,
          null,
          "nesting deeper than " + RowParsers.MAX_DEPTH + " levels",
          "less nesting");
    }
    boolean number = what.startsWith("number");
    boolean name = what.startsWith("name");
    int most = number ? RowParsers.MAX_DIGITS : name ? RowParsers.MAX_NAME : RowParsers.MAX_TEXT;
    String kind = number ? "a number" : name ? "a key" : "a string";
    return new TraceException(
        file,
        line,
        null,
        String.format(Locale.ROOT, "%s of more than %,d characters", kind, most),
        "a shorter one");
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
