package io.orrery.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.transport.TIOStreamTransport;

/** Parquet's headers and footers are Thrift structures in its compact protocol. */
final class ThriftBytes {
  private ThriftBytes() {}

  /**
   * Fills {@code structure} from the bytes at {@code from}. Lengths inside are believed only as far
   * as there are bytes, so that damaged input cannot ask for much memory.
   *
   * @return the number of bytes it took
   * @throws IOException if they are not that structure
   */
  static int read(TBase<?, ?> structure, byte[] bytes, int from) throws IOException {
    int length = bytes.length - from;
    ByteArrayInputStream in = new ByteArrayInputStream(bytes, from, length);
    try {
      TConfiguration limits = new TConfiguration();
      limits.setMaxMessageSize(Math.max(1, length));
      structure.read(
          new TCompactProtocol(new TIOStreamTransport(limits, in), length, (long) length));
    } catch (TException | RuntimeException | StackOverflowError e) {
      throw new IOException("no intact " + structure.getClass().getSimpleName(), e);
    }
    return length - in.available();
  }

  static byte[] of(FileMetaData footer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, bytes);
    return bytes.toByteArray();
  }

  static byte[] of(PageHeader header) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    Util.writePageHeader(header, bytes);
    return bytes.toByteArray();
  }
}
