package io.orrery.traces.columns;

import java.nio.IntBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growable column of {@code int}s. */
public final class IntColumn extends Column {
  private static final int[] NOTHING = {};

  private int @Nullable [] heap = NOTHING;

  /** The segments as they are read: without a look at the order of bytes, as fast as an array. */
  private IntBuffer[] views = {};

  private int size;

  /** Values for which there is room. */
  private int capacity;

  /** An empty column in the standard storage. */
  public IntColumn() {
    this(ColumnStorage.standard());
  }

  /** An empty column. */
  public IntColumn(ColumnStorage storage) {
    super(storage, Integer.BYTES);
  }

  /** A column of these values in the standard storage. */
  public static IntColumn of(int... values) {
    IntColumn column = new IntColumn();
    column.addAll(values, 0, values.length);
    return column;
  }

  /** A column of one value, so many times, in the standard storage. */
  public static IntColumn filled(int size, int value) {
    return filled(ColumnStorage.standard(), size, value);
  }

  /** A column of one value, so many times. */
  public static IntColumn filled(ColumnStorage storage, int size, int value) {
    IntColumn column = new IntColumn(storage);
    column.reserve(size);
    column.addRepeated(value, size);
    return column;
  }

  /** Number of values. */
  public int size() {
    return size;
  }

  /** The value at an index below {@link #size}; anything, or an exception, beyond. */
  public int get(int index) {
    int @Nullable [] array = heap;
    return array == null ? views[index >>> shift].get(index & mask) : array[index];
  }

  /** Replaces the value at an index below {@link #size}. */
  public void set(int index, int value) {
    int @Nullable [] array = heap;
    if (array == null) {
      views[index >>> shift].put(index & mask, value);
    } else {
      array[index] = value;
    }
  }

  /** Replaces the values at [from, to), which is below {@link #size}, by one. */
  public void fill(int from, int to, int value) {
    int @Nullable [] array = heap;
    if (array != null) {
      Arrays.fill(array, from, to, value);
    } else {
      for (int index = from; index < to; ) {
        IntBuffer view = views[index >>> shift];
        int count = Math.min(to - index, mask + 1 - (index & mask));
        for (int i = 0; i < count; i++) {
          view.put((index & mask) + i, value);
        }
        index += count;
      }
    }
  }

  /** Replaces the values at [from, to), which is below {@link #size}, by ones in order. */
  public void fillAscending(int from, int to, int first) {
    int @Nullable [] array = heap;
    if (array != null) {
      for (int i = from; i < to; i++) {
        array[i] = first + i - from;
      }
    } else {
      for (int i = from; i < to; i++) {
        views[i >>> shift].put(i & mask, first + i - from);
      }
    }
  }

  /** How many values from an index on are this one, up to another index. */
  public int repetitions(int from, int to, int value) {
    int i = from;
    int @Nullable [] array = heap;
    if (array != null) {
      while (i < to && array[i] == value) {
        i++;
      }
    } else {
      while (i < to && views[i >>> shift].get(i & mask) == value) {
        i++;
      }
    }
    return i - from;
  }

  /** How many values from an index on are first, first + 1, ..., up to another index. */
  public int ascending(int from, int to, int first) {
    int i = from;
    int @Nullable [] array = heap;
    if (array != null) {
      while (i < to && array[i] == first + i - from) {
        i++;
      }
    } else {
      while (i < to && views[i >>> shift].get(i & mask) == first + i - from) {
        i++;
      }
    }
    return i - from;
  }

  /** Adds to the value at an index below {@link #size}. */
  public void increase(int index, int by) {
    set(index, get(index) + by);
  }

  /** The value at the end; there must be one. */
  public int last() {
    return get(size - 1);
  }

  /** Appends a value. */
  public void add(int value) {
    if (size == capacity) {
      reserve(size + 1L);
    }
    set(size++, value);
  }

  /** Appends a value so many times. */
  public void addRepeated(int value, int times) {
    int end = Math.addExact(size, times);
    reserve(end);
    fill(size, end, value);
    size = end;
  }

  /** Appends so many values in order. */
  public void addAscending(int first, int count) {
    int end = Math.addExact(size, count);
    reserve(end);
    fillAscending(size, end, first);
    size = end;
  }

  /** Appends the values at [from, to) of an array. */
  public void addAll(int[] values, int from, int to) {
    int end = Math.addExact(size, to - from);
    reserve(end);
    int @Nullable [] array = heap;
    if (array != null) {
      System.arraycopy(values, from, array, size, to - from);
    } else {
      for (int done = from; done < to; ) {
        int index = size + done - from;
        int count = Math.min(to - done, mask + 1 - (index & mask));
        views[index >>> shift].put(index & mask, values, done, count);
        done += count;
      }
    }
    size = end;
  }

  /** Copies the values at [from, to) to the beginning of an array. */
  public void copy(int from, int to, int[] target) {
    int @Nullable [] array = heap;
    if (array != null) {
      System.arraycopy(array, from, target, 0, to - from);
    } else {
      for (int index = from; index < to; ) {
        int count = Math.min(to - index, mask + 1 - (index & mask));
        views[index >>> shift].get(index & mask, target, index - from, count);
        index += count;
      }
    }
  }

  /** All values. */
  public int[] toArray() {
    int[] result = new int[size];
    copy(0, size, result);
    return result;
  }

  /** A column of the same values. */
  public IntColumn copy() {
    IntColumn result = new IntColumn(storage);
    result.reserve(size);
    for (int i = 0; i < size; i++) {
      result.add(get(i));
    }
    return result;
  }

  /** Forgets all values. */
  public void clear() {
    size = 0;
  }

  /** Forgets the values from an index on. */
  public void truncate(int newSize) {
    size = Math.min(size, newSize);
  }

  /** Gives back what the heap holds beyond the values; for a column that is complete. */
  public IntColumn trimmed() {
    int @Nullable [] array = heap;
    if (array != null && array.length > size) {
      heap = Arrays.copyOf(array, size);
      capacity = size;
    }
    return this;
  }

  @Override
  public void release() {
    super.release();
    views = new IntBuffer[0];
    heap = NOTHING;
    size = 0;
    capacity = 0;
  }

  private void reserve(long values) {
    if (values <= capacity) {
      return;
    }
    int @Nullable [] array = heap;
    if (array == null) {
      capacity = reserveViews(values);
    } else if (fitsHeap(values)) {
      heap = Arrays.copyOf(array, grownCapacity(array.length, values));
      capacity = heap.length;
    } else {
      leaveHeap(array, values);
    }
  }

  private int reserveViews(long values) {
    int room = reserveSegments(values);
    int known = views.length;
    views = Arrays.copyOf(views, segmentCount());
    for (int i = known; i < views.length; i++) {
      views[i] = segments[i].asIntBuffer();
    }
    return room;
  }

  private void leaveHeap(int[] array, long values) {
    int count = size;
    capacity = reserveViews(values);
    heap = null;
    size = 0;
    addAll(array, 0, count);
  }
}
