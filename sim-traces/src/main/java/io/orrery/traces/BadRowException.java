package io.orrery.traces;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What is wrong with the cells of a table's row, in this module's words. */
final class BadRowException extends IOException {
  private static final long serialVersionUID = 1L;
  private final @Nullable String column;
  private final String value;
  private final String expected;

  /**
   * A complaint.
   *
   * @param column the cell's column, null where the whole row is at fault
   */
  BadRowException(@Nullable String column, String value, String expected) {
    super(value);
    this.column = column;
    this.value = value;
    this.expected = expected;
  }

  /** The same as a trace's. */
  TraceException at(String file, long line) {
    return new TraceException(file, line, column, value, expected);
  }
}
