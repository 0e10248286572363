package io.orrery.traces;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Folds arrays of whole numbers in a JSON text into runs before a parser sees them: {@code
 * [1,2,3,4,9]} becomes {@code [[1,4],[9,1]]}. Claude Code traces consist of such arrays to 97 %,
 * and a parser takes five times as long for them.
 *
 * <p>Only arrays of numbers from 0 to 999,999,999 are touched, and of those the ones that become
 * fewer numbers, and every one of exactly two: so two plain numbers in an array inside an array are
 * always a run, whatever a hostile file holds. All else passes through unchanged, strings and
 * mistakes included; line breaks inside an array stay, for the line numbers of messages.
 */
final class RunFolding extends InputStream {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int OUTPUT_BYTES = 1 << 14;

  /** The largest number that is touched. */
  static final int MAX_NUMBER = 999_999_999;

  private static final int MAX_DIGITS = 9;
  private static final int WORD_BYTES = Long.BYTES;

  /** A number, what stands behind it, and a word. */
  private static final int LOOK_AHEAD = MAX_DIGITS + 2 + WORD_BYTES;

  /**
   * A longer array passes through, so that no file can fill the memory with one. A million blocks
   * of a prompt take some 7 MB; recorded prompts have tens of thousands.
   */
  private static final int MAX_ARRAY_BYTES = 1 << 22;

  /** Eight bytes of text, the first of them lowest. */
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final InputStream source;
  private byte[] in = new byte[BUFFER_BYTES];
  private int position;
  private int limit;

  /**
   * Start of the array being read, -1 outside of one; what follows it is kept until its end is
   * known.
   */
  private int arrayStart = -1;

  private byte[] out = new byte[OUTPUT_BYTES];
  private int outPosition;
  private int outEnd;
  private boolean inString;

  // the array being read: pairs of first and length, numbers so far, what would prolong the last
  // run
  private int[] runs = new int[64];
  private int runEnd;
  private int count;
  private int next;
  private int lineBreaks;

  RunFolding(InputStream source) {
    this.source = source;
  }

