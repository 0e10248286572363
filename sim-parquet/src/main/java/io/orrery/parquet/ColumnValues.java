package io.orrery.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Grows an array of one type while pages are decoded into it. */
abstract sealed class ColumnValues {
  private static final int FIRST_CAPACITY = 1 << 10;
  private static final int LARGEST_CAPACITY = Integer.MAX_VALUE - 8;

  private int capacity;
  private int size;

  /** Storage for a column's values, or for the elements of its lists. */
  static ColumnValues of(LeafColumn leaf) {
    PrimitiveTypeName stored = leaf.descriptor().getPrimitiveType().getPrimitiveTypeName();
    return switch (leaf.column().type()) {
      case BOOLEAN -> new Booleans();
      case INT, INT_LIST -> new Ints();
      case LONG, LONG_LIST -> new Longs(stored == PrimitiveTypeName.INT32, leaf.unsigned());
      case DOUBLE -> new Doubles(stored == PrimitiveTypeName.FLOAT);
      case STRING -> new Strings();
      case OTHER -> throw new IllegalArgumentException("no values of " + leaf.declared());
    };
  }

  final int size() {
    return size;
  }

  /** Appends the page's next {@code count} values. */
  final void append(ValuesReader page, int count) throws IOException {
    decode(page, size, grow(count));
    size += count;
  }

  /** Appends the dictionary's values for the page's next {@code count} ids. */
  final void appendIds(ValuesReader page, int count) {
    lookUp(page, size, grow(count));
    size += count;
  }

  /** Appends {@code count} places without a value. */
  final void appendMissing(int count) {
    size = grow(count);
  }

  /** The array, exactly as long as there are values. */
  abstract Object array();

  /**
   * Takes a chunk's dictionary for the pages that follow.
   *
   * @param page {@code count} values, one after the other, lowest byte first
   * @throws IOException or RuntimeException if it holds less
   */
  abstract void dictionary(ByteBuffer page, int count) throws IOException;

  abstract void resize(int newCapacity);

  abstract void decode(ValuesReader page, int from, int to) throws IOException;

  abstract void lookUp(ValuesReader page, int from, int to);

  /** Makes room and returns the size to come. */
  private int grow(int count) {
    int needed = Math.addExact(size, count);
    if (needed > capacity) {
      long doubled = Math.max(FIRST_CAPACITY, 2L * capacity);
      capacity = (int) Math.max(needed, Math.min(LARGEST_CAPACITY, doubled));
      resize(capacity);
    }
    return needed;
  }

  private static final class Booleans extends ColumnValues {
    private boolean[] values = {};

    @Override
    Object array() {
      return values.length == size() ? values : Arrays.copyOf(values, size());
    }

    @Override
    void dictionary(ByteBuffer page, int count) throws IOException {
      throw new IOException("a dictionary of booleans");
    }

    @Override
    void resize(int newCapacity) {
      values = Arrays.copyOf(values, newCapacity);
    }

    @Override
    void decode(ValuesReader page, int from, int to) {
      for (int i = from; i < to; i++) {
        values[i] = page.readBoolean();
      }
    }

    @Override
    void lookUp(ValuesReader page, int from, int to) {
      throw new IllegalStateException("booleans have no dictionary");
    }
  }

  private static final class Ints extends ColumnValues {
    private int[] values = {};
    private int[] known = {};

    @Override
    Object array() {
      return values.length == size() ? values : Arrays.copyOf(values, size());
    }

    @Override
    void dictionary(ByteBuffer page, int count) {
      known = new int[count];
      page.asIntBuffer().get(known);
    }

    @Override
    void resize(int newCapacity) {
      values = Arrays.copyOf(values, newCapacity);
    }

    @Override
    void decode(ValuesReader page, int from, int to) {
      for (int i = from; i < to; i++) {
        values[i] = page.readInteger();
      }
    }

    @Override
    void lookUp(ValuesReader page, int from, int to) {
      for (int i = from; i < to; i++) {
        values[i] = known[page.readValueDictionaryId()];
      }
    }
  }

  private static final class Longs extends ColumnValues {
    private final boolean narrow;
    private final boolean unsigned;
    private long[] values = {};
    private long[] known = {};

