package io.orrery.parquet;

import java.util.Objects;

/**
 * A column of a {@link Schema}.
 *
 * @param name its name; in files of other writers the dotted path of a field inside a group
 * @param type what it holds
 * @param nullable whether rows may have no value in it
 */
public record Column(String name, ColumnType type, boolean nullable) {
  public Column {
    Objects.requireNonNull(type, "type");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a column needs a name");
    }
  }

  /** A column with a value in every row. */
  public static Column required(String name, ColumnType type) {
    return new Column(name, type, false);
  }

  /** A column that may be null in some rows. */
  public static Column nullable(String name, ColumnType type) {
    return new Column(name, type, true);
  }

  /** {@code latency: double} or {@code ttft: long, nullable}. */
  @Override
  public String toString() {
    return name + ": " + type + (nullable ? ", nullable" : "");
  }
}
