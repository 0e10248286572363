package io.orrery.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Opens the values of a page. Parquet's decoders do the work; what they believe without looking is
 * looked at here first.
 */
final class PageValues {
  private static final int LARGEST_DELTA_BLOCK = 1 << 20;

  private PageValues() {}

  /**
   * @param count values in the page, nulls included
   * @param from where the values begin in {@code page}
   */
  static ValuesReader open(
      ColumnDescriptor column, Encoding encoding, byte[] page, int from, int count)
      throws IOException {
    if (encoding.usesDictionary()) {
      return from == page.length
          ? new HybridReader(page, from, from, 0)
          : new HybridReader(page, from + 1, page.length, page[from]);
    }
    boolean booleans =
        column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BOOLEAN;
    if (encoding == Encoding.RLE && booleans) {
      int start = from + Integer.BYTES;
      return new HybridReader(page, start, start + length(page, from), 1);
    }
    ValuesReader values = encoding.getValuesReader(column, ValuesType.VALUES);
    switch (encoding) {
      case DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY -> checkDelta(page, from, count);
      case DELTA_BYTE_ARRAY -> {
        checkDelta(page, from, count);
        ByteBufferInputStream prefixes = stream(page, from);
        new DeltaBinaryPackingValuesReader().initFromPage(count, prefixes);
        checkDelta(page, page.length - prefixes.available(), count);
      }
      default -> {}
    }
    values.initFromPage(count, stream(page, from));
    return values;
  }

  /**
   * The four bytes of length that stand before runs, checked against what follows them.
   *
   * @throws IOException if there is less
   */
  static int length(byte[] page, int from) throws IOException {
    if (page.length - from < Integer.BYTES) {
      throw new IOException("a page that breaks off");
    }
    int length =
        (page[from] & 255)
            | (page[from + 1] & 255) << 8
            | (page[from + 2] & 255) << 16
            | (page[from + 3] & 255) << 24;
    if (length < 0 || length > page.length - from - Integer.BYTES) {
      throw new IOException("a page that breaks off");
    }
    return length;
  }

  /** Deltas begin with the size of a block, mini blocks in it, and the number of values. */
  private static void checkDelta(byte[] page, int from, int count) throws IOException {
    long[] header = new long[3];
    int position = from;
    for (int field = 0; field < header.length; field++) {
      int shift = 0;
      int piece;
      do {
        if (position >= page.length || shift > 28) {
          throw new IOException("deltas that break off");
        }
        piece = page[position++];
        header[field] |= (piece & 127L) << shift;
        shift += 7;
      } while (piece < 0);
    }
    if (header[0] > LARGEST_DELTA_BLOCK || header[1] > header[0] || header[2] > count) {
      throw new IOException("a block of " + header[0] + " and " + header[2] + " deltas");
    }
  }

  private static ByteBufferInputStream stream(byte[] page, int from) {
    return ByteBufferInputStream.wrap(ByteBuffer.wrap(page, from, page.length - from).slice());
  }
}