    /**
     * @param narrow whether 32 bits are stored, which are unsigned then
     * @param unsigned whether the sign bit is part of the number
     */
    Longs(boolean narrow, boolean unsigned) {
      this.narrow = narrow;
      this.unsigned = unsigned;
    }

    @Override
    Object array() {
      return values.length == size() ? values : Arrays.copyOf(values, size());
    }

    @Override
    void dictionary(ByteBuffer page, int count) throws IOException {
      known = new long[count];
      for (int id = 0; id < count; id++) {
        known[id] = narrow ? Integer.toUnsignedLong(page.getInt()) : page.getLong();
      }
      checkSigns(known, 0, count);
    }

    @Override
    void resize(int newCapacity) {
      values = Arrays.copyOf(values, newCapacity);
    }

    @Override
    void decode(ValuesReader page, int from, int to) throws IOException {
      if (narrow) {
        for (int i = from; i < to; i++) {
          values[i] = Integer.toUnsignedLong(page.readInteger());
        }
      } else {
        for (int i = from; i < to; i++) {
          values[i] = page.readLong();
        }
      }
      checkSigns(values, from, to);
    }

    @Override
    void lookUp(ValuesReader page, int from, int to) {
      for (int i = from; i < to; i++) {
        values[i] = known[page.readValueDictionaryId()];
      }
    }

    private void checkSigns(long[] numbers, int from, int to) throws IOException {
      for (int i = from; unsigned && i < to; i++) {
        if (numbers[i] < 0) {
          throw new IOException(
              "the number " + Long.toUnsignedString(numbers[i]) + ", which no long can hold");
        }
      }
    }
  }

  private static final class Doubles extends ColumnValues {
    private final boolean single;
    private double[] values = {};
    private double[] known = {};

    /**
     * @param single whether 32 bits are stored
     */
    Doubles(boolean single) {
      this.single = single;
    }

    @Override
    Object array() {
      return values.length == size() ? values : Arrays.copyOf(values, size());
    }

    @Override
    void dictionary(ByteBuffer page, int count) {
      known = new double[count];
      for (int id = 0; id < count; id++) {
        known[id] = single ? page.getFloat() : page.getDouble();
      }
    }

    @Override
    void resize(int newCapacity) {
      values = Arrays.copyOf(values, newCapacity);
    }

    @Override
    void decode(ValuesReader page, int from, int to) {
      if (single) {
        for (int i = from; i < to; i++) {
          values[i] = page.readFloat();
        }
      } else {
        for (int i = from; i < to; i++) {
          values[i] = page.readDouble();
        }
      }
    }

    @Override
    void lookUp(ValuesReader page, int from, int to) {
      for (int i = from; i < to; i++) {
        values[i] = known[page.readValueDictionaryId()];
      }
    }
  }

  private static final class Strings extends ColumnValues {
    /** The texts of all dictionaries so far: row groups repeat them. */
    private final Map<String, String> shared = new HashMap<>();

    private @Nullable String[] values = {};
    private String[] known = {};

    @Override
    Object array() {
      return values.length == size() ? values : Arrays.copyOf(values, size());
    }

    @Override
    void dictionary(ByteBuffer page, int count) throws IOException {
      known = new String[count];
      for (int id = 0; id < count; id++) {
        int length = page.getInt();
        if (length < 0 || length > page.remaining()) {
          throw new IOException("a dictionary that breaks off");
        }
        byte[] bytes = new byte[length];
        page.get(bytes);
        String text = text(bytes);
        String first = shared.putIfAbsent(text, text);
        known[id] = first == null ? text : first;
      }
    }

    @Override
    void resize(int newCapacity) {
      values = Arrays.copyOf(values, newCapacity);
    }

    @Override
    void decode(ValuesReader page, int from, int to) throws IOException {
      for (int i = from; i < to; i++) {
        values[i] = text(page.readBytes().getBytesUnsafe());
      }
    }

    @Override
    void lookUp(ValuesReader page, int from, int to) {
      for (int i = from; i < to; i++) {
        values[i] = known[page.readValueDictionaryId()];
      }
    }

    private static String text(byte[] bytes) throws IOException {
      String text = new String(bytes, StandardCharsets.UTF_8);
      if (text.indexOf('\uFFFD') >= 0) {
        // Either that very character, or bytes that are no text.
        try {
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
          throw new IOException("text that is not UTF-8", e);
        }
      }
      return text;
    }
  }
}
