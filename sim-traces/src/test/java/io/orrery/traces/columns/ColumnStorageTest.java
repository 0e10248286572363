package io.orrery.traces.columns;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns in the heap and outside of it, against lists of the JDK. */
class ColumnStorageTest {
  /** Leaves the heap after 25 ints, in segments of 16. */
  private static final int HEAP = 100;

  private static final int SEGMENT = 64;

  @TempDir Path folder = Path.of("");

  private ColumnStorage storage() {
    return ColumnStorage.in(folder, HEAP, SEGMENT);
  }

  @Test
  void aColumnLeavesTheHeapWhereItIsTooBigForIt() {
    IntColumn column = new IntColumn(storage());
    for (int i = 0; i < 25; i++) {
      column.add(i * i);
    }
    assertThat(column.isMapped()).isFalse();
    column.add(625);
    assertThat(column.isMapped()).isTrue();
    for (int i = 0; i < 26; i++) {
      assertThat(column.get(i)).isEqualTo(i * i);
    }
  }

  @Test
  void intsBehaveAsAList() {
    for (ColumnStorage storage : List.of(storage(), ColumnStorage.standard())) {
      SplittableRandom random = new SplittableRandom(1);
      IntColumn column = new IntColumn(storage);
      List<Integer> expected = new ArrayList<>();
      for (int step = 0; step < 2_000; step++) {
        int value = random.nextInt();
        int size = expected.size();
        switch (random.nextInt(size == 0 ? 3 : 7)) {
          case 0 -> {
            column.add(value);
            expected.add(value);
          }
          case 1 -> {
            int[] values = random.ints(random.nextInt(40)).toArray();
            int from = random.nextInt(values.length + 1);
            column.addAll(values, from, values.length);
            for (int i = from; i < values.length; i++) {
              expected.add(values[i]);
            }
          }
          case 2 -> {
            int times = random.nextInt(30);
            column.addRepeated(value, times);
            for (int i = 0; i < times; i++) {
              expected.add(value);
            }
          }
          case 3 -> {
            int index = random.nextInt(size);
            column.set(index, value);
            expected.set(index, value);
          }
          case 4 -> {
            int index = random.nextInt(size);
            column.increase(index, 3);
            expected.set(index, expected.get(index) + 3);
          }
          case 5 -> {
            if (random.nextInt(20) == 0) {
              column.truncate(size / 2);
              expected.subList(size / 2, size).clear();
            }
          }
          default -> {
            int from = random.nextInt(size);
            int[] part = new int[size - from];
            column.copy(from, size, part);
            assertThat(part)
                .isEqualTo(expected.subList(from, size).stream().mapToInt(i -> i).toArray());
            assertThat(column.last()).isEqualTo(expected.get(size - 1));
          }
        }
        assertThat(column.size()).isEqualTo(expected.size());
      }
      int[] all = expected.stream().mapToInt(i -> i).toArray();
      assertThat(column.toArray()).isEqualTo(all);
      assertThat(column.copy().trimmed().toArray()).isEqualTo(all);
    }
  }

  /** Values in order, and how many there are of them, across segments. */
  @Test
  void intsInOrderAreWrittenAndFoundAtOnce() {
    for (ColumnStorage storage : List.of(storage(), ColumnStorage.standard())) {
      IntColumn column = IntColumn.filled(storage, 50, 7);
      column.addAscending(100, 70);
      column.fillAscending(10, 40, -3);

      assertThat(column.size()).isEqualTo(120);
      assertThat(column.last()).isEqualTo(169);
      assertThat(column.repetitions(0, 120, 7)).isEqualTo(10);
      assertThat(column.repetitions(0, 6, 7)).isEqualTo(6);
      assertThat(column.repetitions(10, 120, 7)).isZero();
      assertThat(column.ascending(10, 120, -3)).isEqualTo(30);
      assertThat(column.ascending(12, 120, -1)).isEqualTo(28);
      assertThat(column.ascending(12, 120, 0)).isZero();
      assertThat(column.ascending(50, 90, 100)).isEqualTo(40);
      assertThat(column.ascending(50, 120, 100)).isEqualTo(70);
    }
  }

