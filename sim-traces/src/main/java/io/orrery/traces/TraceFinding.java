package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * Something that was noticed about a trace's files.
 *
 * @param severity how bad it is
 * @param what in words, without the place
 * @param count how often
 * @param file the file of its first occurrence, null where it is about no file
 * @param line the 1-based line of its first occurrence, 0 where there is none
 * @param field the field at fault, null where no single one is
 */
public record TraceFinding(
    Severity severity,
    String what,
    long count,
    @Nullable String file,
    long line,
    @Nullable String field) {

  /** How bad a finding is. */
  public enum Severity {
    /** What was read, or left aside on purpose. */
    NOTE,
    /** Odd but usable; the docs say what it is taken for. */
    WARNING,
    /** A record that cannot be read. */
    ERROR
  }

  /** {@code FILE:LINE:FIELD}, as far as these are known. */
  public String place() {
    StringBuilder text = new StringBuilder(file == null ? "" : file);
    if (line > 0) {
      text.append(':').append(line);
    }
    if (field != null) {
      text.append(text.length() > 0 ? ":" : "").append(field);
    }
    return text.toString();
  }

  /** What stands behind an exception. */
  static TraceFinding of(TraceException e) {
    return new TraceFinding(
        Severity.ERROR,
        "found " + e.value() + ", expected " + e.expected(),
        1,
        e.file(),
        e.line(),
        e.field());
  }
}
