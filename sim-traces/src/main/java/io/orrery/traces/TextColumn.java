package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.traces.columns.ByteColumn;
import io.orrery.traces.columns.LongColumn;

/**
 * Many short texts as UTF-8 in one column of bytes: their bytes plus eight each, and a {@link
 * String} only when asked for.
 */
final class TextColumn {
  private final ByteColumn bytes = new ByteColumn();
  private final LongColumn ends = new LongColumn();

  int size() {
    return ends.size();
  }

  String get(int index) {
    return new String(bytes.copy(start(index), ends.get(index)), UTF_8);
  }

  void add(byte[] text) {
    bytes.addAll(text);
    ends.add(bytes.size());
  }

  boolean equals(int index, byte[] text) {
    long start = start(index);
    return ends.get(index) - start == text.length && bytes.matches(start, text);
  }

  private long start(int index) {
    return index == 0 ? 0 : ends.get(index - 1);
  }
}
