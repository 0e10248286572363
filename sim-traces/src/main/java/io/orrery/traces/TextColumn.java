package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * Many short texts as UTF-8 in one byte array: their bytes plus four each, and a {@link String}
 * only when asked for.
 */
final class TextColumn {
  private byte[] bytes = new byte[64];
  private int[] ends = new int[16];
  private int size;

  int size() {
    return size;
  }

  String get(int index) {
    int start = start(index);
    return new String(bytes, start, ends[index] - start, UTF_8);
  }

  void add(byte[] text) {
    int start = start(size);
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, IntColumn.grown(size));
    }
    int end = Math.addExact(start, text.length);
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, IntColumn.grown(bytes.length)));
    }
    System.arraycopy(text, 0, bytes, start, text.length);
    ends[size++] = end;
  }

  boolean equals(int index, byte[] text) {
    return Arrays.equals(bytes, start(index), ends[index], text, 0, text.length);
  }

  private int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }
}
