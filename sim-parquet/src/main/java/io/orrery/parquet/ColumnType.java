package io.orrery.parquet;

/** What a column holds. */
public enum ColumnType {
  BOOLEAN("boolean"),
  /** Signed 32-bit integers. */
  INT("int"),
  /** Signed 64-bit integers; unsigned 32-bit integers of other writers are read as these. */
  LONG("long"),
  /** IEEE doubles, zeroes with their sign; floats of other writers are read as these. */
  DOUBLE("double"),
  /** Text; UTF-8 in the file. */
  STRING("string"),
  /** A list of {@link #INT} in every row. */
  INT_LIST("list of int"),
  /** A list of {@link #LONG} in every row. */
  LONG_LIST("list of long"),
  /**
   * Something that other writers know: such a column is listed, but can be neither read nor
   * written.
   */
  OTHER("other");

  private final String text;

  ColumnType(String text) {
    this.text = text;
  }

  /** As messages call it: {@code list of int}. */
  @Override
  public String toString() {
    return text;
  }
}
