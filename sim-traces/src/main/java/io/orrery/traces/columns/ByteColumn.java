package io.orrery.traces.columns;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growable column of bytes, of which there may be more than an {@code int} counts. */
public final class ByteColumn extends Column {
  private static final byte[] NOTHING = {};

  private byte @Nullable [] heap = NOTHING;
  private long size;

  /** An empty column in the standard storage. */
  public ByteColumn() {
    this(ColumnStorage.standard());
  }

  /** An empty column. */
  public ByteColumn(ColumnStorage storage) {
    super(storage, Byte.BYTES);
  }

  /** Number of bytes. */
  public long size() {
    return size;
  }

  /** The byte at an index below {@link #size}; anything, or an exception, beyond. */
  public byte get(long index) {
    byte @Nullable [] array = heap;
    return array == null
        ? segments[(int) (index >>> shift)].get((int) index & mask)
        : array[(int) index];
  }

  /** Replaces the byte at an index below {@link #size}. */
  public void set(long index, byte value) {
    byte @Nullable [] array = heap;
    if (array == null) {
      segments[(int) (index >>> shift)].put((int) index & mask, value);
    } else {
      array[(int) index] = value;
    }
  }

  /** Appends a byte. */
  public void add(byte value) {
    reserve(size + 1);
    set(size++, value);
  }

  /** Appends a byte so many times. */
  public void addRepeated(byte value, int times) {
    byte[] some = new byte[Math.min(times, 1 << 16)];
    Arrays.fill(some, value);
    reserve(size + times);
    for (int left = times; left > 0; left -= some.length) {
      addAll(some, Math.min(left, some.length));
    }
  }

  /** Appends bytes. */
  public void addAll(byte[] values) {
    addAll(values, values.length);
  }

  private void addAll(byte[] values, int length) {
    long end = size + length;
    reserve(end);
    byte @Nullable [] array = heap;
    if (array != null) {
      System.arraycopy(values, 0, array, (int) size, length);
    } else {
      for (int done = 0; done < length; ) {
        long index = size + done;
        int count = Math.min(length - done, room(index));
        view(index).put(values, done, count);
        done += count;
      }
    }
    size = end;
  }

  /** The bytes at [from, to). */
  public byte[] copy(long from, long to) {
    byte[] target = new byte[Math.toIntExact(to - from)];
    byte @Nullable [] array = heap;
    if (array != null) {
      System.arraycopy(array, (int) from, target, 0, target.length);
    } else {
      for (int done = 0; done < target.length; ) {
        int count = Math.min(target.length - done, room(from + done));
        view(from + done).get(target, done, count);
        done += count;
      }
    }
    return target;
  }

  /** Whether the bytes from an index on begin with these; there must be as many. */
  public boolean matches(long from, byte[] expected) {
    byte @Nullable [] array = heap;
    if (array != null) {
      int start = (int) from;
      return Arrays.equals(array, start, start + expected.length, expected, 0, expected.length);
    }
    for (int i = 0; i < expected.length; i++) {
      if (get(from + i) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void release() {
    super.release();
    heap = NOTHING;
    size = 0;
  }

  /** Bytes from an index to the end of its segment. */
  private int room(long index) {
    return mask + 1 - ((int) index & mask);
  }

  private ByteBuffer view(long index) {
    return segments[(int) (index >>> shift)].duplicate().position((int) index & mask);
  }

  private void reserve(long values) {
    byte @Nullable [] array = heap;
    if (array == null) {
      reserveSegments(values);
    } else if (values > array.length) {
      if (fitsHeap(values)) {
        heap = Arrays.copyOf(array, grownCapacity(array.length, values));
      } else {
        leaveHeap(array, values);
      }
    }
  }

  private void leaveHeap(byte[] array, long values) {
    int count = (int) size;
    reserveSegments(values);
    heap = null;
    size = 0;
    addAll(array, count);
  }
}
