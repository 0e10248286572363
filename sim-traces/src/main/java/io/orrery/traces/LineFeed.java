package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text's records one at a time, so that a bad one can be left out and the next one read. A record
 * is a line, or several where a JSON object or a quoted cell goes on. A line that begins with a
 * brace begins an object: what is still open before it was cut off.
 */
final class LineFeed implements Closeable {
  /** A longer record is none of anything. */
  private static final int MAX_BYTES = 1 << 28;

  /** A quote that is still open after so many lines was never meant to be one. */
  private static final int MOST_LINES_A_ROW = 1_000;

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final boolean table;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** Bytes of the buffer that are still to be taken: [next, end). */
  private int next;

  private int end;

  /** Lines that have been looked at and are to be read next. */
  private final Deque<byte[]> ahead = new ArrayDeque<>();

  private byte[] line = new byte[1 << 12];
  private byte[] record = {};
  private long number;
  private long linesRead;
  private boolean endedOpen;

  /**
   * Records of a text.
   *
   * @param table whether they are comma-separated values, else JSON
   */
  LineFeed(InputStream in, boolean table) {
    this.in = in;
    this.table = table;
  }

  /** Moves to the next record that is not blank; false at the end. */
  boolean next() throws IOException {
    byte[] first;
    do {
      first = readLine();
      if (first == null) {
        return false;
      }
    } while (isBlank(first));
    number = linesRead;
    OpenRecord open = new OpenRecord(table);
    record = open.isOpenAfter(first) ? goOn(first, open) : first;
    return true;
  }

  /** The number of the current record's first line, 1-based. */
  long number() {
    return number;
  }

  /** The current record without its last line end. */
  byte[] bytes() {
    return record;
  }

  /** The current record, for people. */
  String text() {
    return new String(record, UTF_8);
  }

  /** Whether a record would have gone on behind the end of the text, had there been more of it. */
  boolean endedOpen() {
    return endedOpen;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** The lines of a record that goes on behind its first. */
  private byte[] goOn(byte[] first, OpenRecord open) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(first);
    List<byte[]> more = new ArrayList<>();
    while (true) {
      byte[] next = readLine();
      if (next == null) {
        endedOpen = true;
        break;
      }
      more.add(next);
      if (!table && next.length > 0 && next[0] == '{') {
        putBack(List.of(next));
        break;
      }
      all.write('\n');
      all.write(next);
      checkLength(all.size());
      if (!open.isOpenAfter(next)) {
        if (open.isOfNoTable()) {
          break;
        }
        return all.toByteArray();
      }
      if (table && more.size() == MOST_LINES_A_ROW) {
        break;
      }
    }
    if (!table) {
      return all.toByteArray();
    }
    putBack(more);
    return first;
  }

  private void putBack(List<byte[]> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      ahead.addFirst(lines.get(i));
    }
    linesRead -= lines.size();
  }

  /** The next line without its end, null at the end of the text. */
  private byte @Nullable [] readLine() throws IOException {
    byte[] known = ahead.poll();
    if (known != null) {
      linesRead++;
      return known;
    }
    if (next == end && !fill()) {
      return null;
    }
    linesRead++;
    int length = 0;
    boolean complete = false;
    while (!complete && (next < end || fill())) {
      int stop = next;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      complete = stop < end;
      length = append(length, stop);
      next = complete ? stop + 1 : stop;
    }
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return Arrays.copyOf(line, length);
  }

  /** Adds the buffer's bytes up to an index to the line. */
  private int append(int length, int stop) throws IOException {
    int count = stop - next;
    checkLength(length + count);
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(2 * line.length, length + count));
    }
    System.arraycopy(buffer, next, line, length, count);
    return length + count;
  }

  private boolean fill() throws IOException {
    next = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }

  private static void checkLength(int bytes) throws IOException {
    if (bytes >= MAX_BYTES) {
      throw new IOException("a record of more than " + (MAX_BYTES >> 20) + " MiB");
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t') {
        return false;
      }
    }
    return true;
  }
}
