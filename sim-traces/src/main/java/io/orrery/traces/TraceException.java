package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * A trace that cannot be read or does not make sense. The message reads {@code FILE:LINE: FIELD:
 * found VALUE, expected WHAT}; parts that do not apply (a hand-built trace has no file) are left
 * out. What is found and expected, and the message, are {@linkplain PrintableText printable}.
 */
public final class TraceException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_VALUE = 80;

  private final @Nullable String file;
  private final long line;
  private final @Nullable String field;
  private final String value;
  private final String expected;

  /**
   * @param file name of the file, null where there is none
   * @param line 1-based line, 0 where there is none
   * @param field the field or thing at fault, null where the whole file is
   * @param value what was found; long values are shortened
   * @param expected what would have been right
   */
  public TraceException(
      @Nullable String file, long line, @Nullable String field, String value, String expected) {
    super(message(file, line, field, shortened(value), PrintableText.of(expected)));
    this.file = file;
    this.line = line;
    this.field = field;
    this.value = shortened(value);
    this.expected = PrintableText.of(expected);
  }

  /** Name of the file, null for a hand-built trace. */
  public @Nullable String file() {
    return file;
  }

  /** 1-based line, 0 where there is none. */
  public long line() {
    return line;
  }

  /** The field at fault, null where the whole file is. */
  public @Nullable String field() {
    return field;
  }

  /** What was found, shortened. */
  public String value() {
    return value;
  }

  /** What would have been right. */
  public String expected() {
    return expected;
  }

  private static String message(
      @Nullable String file, long line, @Nullable String field, String value, String expected) {
    StringBuilder text = new StringBuilder();
    if (file != null) {
      text.append(PrintableText.of(file)).append(':');
      if (line > 0) {
        text.append(line).append(':');
      }
      text.append(' ');
    }
    if (field != null) {
      text.append(PrintableText.of(field)).append(": ");
    }
    return text.append("found ").append(value).append(", expected ").append(expected).toString();
  }

  private static String shortened(String value) {
    if (value.length() <= LONGEST_VALUE) {
      return PrintableText.of(value);
    }
    int cut = LONGEST_VALUE - 1;
    int end = Character.isSurrogatePair(value.charAt(cut - 1), value.charAt(cut)) ? cut - 1 : cut;
    return PrintableText.of(value.substring(0, end)) + "…";
  }
}
