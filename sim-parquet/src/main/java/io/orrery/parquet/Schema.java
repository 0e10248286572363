package io.orrery.parquet;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a table or file, in order; names are unique. Immutable. */
public final class Schema {
  private final List<Column> columns;
  private final Map<String, Integer> positions = new LinkedHashMap<>();

  private Schema(List<Column> columns) {
    this.columns = columns;
    for (Column column : columns) {
      if (positions.put(column.name(), positions.size()) != null) {
        throw new IllegalArgumentException("two columns are called " + column.name());
      }
    }
  }

  /**
   * @throws IllegalArgumentException if two columns have one name
   */
  public static Schema of(Column... columns) {
    return new Schema(List.of(columns));
  }

  /**
   * @throws IllegalArgumentException if two columns have one name
   */
  public static Schema of(List<Column> columns) {
    return new Schema(List.copyOf(columns));
  }

  public List<Column> columns() {
    return columns;
  }

  /** Names in order. */
  public List<String> names() {
    return List.copyOf(positions.keySet());
  }

  /** The column of that name, null if there is none. */
  public @Nullable Column find(String name) {
    int position = position(name);
    return position < 0 ? null : columns.get(position);
  }

  /** 0-based position of the column of that name, -1 if there is none. */
  int position(String name) {
    return positions.getOrDefault(name, -1);
  }

  /** "one of a, b, c (did you mean b?)": what to expect where {@code name} was asked for. */
  String alternatives(String name) {
    return columns.isEmpty()
        ? "a file with columns"
        : "one of " + String.join(", ", names()) + NearestColumn.question(name, positions.keySet());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Schema that && columns.equals(that.columns);
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
