package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orrery.traces.columns.IntColumn;

/** Distinct texts numbered in the order of their first addition. */
final class TextIndex {
  private final TextColumn texts = new TextColumn();
  private final LongIntMap byHash = new LongIntMap();

  /**
   * Texts whose 64-bit hash equals that of another one: found by looking at all of them; there are
   * hardly ever any.
   */
  private final IntColumn colliding = new IntColumn();

  int size() {
    return texts.size();
  }

  String get(int index) {
    return texts.get(index);
  }

  TextColumn column() {
    return texts;
  }

  /** The text's number, -1 where it was never added. */
  int find(String text) {
    byte[] bytes = bytes(text);
    return find(bytes, byHash.get(hash(bytes)));
  }

  /**
   * The text's number; a new one where it was never added. Compare with {@link #size()} before to
   * tell.
   *
   * @throws TraceException if UTF-8 cannot hold the text
   */
  int add(String text) {
    byte[] bytes = bytes(text);
    int candidate = byHash.putIfAbsent(hash(bytes), texts.size());
    int found = find(bytes, candidate);
    if (found >= 0) {
      return found;
    }
    if (candidate >= 0) {
      colliding.add(texts.size());
    }
    texts.add(bytes);
    return texts.size() - 1;
  }

  private int find(byte[] bytes, int candidate) {
    if (candidate < 0 || texts.equals(candidate, bytes)) {
      return candidate;
    }
    for (int i = 0; i < colliding.size(); i++) {
      if (texts.equals(colliding.get(i), bytes)) {
        return colliding.get(i);
      }
    }
    return -1;
  }

  private static byte[] bytes(String text) {
    if (!SurrogatePairs.areWhole(text)) {
      throw new TraceException(null, 0, null, '"' + text + '"', SurrogatePairs.WHOLE);
    }
    return text.getBytes(UTF_8);
  }

  /** FNV-1a in 64 bits. */
  private static long hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}
