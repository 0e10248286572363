package io.orrery.parquet;

import java.util.Objects;

/**
 * How a file is written.
 *
 * @param createdBy the program that writes it, kept in the file: {@code orrery version 0.1.0}
 * @param compression of the pages
 * @param rowGroupRows rows in a row group, at least 1: what a reader that streams holds at a time,
 *     and what this writer keeps in memory, encoded
 * @param parallel whether columns are encoded by all processors; the bytes do not depend on it
 */
public record WriteOptions(
    String createdBy, Compression compression, int rowGroupRows, boolean parallel) {
  private static final int USUAL_ROW_GROUP_ROWS = 1 << 17;

  public WriteOptions {
    Objects.requireNonNull(createdBy, "createdBy");
    Objects.requireNonNull(compression, "compression");
    if (rowGroupRows < 1) {
      throw new IllegalArgumentException("a row group needs at least 1 row, not " + rowGroupRows);
    }
  }

  /** Zstandard, row groups of 131,072 rows. */
  public static WriteOptions of(String createdBy) {
    return new WriteOptions(createdBy, Compression.ZSTD, USUAL_ROW_GROUP_ROWS, false);
  }

  public WriteOptions withCompression(Compression other) {
    return new WriteOptions(createdBy, other, rowGroupRows, parallel);
  }

  public WriteOptions withRowGroupRows(int rows) {
    return new WriteOptions(createdBy, compression, rows, parallel);
  }

  public WriteOptions inParallel() {
    return new WriteOptions(createdBy, compression, rowGroupRows, true);
  }
}
