package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A text's lines one at a time, so that a bad one can be left out and the next one read. */
final class LineFeed implements Closeable {
  /** A longer line is no record of anything. */
  private static final int MAX_LINE_BYTES = 1 << 28;

  private final InputStream in;
  private byte[] line = new byte[1 << 12];
  private int length;
  private long number;

  LineFeed(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /** Moves to the next line that is not blank; false at the end. */
  boolean next() throws IOException {
    do {
      if (!readLine()) {
        return false;
      }
    } while (isBlank());
    return true;
  }

  /** The current line's number, 1-based. */
  long number() {
    return number;
  }

  /** The current line without its end, byte order mark included. */
  byte[] bytes() {
    return Arrays.copyOf(line, length);
  }

  /** The current line, for people. */
  String text() {
    String text = new String(line, 0, length, UTF_8);
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private boolean readLine() throws IOException {
    length = 0;
    int c = in.read();
    if (c < 0) {
      return false;
    }
    number++;
    while (c >= 0 && c != '\n') {
      if (length == line.length) {
        if (length >= MAX_LINE_BYTES) {
          throw new IOException("a line of more than " + (MAX_LINE_BYTES >> 20) + " MiB");
        }
        line = Arrays.copyOf(line, length * 2);
      }
      line[length++] = (byte) c;
      c = in.read();
    }
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return true;
  }

  private boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t') {
        return false;
      }
    }
    return true;
  }
}
