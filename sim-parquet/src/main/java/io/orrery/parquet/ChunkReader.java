package io.orrery.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.jspecify.annotations.Nullable;

/** Decodes the pages of one column in one row group. */
final class ChunkReader {
  /** Writers make pages of about 1 MiB; a header that says more than this is damaged. */
  private static final int LARGEST_PAGE = 1 << 28;

  private final LeafColumn leaf;
  private final ColumnDescriptor descriptor;
  private final Compression compression;
  private final byte[] chunk;
  private final ColumnBuilder builder;
  private boolean hasDictionary;

  /**
   * @param chunk the pages, one after the other
   */
  ChunkReader(LeafColumn leaf, Compression compression, byte[] chunk, ColumnBuilder builder) {
    this.leaf = leaf;
    this.descriptor = leaf.descriptor();
    this.compression = compression;
    this.chunk = chunk;
    this.builder = builder;
  }

  /**
   * Appends the chunk's rows.
   *
   * @param valueCount values, nulls and empty lists in it
   * @throws IOException or RuntimeException if the pages do not make sense
   */
  void read(long valueCount) throws IOException {
    long left = valueCount;
    int position = 0;
    while (left > 0) {
      PageHeader header = new PageHeader();
      position += ThriftBytes.read(header, chunk, position);
      int length = header.getCompressed_page_size();
      int size = header.getUncompressed_page_size();
      require(length >= 0 && length <= chunk.length - position, "a page that breaks off");
      require(size >= 0 && size <= LARGEST_PAGE, "a page of " + size + " bytes");
      checkSum(header, position, length);
      if (header.isSetDictionary_page_header()) {
        int count = header.getDictionary_page_header().getNum_values();
        readDictionary(compression.decompress(chunk, position, length, size), count);
      } else if (header.isSetData_page_header()) {
        DataPageHeader data = header.getData_page_header();
        left -= checkedCount(data.getNum_values(), left);
        readPage(data, compression.decompress(chunk, position, length, size));
      } else if (header.isSetData_page_header_v2()) {
        DataPageHeaderV2 data = header.getData_page_header_v2();
        left -= checkedCount(data.getNum_values(), left);
        readPageV2(data, position, length, size);
      }
      position += length;
    }
  }

  private void checkSum(PageHeader header, int position, int length) throws IOException {
    if (header.isSetCrc()) {
      CRC32 crc = new CRC32();
      crc.update(chunk, position, length);
      require((int) crc.getValue() == header.getCrc(), "a page with another checksum");
    }
  }

  private static int checkedCount(int count, long left) throws IOException {
    require(count >= 0 && count <= left, "a page of " + count + " values where " + left + " are");
    return count;
  }

