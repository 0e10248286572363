package io.orrery.traces;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into pieces, before lines with which a record may begin: any line of a table, a line
 * that begins with a brace of JSON. Whether a record does begin there shows when the piece before
 * is parsed.
 */
final class TextCutter implements Closeable {
  private static final byte[] NOTHING = {};
  private static final int WORD_BYTES = Long.BYTES;
  private static final long ONES = 0x0101010101010101L;

  /** Eight bytes of text. */
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
    // Where a line is long already, the next ones may be.
    byte[] bytes = Arrays.copyOf(kept, (int) Math.max(usual, Math.min(most, 2L * kept.length)));
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

  /** What is left of the text, uncut; there is no further piece then. */
  InputStream rest() {
    InputStream left = new ByteArrayInputStream(kept);
    InputStream rest = ended ? left : new SequenceInputStream(left, in);
    kept = NOTHING;
    ended = true;
    return rest;
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
    int from = Math.max(0, looked - 2);
    for (int i = lastLineBreak(bytes, from, end); i >= 0; i = lastLineBreak(bytes, from, i)) {
      boolean object = i + 2 < end && bytes[i + 1] == '{' && bytes[i + 2] != 0;
      if (table || object) {
        return i + 1;
      }
    }
    return 0;
  }

  /** Where the last line break at [from, to) is, -1 where there is none. */
  private static int lastLineBreak(byte[] bytes, int from, int to) {
    int i = to;
    while (i - WORD_BYTES >= from && !hasLineBreak((long) WORD.get(bytes, i - WORD_BYTES))) {
      i -= WORD_BYTES;
    }
    while (i > from && bytes[i - 1] != '\n') {
      i--;
    }
    return i > from ? i - 1 : -1;
  }

  /** Whether one of eight bytes is a line break; Hacker's Delight, 6-1. */
  private static boolean hasLineBreak(long word) {
    long zeroWhereBreak = word ^ (ONES * '\n');
    return ((zeroWhereBreak - ONES) & ~zeroWhereBreak & (ONES << 7)) != 0;
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
