package io.orrery.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;

/** Tables with a column of every type, without and with nulls, and how to compare them. */
final class SampleTables {
  static final WriteOptions OPTIONS = WriteOptions.of("orrery version 0.1.0");

  private SampleTables() {}

  /** Every row differs; a fifth of the nullable cells is null; NaN, -0.0 and the extremes occur. */
  static ParquetTable everyType(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean[] flag = new boolean[rows];
    int[] count = new int[rows];
    long[] time = new long[rows];
    double[] latency = new double[rows];
    String[] dtype = new String[rows];
    String[] request = new String[rows];
    int[][] lengths = new int[rows][];
    long[][] firsts = new long[rows][];
    BitSet some = new BitSet();
    BitSet noList = new BitSet();
    String[] words = {"bfloat16", "fp8", "nvfp4", "", "µs ≤ 1 – 日本語"};
    double payload = Double.longBitsToDouble(0x7ff8_0000_0000_0001L);
    double[] odd = {0.0, -0.0, Double.NaN, payload, Double.MAX_VALUE, Double.NEGATIVE_INFINITY};
    for (int row = 0; row < rows; row++) {
      flag[row] = random.nextInt(3) == 0;
      count[row] = row == 1 ? Integer.MIN_VALUE : row == 2 ? Integer.MAX_VALUE : random.nextInt(9);
      time[row] = row == 1 ? Long.MIN_VALUE : row == 2 ? Long.MAX_VALUE : row * 1_000_003L;
      latency[row] = row < odd.length ? odd[row] : random.nextDouble();
      dtype[row] = words[random.nextInt(words.length)];
      request[row] = "request-" + row + "-" + random.nextLong();
      if (random.nextInt(5) == 0) {
        some.set(row);
      }
      int runs = random.nextInt(4);
      if (runs == 0 && random.nextBoolean()) {
        noList.set(row);
      }
      lengths[row] = new int[runs];
      firsts[row] = new long[runs];
      for (int run = 0; run < runs; run++) {
        lengths[row][run] = random.nextInt(1, 100);
        firsts[row][run] = random.nextLong(1L << 40);
      }
    }
    return ParquetTable.builder()
        .booleans("flag", flag)
        .ints("count", count)
        .longs("time", time)
        .doubles("latency", latency)
        .strings("dtype", dtype)
        .strings("request", request)
        .intLists("runLengths", IntLists.of(lengths))
        .longLists("runFirsts", LongLists.of(firsts))
        .booleans("flagOrNull", flag)
        .nulls("flagOrNull", some)
        .ints("countOrNull", count)
        .nulls("countOrNull", some)
        .longs("timeOrNull", time)
        .nulls("timeOrNull", some)
        .doubles("latencyOrNull", latency)
        .nulls("latencyOrNull", some)
        .strings("dtypeOrNull", dtype)
        .nulls("dtypeOrNull", some)
        .intLists("lengthsOrNull", IntLists.of(lengths))
        .nulls("lengthsOrNull", noList)
        .longLists("firstsOrNull", LongLists.of(firsts))
        .nulls("firstsOrNull", noList)
        .metadata("seed", Long.toString(seed))
        .metadata("origin", "made up")
        .build();
  }

  /** Same columns, nulls and values, bit for bit. */
  static void assertSame(ParquetTable actual, ParquetTable expected) {
    assertThat(actual.schema()).isEqualTo(expected.schema());
    assertThat(actual.rowCount()).isEqualTo(expected.rowCount());
    assertThat(actual.metadata()).isEqualTo(expected.metadata());
    for (Column column : expected.schema().columns()) {
      assertSameColumn(actual, expected, column);
    }
  }

  private static void assertSameColumn(ParquetTable actual, ParquetTable expected, Column column) {
    String name = column.name();
    for (int row = 0; row < expected.rowCount(); row++) {
      if (actual.isNull(name, row) != expected.isNull(name, row)) {
        assertThat(actual.isNull(name, row)).as("null in row %d of %s", row, name).isFalse();
      }
    }
    switch (column.type()) {
      case BOOLEAN ->
          assertThat(actual.booleans(name, false))
              .as(name)
              .isEqualTo(expected.booleans(name, false));
      case INT -> assertThat(actual.ints(name, 7)).as(name).isEqualTo(expected.ints(name, 7));
      case LONG -> assertThat(actual.longs(name, 7)).as(name).isEqualTo(expected.longs(name, 7));
      case DOUBLE ->
          assertThat(bits(actual.doubles(name, 7)))
              .as(name)
              .isEqualTo(bits(expected.doubles(name, 7)));
      case STRING ->
          assertThat(actual.nullableStrings(name))
              .as(name)
              .isEqualTo(expected.nullableStrings(name));
      case INT_LIST ->
          assertThat(actual.intLists(name)).as(name).isEqualTo(expected.intLists(name));
      case LONG_LIST ->
          assertThat(actual.longLists(name)).as(name).isEqualTo(expected.longLists(name));
      case OTHER -> throw new AssertionError(name);
    }
  }

  private static long[] bits(double[] values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = Double.doubleToRawLongBits(values[i]);
    }
    return bits;
  }
}