  private void readDictionary(byte[] page, int count) throws IOException {
    int smallest =
        switch (descriptor.getPrimitiveType().getPrimitiveTypeName()) {
          case INT64, DOUBLE -> Long.BYTES;
          default -> Integer.BYTES;
        };
    require(count >= 0 && count <= page.length / smallest, "a dictionary that breaks off");
    builder.values().dictionary(ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN), count);
    hasDictionary = true;
  }

  /** Version 1: levels, with their lengths before them, and values, compressed as one. */
  private void readPage(DataPageHeader header, byte[] page) throws IOException {
    int position = 0;
    HybridReader repetition = null;
    if (descriptor.getMaxRepetitionLevel() > 0) {
      int length = levels(header.getRepetition_level_encoding(), page, position);
      position += Integer.BYTES;
      repetition = levels(descriptor.getMaxRepetitionLevel(), page, position, length);
      position += length;
    }
    HybridReader definition = null;
    if (descriptor.getMaxDefinitionLevel() > 0) {
      int length = levels(header.getDefinition_level_encoding(), page, position);
      position += Integer.BYTES;
      definition = levels(descriptor.getMaxDefinitionLevel(), page, position, length);
      position += length;
    }
    readRows(header.getNum_values(), header.getEncoding(), repetition, definition, page, position);
  }

  /** Version 2: levels first, never compressed; then the values. */
  private void readPageV2(DataPageHeaderV2 header, int position, int length, int size)
      throws IOException {
    int first = header.getRepetition_levels_byte_length();
    int second = header.getDefinition_levels_byte_length();
    require(
        first >= 0 && second >= 0 && (long) first + second <= Math.min(length, size),
        "levels that break off");
    HybridReader repetition =
        descriptor.getMaxRepetitionLevel() == 0
            ? null
            : levels(descriptor.getMaxRepetitionLevel(), chunk, position, first);
    HybridReader definition =
        descriptor.getMaxDefinitionLevel() == 0
            ? null
            : levels(descriptor.getMaxDefinitionLevel(), chunk, position + first, second);
    boolean plain = header.isSetIs_compressed() && !header.isIs_compressed();
    int left = length - first - second;
    byte[] values =
        left == 0
            ? new byte[0]
            : (plain ? Compression.UNCOMPRESSED : compression)
                .decompress(chunk, position + first + second, left, size - first - second);
    readRows(header.getNum_values(), header.getEncoding(), repetition, definition, values, 0);
  }

  private static int levels(
      org.apache.parquet.format.@Nullable Encoding encoding, byte[] page, int from)
      throws IOException {
    require(
        encoding == org.apache.parquet.format.Encoding.RLE, "levels in the encoding " + encoding);
    return PageValues.length(page, from);
  }

  private static HybridReader levels(int highest, byte[] bytes, int from, int length) {
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
    return new HybridReader(bytes, from, from + length, width);
  }

  private void readRows(
      int count,
      org.apache.parquet.format.@Nullable Encoding encoding,
      @Nullable HybridReader repetition,
      @Nullable HybridReader definition,
      byte[] page,
      int from)
      throws IOException {
    if (encoding == null) {
      throw new IOException("values in an unknown encoding");
    }
    Encoding known = Encoding.valueOf(encoding.name());
    boolean ids = known.usesDictionary();
    require(!ids || hasDictionary, "a page without its dictionary");
    ValuesReader values = PageValues.open(descriptor, known, page, from, count);
    if (definition == null) {
      append(values, count, ids);
      builder.rows(count);
    } else if (repetition == null) {
      readNullable(count, definition, values, ids);
    } else {
      readLists(count, repetition, definition, values, ids);
    }
  }

  /** Values in stretches of those that are there and those that are not. */
  private void readNullable(int count, HybridReader definition, ValuesReader values, boolean ids)
      throws IOException {
    int full = leaf.fullLevel();
    int read = 0;
    boolean next = count > 0 && definition.readInteger() == full;
    while (read < count) {
      boolean there = next;
      int stretch = 1 + definition.skipEqual(count - read - 1);
      while (read + stretch < count && (next = definition.readInteger() == full) == there) {
        stretch += 1 + definition.skipEqual(count - read - stretch - 1);
      }
      if (there) {
        append(values, stretch, ids);
        builder.rows(stretch);
      } else {
        builder.nullRows(stretch);
      }
      read += stretch;
    }
  }

  private void readLists(
      int count, HybridReader repetition, HybridReader definition, ValuesReader values, boolean ids)
      throws IOException {
    int full = leaf.fullLevel();
    int elements = 0;
    for (int i = 0; i < count; i++) {
      boolean begins = repetition.readInteger() == 0;
      int level = definition.readInteger();
      require(begins || builder.rows() > 0, "a list that begins in its middle");
      if (begins) {
        builder.listRow(elements, level < leaf.listLevel() - 1);
      }
      if (level == full) {
        elements++;
      } else {
        require(begins && level < leaf.listLevel(), "a null among the elements of a list");
      }
    }
    append(values, elements, ids);
  }

  private void append(ValuesReader values, int count, boolean ids) throws IOException {
    if (ids) {
      builder.values().appendIds(values, count);
    } else {
      builder.values().append(values, count);
    }
  }

  private static void require(boolean holds, String otherwise) throws IOException {
    if (!holds) {
      throw new IOException(otherwise);
    }
  }
}