  @Test
  void longsBehaveAsAList() {
    for (ColumnStorage storage : List.of(storage(), ColumnStorage.standard())) {
      SplittableRandom random = new SplittableRandom(2);
      LongColumn column = new LongColumn(storage);
      List<Long> expected = new ArrayList<>();
      for (int step = 0; step < 500; step++) {
        long[] values = random.longs(random.nextInt(20)).toArray();
        column.addAll(values, 0, values.length);
        for (long value : values) {
          expected.add(value);
        }
        column.addRepeated(Long.MIN_VALUE, 2);
        expected.add(Long.MIN_VALUE);
        expected.add(Long.MIN_VALUE);
        int index = random.nextInt(expected.size());
        column.set(index, step);
        expected.set(index, (long) step);
        index = random.nextInt(expected.size());
        column.increase(index, -7);
        expected.set(index, expected.get(index) - 7);
      }
      assertThat(column.toArray()).isEqualTo(expected.stream().mapToLong(i -> i).toArray());
    }
  }

  @Test
  void bytesBehaveAsOneText() {
    for (ColumnStorage storage : List.of(storage(), ColumnStorage.standard())) {
      SplittableRandom random = new SplittableRandom(3);
      ByteColumn column = new ByteColumn(storage);
      StringBuilder expected = new StringBuilder();
      for (int step = 0; step < 200; step++) {
        String text = "t" + random.nextLong();
        column.addAll(text.getBytes(US_ASCII));
        column.add((byte) '|');
        column.addRepeated((byte) '-', step % 70);
        expected.append(text).append('|').append("-".repeat(step % 70));
      }
      assertThat(column.size()).isEqualTo(expected.length());
      for (int step = 0; step < 500; step++) {
        int from = random.nextInt(expected.length() - 200);
        int to = from + random.nextInt(200);
        byte[] part = expected.substring(from, to).getBytes(US_ASCII);
        assertThat(column.copy(from, to)).isEqualTo(part);
        assertThat(column.matches(from, part)).isTrue();
        if (part.length > 0) {
          part[random.nextInt(part.length)]++;
          assertThat(column.matches(from, part)).isFalse();
        }
      }
    }
  }

  @Test
  void nothingStaysInTheFolder() throws IOException {
    IntColumn column = new IntColumn(storage());
    column.addRepeated(5, 10_000);
    assertThat(column.get(9_999)).isEqualTo(5);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void whatCannotBeMappedLeavesNothingBehind() throws IOException {
    assertThatThrownBy(() -> new MappedFiles(folder).segment(-1))
        .isInstanceOf(IllegalArgumentException.class);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void releasedSegmentsServeOtherColumns() {
    List<ByteBuffer> given = new ArrayList<>();
    ColumnStorage storage =
        new ColumnStorage(
            0,
            SEGMENT,
            bytes -> {
              given.add(ByteBuffer.allocateDirect(bytes));
              return given.get(given.size() - 1);
            },
            "memory");
    IntColumn first = IntColumn.filled(storage, 100, 7);
    int needed = given.size();
    first.release();
    assertThat(first.size()).isZero();
    LongColumn second = LongColumn.filled(storage, 50, 0);
    assertThat(given).hasSize(needed);
    assertThat(second.toArray()).containsOnly(0);
  }

  @Test
  void aFullFolderIsAnErrorThatSaysWhere() {
    int[] left = {3};
    ColumnStorage storage =
        new ColumnStorage(
            HEAP,
            SEGMENT,
            bytes -> {
              if (left[0]-- == 0) {
                throw new IOException("No space left on device");
              }
              return ByteBuffer.allocateDirect(bytes);
            },
            "/full");
    IntColumn column = new IntColumn(storage);
    column.addRepeated(1, 48);
    assertThatThrownBy(() -> column.add(2))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "/full: cannot hold the temporary data of a big trace (No space left on device); make"
                + " room, or name another folder with -Dorrery.columns.folder=DIR in"
                + " ORRERY_JAVA_OPTS");
    assertThat(column.toArray()).containsOnly(1).hasSize(48);
  }

  @Test
  void aFolderThatIsNotThereIsAnError() {
    ColumnStorage storage = ColumnStorage.in(folder.resolve("absent"), 0, SEGMENT);
    assertThatThrownBy(() -> IntColumn.filled(storage, 1, 0))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(
            "absent: cannot hold the temporary data of a big trace (no such folder)");
  }
}
