package io.orrery.traces;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a text.
 *
 * @param header the line that names a table's columns, where this part is not the one that begins
 *     with it; else empty
 * @param bytes holds the part at [0, length)
 * @param whole whether it ends with the text, or before a line with which a record may begin
 * @param last whether the text ends with it
 * @param failure what keeps the text behind it from being read, null where nothing does
 */
record TextPiece(
    byte[] header,
    byte[] bytes,
    int length,
    boolean whole,
    boolean last,
    @Nullable Exception failure) {

  /** Its bytes under its header, and then its failure. */
  InputStream open() {
    InputStream in = new ByteArrayInputStream(bytes, 0, length);
    if (header.length > 0) {
      in = new SequenceInputStream(new ByteArrayInputStream(header), in);
    }
    Exception why = failure;
    return why == null ? in : new SequenceInputStream(in, new Failing(why));
  }

  TextPiece withoutHeader() {
    return new TextPiece(new byte[0], bytes, length, whole, last, failure);
  }

  int lineBreaks() {
    int count = 0;
    for (int i = 0; i < length; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    return count;
  }

  /** Lines that are not its own. */
  int headerLines() {
    return header.length > 0 ? 1 : 0;
  }

  private static final class Failing extends InputStream {
    private final Exception why;

    Failing(Exception why) {
      this.why = why;
    }

    @Override
    public int read() throws IOException {
      if (why instanceof IOException exception) {
        throw exception;
      }
      throw (RuntimeException) why;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      return read();
    }
  }
}
