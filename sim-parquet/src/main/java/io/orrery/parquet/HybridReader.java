package io.orrery.parquet;

import org.apache.parquet.column.values.ValuesReader;

/**
 * Numbers of a fixed width in runs: either one number many times, or eight at a time packed bit by
 * bit. Levels, dictionary ids and booleans are stored so.
 *
 * <p>Parquet's own decoder allocates what a run's header claims; this one holds eight numbers,
 * whatever a damaged header says.
 */
final class HybridReader extends ValuesReader {
  private static final int GROUP = 8;

  private final byte[] bytes;
  private final int end;
  private final int width;
  private final int[] group = new int[GROUP];
  private int position;
  private long left;
  private boolean packed;
  private int repeated;
  private int next = GROUP;

  /**
   * @param width bits of a number, 0 to 32
   */
  HybridReader(byte[] bytes, int from, int to, int width) {
    if (width < 0 || width > Integer.SIZE) {
      throw new IllegalArgumentException("numbers of " + width + " bits");
    }
    this.bytes = bytes;
    this.position = from;
    this.end = to;
    this.width = width;
  }

  @Override
  public int readInteger() {
    while (left == 0) {
      beginRun();
    }
    left--;
    if (!packed) {
      return repeated;
    }
    if (next == GROUP) {
      unpack();
    }
    return group[next++];
  }

  /**
   * Passes over numbers that equal the one read last, as far as that is known without reading them.
   *
   * @param most how many, at most
   * @return how many it was
   */
  int skipEqual(int most) {
    if (packed) {
      return 0;
    }
    int count = (int) Math.min(left, most);
    left -= count;
    return count;
  }

  @Override
  public int readValueDictionaryId() {
    return readInteger();
  }

  @Override
  public boolean readBoolean() {
    return readInteger() != 0;
  }

  @Override
  public void skip() {
    readInteger();
  }

  private void beginRun() {
    long header = 0;
    int shift = 0;
    int piece;
    do {
      piece = nextByte();
      header |= (long) (piece & 127) << shift;
      shift += 7;
    } while (piece > 127 && shift < 35);
    packed = (header & 1) == 1;
    left = header >>> 1;
    if (packed) {
      left *= GROUP;
      next = GROUP;
    } else {
      repeated = 0;
      for (int bits = 0; bits < width; bits += Byte.SIZE) {
        repeated |= nextByte() << bits;
      }
    }
  }

  private void unpack() {
    if (position == end && width > 0) {
      throw breaksOff();
    }
    long buffer = 0;
    int bits = 0;
    for (int i = 0; i < GROUP; i++) {
      while (bits < width) {
        // Some writers leave out the end of the last group.
        buffer |= position < end ? (bytes[position++] & 255L) << bits : 0;
        bits += Byte.SIZE;
      }
      group[i] = (int) (buffer & ((1L << width) - 1));
      buffer >>>= width;
      bits -= width;
    }
    next = 0;
  }

  private int nextByte() {
    if (position == end) {
      throw breaksOff();
    }
    return bytes[position++] & 255;
  }

  private static IllegalArgumentException breaksOff() {
    return new IllegalArgumentException("runs that break off");
  }
}
