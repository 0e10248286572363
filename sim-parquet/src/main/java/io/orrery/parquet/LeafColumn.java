package io.orrery.parquet;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.Type;

/**
 * A column as the file stores it.
 *
 * <p>Parquet flattens a row into values with two small numbers each. The repetition level is 0
 * where a row begins. The definition level counts how much of the path to the value is there: all
 * of it, and the value exists; up to the repeated field but not into it, and the list is empty;
 * less, and the row has no value.
 *
 * @param position 0-based, among all columns of the file
 * @param column as the caller sees it
 * @param stored the type of the values in pages
 * @param declared the whole type in the file's words, for messages
 * @param descriptor path, stored type and highest levels
 * @param listLevel definition level from which on a list has an element; 0 for plain columns
 * @param unsigned whether stored integers are unsigned
 */
record LeafColumn(
    int position,
    Column column,
    Type stored,
    String declared,
    ColumnDescriptor descriptor,
    int listLevel,
    boolean unsigned) {
  boolean isList() {
    return column.type() == ColumnType.INT_LIST || column.type() == ColumnType.LONG_LIST;
  }

  /** Definition level of a value that exists. */
  int fullLevel() {
    return descriptor.getMaxDefinitionLevel();
  }
}
