package io.orrery.reports.table;

import java.io.IOException;

/** Takes a table row by row, one value for every column, in the order of the columns. */
public interface RowSink {
  void text(String value) throws IOException;

  void number(long value) throws IOException;

  void decimal(double value) throws IOException;

  /** No value, in a column that allows for that. */
  void nothing() throws IOException;

  void endRow() throws IOException;

  /** A number, or no value where it is negative. */
  default void numberOrNothing(long value) throws IOException {
    if (value < 0) {
      nothing();
    } else {
      number(value);
    }
  }

  /** A decimal number, or no value where it is none. */
  default void decimalOrNothing(double value) throws IOException {
    if (Double.isFinite(value)) {
      decimal(value);
    } else {
      nothing();
    }
  }
}
