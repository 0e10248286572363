package io.orrery.parquet;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file or table that cannot be read, written, or taken for what the caller expects. The message
 * reads {@code FILE: COLUMN: found WHAT, expected WHAT}; parts that do not apply (a table built in
 * memory has no file) are left out.
 */
public final class ParquetException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_FINDING = 160;

  private final @Nullable String file;
  private final @Nullable String column;
  private final String found;
  private final String expected;

  ParquetException(@Nullable Path file, @Nullable String column, String found, String expected) {
    this(file, column, found, expected, null);
  }

  ParquetException(
      @Nullable Path file,
      @Nullable String column,
      String found,
      String expected,
      @Nullable Throwable cause) {
    super(message(file, column, shortened(found), expected), cause);
    this.file = file == null ? null : file.toString();
    this.column = column;
    this.found = shortened(found);
    this.expected = expected;
  }

  /** The file at fault, null for a table in memory. */
  public @Nullable String file() {
    return file;
  }

  /** Name of the column at fault, null where the whole file is. */
  public @Nullable String column() {
    return column;
  }

  /** What was found, shortened. */
  public String found() {
    return found;
  }

  /** What would have been right. */
  public String expected() {
    return expected;
  }

  private static String message(
      @Nullable Path file, @Nullable String column, String found, String expected) {
    return (file == null ? "" : file + ": ")
        + (column == null ? "" : column + ": ")
        + ("found " + found + ", expected " + expected);
  }

  private static String shortened(String finding) {
    String flat = finding.replace('\n', ' ').replace('\r', ' ');
    return flat.length() <= LONGEST_FINDING ? flat : flat.substring(0, LONGEST_FINDING - 1) + "…";
  }
}
