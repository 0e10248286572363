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

  ChunkWriter(StoredColumn column, Compression compression) {
    ColumnDescriptor descriptor = column.descriptor();
    this.column = column;
    this.full = descriptor.getMaxDefinitionLevel();
    this.compression = compression;
    this.repetition = ENCODINGS.newRepetitionLevelWriter(descriptor);
    this.definition = ENCODINGS.newDefinitionLevelWriter(descriptor);
    this.values = ENCODINGS.newValuesWriter(descriptor);
  }

  /** Where the value goes that {@link #value} has announced. */
  ValuesWriter values() {
    return values;
  }

  /** Announces a value: of a plain column, or of a list, whose first element begins the row. */
  void value(boolean begins) throws IOException {
    levels(begins, full);
  }

  /** An empty list, which is a row. */
  void emptyList() throws IOException {
    levels(true, full - 1);
    nulls++;
  }

  /** A row without a value. */
  void missing() throws IOException {
    levels(true, 0);
    nulls++;
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

  /**
   * Ends the row group's chunk.
   *
   * @param start where in the file its pages will be
   */
  ColumnChunk finish(long start) throws IOException {
    if (pageValues > 0) {
      endPage();
    }
    ColumnMetaData data = new ColumnMetaData();
    data.setData_page_offset(start);
    DictionaryPage dictionary = values.toDictPageAndClose();
    if (dictionary != null) {
      byte[] page = dictionary.getBytes().toByteArray();
      PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, page.length, 0);
      header.setDictionary_page_header(
          new DictionaryPageHeader(dictionary.getDictionarySize(), Encoding.PLAIN));
      encodings.add(Encoding.PLAIN);
      long before = bytes;
      addPage(0, header, page);
      data.setDictionary_page_offset(start);
      data.setData_page_offset(start + bytes - before);
    }
    values.resetDictionary();
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

  /** Hands over what {@link #finish} has described, and begins the next chunk. */
  List<byte[]> takePages() {
    List<byte[]> taken = List.copyOf(pages);
    pages.clear();
    encodings.clear();
    chunkValues = 0;
    nulls = 0;
    plainBytes = 0;
    bytes = 0;
    return taken;
  }
}
