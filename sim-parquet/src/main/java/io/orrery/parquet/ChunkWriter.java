package io.orrery.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.io.api.Binary;

/**
 * Encodes one column of one row group after the other into pages. Values that repeat go through a
 * dictionary, others into deltas (integers, text) or plain; Parquet's writers decide, by the first
 * page of a row group.
 */
final class ChunkWriter {
  /** A page ends at the first row after this many values or bytes. */
  private static final int PAGE_VALUES = 20_000;

  private static final int PAGE_BYTES = 1 << 20;
  private static final int VALUES_BETWEEN_LOOKS = 256;

  private static final ParquetProperties ENCODINGS =
      ParquetProperties.builder()
          .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_2_0)
          .withPageSize(PAGE_BYTES)
          .build();

  private final StoredColumn column;
  private final int full;
  private final Compression compression;
  private final ValuesWriter repetition;
  private final ValuesWriter definition;
  private final ValuesWriter values;

  private final List<byte[]> pages = new ArrayList<>();
  private final Set<Encoding> encodings = EnumSet.noneOf(Encoding.class);
  private int pageValues;
  private int nextLook = VALUES_BETWEEN_LOOKS;
  private long chunkValues;
  private long nulls;
  private long plainBytes;
  private long bytes;
  private long dictionaryBytes;

  ChunkWriter(StoredColumn column, Compression compression) {
    ColumnDescriptor descriptor = column.descriptor();
    this.column = column;
    this.full = descriptor.getMaxDefinitionLevel();
    this.compression = compression;
    this.repetition = ENCODINGS.newRepetitionLevelWriter(descriptor);
    this.definition = ENCODINGS.newDefinitionLevelWriter(descriptor);
    this.values = ENCODINGS.newValuesWriter(descriptor);
  }

  /** Appends rows of a column of this type. */
  void add(ColumnData data, int from, int to) throws IOException {
    int[] offsets = data.offsets();
    if (data.values() instanceof int[] ints) {
      for (int row = from; row < to; row++) {
        if (offsets != null) {
          addList(data, ints, offsets[row], offsets[row + 1], row);
        } else if (begins(data, row)) {
          values.writeInteger(ints[row]);
        }
      }
    } else if (data.values() instanceof long[] longs) {
      for (int row = from; row < to; row++) {
        if (offsets != null) {
          addList(data, longs, offsets[row], offsets[row + 1], row);
        } else if (begins(data, row)) {
          values.writeLong(longs[row]);
        }
      }
    } else if (data.values() instanceof double[] doubles) {
      for (int row = from; row < to; row++) {
        if (begins(data, row)) {
          values.writeDouble(doubles[row]);
        }
      }
    } else if (data.values() instanceof boolean[] booleans) {
      for (int row = from; row < to; row++) {
        if (begins(data, row)) {
          values.writeBoolean(booleans[row]);
        }
      }
    } else if (data.values() instanceof String[] texts) {
      for (int row = from; row < to; row++) {
        if (begins(data, row)) {
          values.writeBytes(Binary.fromString(texts[row]));
        }
      }
    }
  }

  /** Begins a row; whether it has a value, which is to be written next. */
  private boolean begins(ColumnData data, int row) throws IOException {
    boolean there = !data.nulls().get(row);
    levels(true, there ? full : 0);
    nulls += there ? 0 : 1;
    return there;
  }

  private void addList(ColumnData data, int[] elements, int from, int to, int row)
      throws IOException {
    if (beginsList(data, row, from == to)) {
      for (int i = from; i < to; i++) {
        levels(i == from, full);
        values.writeInteger(elements[i]);
      }
    }
  }

  private void addList(ColumnData data, long[] elements, int from, int to, int row)
      throws IOException {
    if (beginsList(data, row, from == to)) {
      for (int i = from; i < to; i++) {
        levels(i == from, full);
        values.writeLong(elements[i]);
      }
    }
  }

  /** Whether a list has elements; if not, the row is complete. */
  private boolean beginsList(ColumnData data, int row, boolean empty) throws IOException {
    boolean there = !data.nulls().get(row);
    if (there && !empty) {
      return true;
    }
    levels(true, there ? full - 1 : 0);
    nulls++;
    return false;
  }

  private void levels(boolean begins, int level) throws IOException {
    if (begins && pageValues >= nextLook) {
      nextLook = pageValues + VALUES_BETWEEN_LOOKS;
      if (pageValues >= PAGE_VALUES || values.getBufferedSize() >= PAGE_BYTES) {
        endPage();
      }
    }
    repetition.writeInteger(begins ? 0 : 1);
    definition.writeInteger(level);
    pageValues++;
  }

  private void endPage() throws IOException {
    byte[] page =
        BytesInput.concat(repetition.getBytes(), definition.getBytes(), values.getBytes())
            .toByteArray();
    Encoding encoding = Encoding.valueOf(values.getEncoding().name());
    repetition.reset();
    definition.reset();
    values.reset();
    PageHeader header = new PageHeader(PageType.DATA_PAGE, page.length, 0);
    header.setData_page_header(
        new DataPageHeader(pageValues, encoding, Encoding.RLE, Encoding.RLE));
    encodings.add(encoding);
    encodings.add(Encoding.RLE);
    addPage(pages.size(), header, page);
    chunkValues += pageValues;
    pageValues = 0;
    nextLook = VALUES_BETWEEN_LOOKS;
  }

  private void addPage(int position, PageHeader header, byte[] page) throws IOException {
    byte[] packed = compression.compress(page);
    CRC32 crc = new CRC32();
    crc.update(packed);
    header.setCompressed_page_size(packed.length);
    header.setCrc((int) crc.getValue());
    byte[] head = ThriftBytes.of(header);
    pages.add(position, packed);
    pages.add(position, head);
    plainBytes += head.length + page.length;
    bytes += head.length + packed.length;
  }

  /** Ends the row group's chunk. */
  void finish() throws IOException {
    if (pageValues > 0) {
      endPage();
    }
    DictionaryPage dictionary = values.toDictPageAndClose();
    if (dictionary != null) {
      byte[] page = dictionary.getBytes().toByteArray();
      PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, page.length, 0);
      header.setDictionary_page_header(
          new DictionaryPageHeader(dictionary.getDictionarySize(), Encoding.PLAIN));
      encodings.add(Encoding.PLAIN);
      long before = bytes;
      addPage(0, header, page);
      dictionaryBytes = bytes - before;
    }
    values.resetDictionary();
  }

  /**
   * What the footer says of the finished chunk.
   *
   * @param start where in the file its pages will be
   */
  ColumnChunk describe(long start) {
    ColumnMetaData data = new ColumnMetaData();
    data.setData_page_offset(start + dictionaryBytes);
    if (dictionaryBytes > 0) {
      data.setDictionary_page_offset(start);
    }
    data.setType(column.type());
    data.setEncodings(new ArrayList<>(encodings));
    data.setPath_in_schema(column.path());
    data.setCodec(compression.codec());
    data.setNum_values(chunkValues);
    data.setTotal_uncompressed_size(plainBytes);
    data.setTotal_compressed_size(bytes);
    data.setStatistics(new Statistics().setNull_count(nulls));
    ColumnChunk chunk = new ColumnChunk(start);
    chunk.setMeta_data(data);
    return chunk;
  }

  /** Hands over the pages of the finished chunk, and begins the next one. */
  List<byte[]> takePages() {
    List<byte[]> taken = List.copyOf(pages);
    pages.clear();
    encodings.clear();
    chunkValues = 0;
    nulls = 0;
    plainBytes = 0;
    bytes = 0;
    dictionaryBytes = 0;
    return taken;
  }
}
