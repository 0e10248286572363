package io.orrery.traces;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into pieces, before lines with which a record may begin: any line of a table, a line
 * that begins with a brace of JSON. Whether a record does begin there shows when the piece before
 * is parsed.
 */
final class TextCutter implements Closeable {
  private static final byte[] NOTHING = {};

  private final InputStream in;
  private final boolean table;
  private final int usual;
  private final int most;

  /** What has been read behind the last piece. */
  private byte[] kept = NOTHING;

  /** Of a table, once the first piece is there. */
  private byte @Nullable [] header;

  private boolean ended;
  private @Nullable Exception failure;

  /**
   * Cuts a text.
   *
   * @param table whether it is comma-separated values under a header, else JSON
   * @param usual bytes of a piece where lines allow it
   * @param most bytes after which the text is cut anywhere, at least as many
   */
  TextCutter(InputStream in, boolean table, int usual, int most) {
    this.in = in;
    this.table = table;
    this.usual = usual;
    this.most = most;
  }

  /** The next piece, at least one; null behind the last one. */
  @Nullable TextPiece next() {
    if (ended) {
      return null;
    }
    byte[] bytes = Arrays.copyOf(kept, Math.max(usual, kept.length));
    int length = kept.length;
    int looked = 0;
    while (true) {
      length = fill(bytes, length);
      int cut = ended ? length : lastCut(bytes, looked, length);
      if (table && header == null && !ended && firstLine(bytes, cut).length == 0) {
        cut = 0;
      }
      if (cut > 0 || ended || length >= most) {
        boolean whole = cut > 0 || ended;
        int end = whole ? cut : length;
        kept = Arrays.copyOfRange(bytes, end, length);
        return piece(bytes, end, whole);
      }
      looked = length;
      bytes = Arrays.copyOf(bytes, (int) Math.min(most, 2L * length));
    }
  }

  private TextPiece piece(byte[] bytes, int length, boolean whole) {
    byte[] names = header;
    if (table && names == null) {
      names = firstLine(bytes, length);
      header = names;
      return new TextPiece(NOTHING, bytes, length, whole && isOneLine(names), ended, failure);
    }
    return new TextPiece(names == null ? NOTHING : names, bytes, length, whole, ended, failure);
  }

  /** Reads until the array is full or the text ends. */
  private int fill(byte[] bytes, int from) {
    int length = from;
    try {
      while (length < bytes.length && !ended) {
        int count = in.read(bytes, length, bytes.length - length);
        ended = count < 0;
        length += Math.max(0, count);
      }
    } catch (IOException | RuntimeException e) {
      ended = true;
      failure = e;
    }
    return length;
  }

  /**
   * The last place where a record may begin, 0 for none. A text that began with a brace and a zero
   * would be taken for UTF-16.
   *
   * @param looked bytes that hold none
   */
  private int lastCut(byte[] bytes, int looked, int end) {
    for (int i = end - 1; i >= Math.max(1, looked - 1); i--) {
      if (table && bytes[i] == '\n') {
        return i + 1;
      }
      boolean object = !table && bytes[i] == '{' && bytes[i - 1] == '\n';
      if (object && i + 1 < end && bytes[i + 1] != 0) {
        return i;
      }
    }
    return 0;
  }

  /** The first line that is not blank, with its end; empty where there is none. */
  private static byte[] firstLine(byte[] bytes, int length) {
    int start = 0;
    boolean blank = true;
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        if (!blank) {
          return Arrays.copyOfRange(bytes, start, i + 1);
        }
        start = i + 1;
      } else {
        boolean end = bytes[i] == '\r' && i + 1 < length && bytes[i + 1] == '\n';
        blank &= end || bytes[i] == ' ' || bytes[i] == '\t';
      }
    }
    return NOTHING;
  }

  /** Whether a header is a line by itself: no quoted name goes on, and it ends as lines do now. */
  private static boolean isOneLine(byte[] line) {
    for (int i = 0; i < line.length - 2; i++) {
      if (line[i] == '\r') {
        return false;
      }
    }
    return !new OpenRecord(true).isOpenAfter(line);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