  @Override
  public int read() throws IOException {
    return outPosition < outEnd || produce() ? out[outPosition++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (outPosition == outEnd && !produce()) {
      return -1;
    }
    int count = Math.min(length, outEnd - outPosition);
    System.arraycopy(out, outPosition, target, offset, count);
    outPosition += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  private boolean produce() throws IOException {
    outPosition = 0;
    outEnd = 0;
    while (outEnd < OUTPUT_BYTES / 2 && (position < limit || fill())) {
      if (inString) {
        copyString();
      } else if (in[position] == '[') {
        array();
      } else {
        copyOutside();
      }
    }
    return outEnd > 0;
  }

  /** Reads more, keeping the array being read; false at the end. Called with all input consumed. */
  private boolean fill() throws IOException {
    int keep = arrayStart < 0 ? limit : arrayStart;
    System.arraycopy(in, keep, in, 0, limit - keep);
    position -= keep;
    limit -= keep;
    arrayStart = arrayStart < 0 ? -1 : 0;
    if (limit == in.length) {
      in = Arrays.copyOf(in, in.length * 2);
    }
    int count = source.read(in, limit, in.length - limit);
    limit += Math.max(0, count);
    return count > 0;
  }

  private void copyOutside() {
    int start = position;
    int end = Math.min(limit, start + OUTPUT_BYTES / 2);
    int i = start;
    while (i < end && in[i] != '[' && in[i] != '"') {
      i++;
    }
    if (i < end && in[i] == '"') {
      inString = true;
      i++;
    }
    position = i;
    emit(start, i);
  }

  private void copyString() throws IOException {
    int start = position;
    int end = Math.min(limit, start + OUTPUT_BYTES / 2);
    int i = start;
    while (i < end && in[i] != '"' && in[i] != '\\') {
      i++;
    }
    boolean escape = i < end && in[i] == '\\';
    inString = i == end || escape;
    position = i == end ? i : i + 1;
    emit(start, position);
    if (escape && (position < limit || fill())) {
      emit(position, ++position);
    }
  }

  /**
   * Reads an array up to its end or to the first thing that is no plain number, and emits it folded
   * or as it is.
   */
  private void array() throws IOException {
    arrayStart = position++;
    runEnd = 0;
    count = 0;
    next = -1;
    lineBreaks = 0;
    boolean folded = false;
    boolean more = true;
    while (more) {
      compactNumbers();
      skipSpace();
      int value = number();
      more = false;
      if (value >= 0) {
        add(value);
        skipSpace();
        int c = peek();
        folded = c == ']';
        more = c == ',' && position - arrayStart < MAX_ARRAY_BYTES;
        position += folded || c == ',' ? 1 : 0;
      }
    }
    // runEnd is twice the number of runs
    if (folded && (runEnd < count || count == 2)) {
      emitRuns();
    } else {
      emit(arrayStart, position);
    }
    arrayStart = -1;
  }

  /**
   * Reads numbers as long as a comma, or a comma and a space, follows at once and all of it is in
   * the buffer: nearly always.
   */
  private void compactNumbers() {
    byte[] text = in;
    int end = limit - LOOK_AHEAD;
    while (position < end) {
      int start = position;
      int value = 0;
      int i = start;
      int digit = text[i] - '0';
      while ((char) digit <= 9 && i - start < MAX_DIGITS) {
        value = value * 10 + digit;
        digit = text[++i] - '0';
      }
      if (i == start || text[i] != ',' || (text[start] == '0' && i > start + 1)) {
        return;
      }
      add(value);
      int gap = text[i + 1] == ' ' ? 2 : 1;
      position = i + gap;
      if (position - start <= WORD_BYTES) {
        compactRun(position - start, gap, end);
      }
    }
  }

  /**
   * Reads on while the next number's text is the last one's with its last digit one higher, which
   * in a run is so nine times out of ten; eight bytes are compared at once.
   *
   * @param width digits of a number and what stands behind it, at most eight
   * @param gap what stands behind it: a comma, and perhaps a space
   */
  private void compactRun(int width, int gap, int end) {
    byte[] text = in;
    int unused = Long.SIZE - width * Byte.SIZE;
    long lastDigit = 1L << ((width - 1 - gap) * Byte.SIZE);
    long word = (long) WORD.get(text, position - width);
    int i = position;
    while (i < end && text[i - 1 - gap] != '9') {
      word += lastDigit;
      if (((long) WORD.get(text, i) ^ word) << unused != 0) {
        break;
      }
      i += width;
    }
    int numbers = (i - position) / width;
    runs[runEnd - 1] += numbers;
    count += numbers;
    next += numbers;
    position = i;
  }

  /** The plain number here, -1 where there is none. */
  private int number() throws IOException {
    int c = peek();
    if (c < '0' || c > '9') {
      return -1;
    }
    int value = 0;
    for (int digits = 0; c >= '0' && c <= '9'; digits++) {
      if (digits == MAX_DIGITS || (digits == 1 && value == 0)) {
        return -1;
      }
      value = value * 10 + (c - '0');
      position++;
      c = peek();
    }
    return value;
  }

  private void skipSpace() throws IOException {
    for (int c; (c = peek()) == ' ' || c == '\n' || c == '\r' || c == '\t'; position++) {
      lineBreaks += c == '\n' ? 1 : 0;
    }
  }

  private void add(int value) {
    count++;
    if (value == next) {
      runs[runEnd - 1]++;
    } else {
      if (runEnd + 2 > runs.length) {
        runs = Arrays.copyOf(runs, runs.length * 2);
      }
      runs[runEnd++] = value;
      runs[runEnd++] = 1;
    }
    next = value + 1;
  }

  private int peek() throws IOException {
    return position < limit || fill() ? in[position] : -1;
  }

  private void emitRuns() {
    reserve(lineBreaks + 2);
    out[outEnd++] = '[';
    for (int i = 0; i < lineBreaks; i++) {
      out[outEnd++] = '\n';
    }
    for (int i = 0; i < runEnd; i += 2) {
      reserve(2 * MAX_DIGITS + 6);
      if (i > 0) {
        out[outEnd++] = ',';
      }
      out[outEnd++] = '[';
      emitNumber(runs[i]);
      out[outEnd++] = ',';
      emitNumber(runs[i + 1]);
      out[outEnd++] = ']';
    }
    reserve(1);
    out[outEnd++] = ']';
  }

  private void emitNumber(int value) {
    int digits = 1;
    for (int rest = value; rest > 9; rest /= 10) {
      digits++;
    }
    int rest = value;
    for (int i = outEnd + digits - 1; i >= outEnd; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    outEnd += digits;
  }

  private void emit(int start, int end) {
    reserve(end - start);
    System.arraycopy(in, start, out, outEnd, end - start);
    outEnd += end - start;
  }

  private void reserve(int count) {
    if (outEnd + count > out.length) {
      out = Arrays.copyOf(out, Math.max(out.length * 2, outEnd + count));
    }
  }
}
