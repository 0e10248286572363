package io.orrery.traces;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * The members of a gzip file, one after the other, each checked against its trailer. Unlike {@link
 * java.util.zip.GZIPInputStream}, which ends quietly where a later member's header is damaged, it
 * accepts nothing but zero padding after the last member.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952</a>
 */
final class GzipMembers extends InputStream {
  private static final int HEADER_CRC = 1 << 1;
  private static final int EXTRA = 1 << 2;
  private static final int NAME = 1 << 3;
  private static final int COMMENT = 1 << 4;
  private static final int RESERVED = 0xe0;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();

  /** Stored bytes; those at [next, end) are still to be taken. */
  private final byte[] buffer;

  private int next;
  private int end;
  private boolean finished;

  /**
   * Reads the first member's header.
   *
   * @throws IOException where it is damaged or cut off
   */
  GzipMembers(InputStream in, int bufferSize) throws IOException {
    this.in = in;
    buffer = new byte[bufferSize];
    readHeader();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    try {
      while (!finished) {
        int count = inflater.inflate(target, offset, length);
        if (count > 0) {
          crc.update(target, offset, count);
          return count;
        }
        if (inflater.finished()) {
          nextMember();
        } else if (inflater.needsDictionary()) {
          throw new ZipException("a preset dictionary");
        } else {
          supply();
        }
      }
      return -1;
    } catch (DataFormatException e) {
      throw new ZipException(e.getMessage() == null ? "Invalid compressed data" : e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    finished = true;
    inflater.end();
    in.close();
  }

  /** Hands the inflater all stored bytes at hand; {@link #nextMember} takes back what is left. */
  private void supply() throws IOException {
    if (next == end && !fill()) {
      throw new EOFException("Unexpected end of ZLIB input stream");
    }
    inflater.setInput(buffer, next, end - next);
    next = end;
  }

  private void nextMember() throws IOException {
    next = end - inflater.getRemaining();
    if (little(4, "its trailer") != crc.getValue()
        || little(4, "its trailer") != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw new ZipException("Corrupt GZIP trailer");
    }
    if (next == end && !fill()) {
      finished = true;
    } else if (buffer[next] == 0) {
      skipPadding();
      finished = true;
    } else {
      inflater.reset();
      crc.reset();
      readHeader();
    }
  }

  private void skipPadding() throws IOException {
    do {
      while (next < end) {
        if (buffer[next++] != 0) {
          throw new ZipException("Not in GZIP format after zero padding");
        }
      }
    } while (fill());
  }

  private void readHeader() throws IOException {
    String part = "its header";
    if (little(2, part) != 0x8b1f) {
      throw new ZipException("Not in GZIP format");
    }
    if (little(1, part) != 8) {
      throw new ZipException("Unsupported compression method");
    }
    int flags = (int) little(1, part);
    if ((flags & RESERVED) != 0) {
      throw new ZipException("Reserved header flags are set");
    }
    // time, extra flags, operating system
    little(6, part);
    if ((flags & EXTRA) != 0) {
      for (long left = little(2, part); left > 0; left--) {
        little(1, part);
      }
    }
    for (int text : new int[] {NAME, COMMENT}) {
      while ((flags & text) != 0 && little(1, part) != 0) {
        // up to the text's terminating zero
      }
    }
    if ((flags & HEADER_CRC) != 0) {
      little(2, part);
    }
  }

  /** The next bytes as a number, the first the lowest. */
  private long little(int bytes, String part) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      if (next == end && !fill()) {
        throw new EOFException(part + " is cut off");
      }
      value |= (buffer[next++] & 0xffL) << (8 * i);
    }
    return value;
  }

  private boolean fill() throws IOException {
    next = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }
}
