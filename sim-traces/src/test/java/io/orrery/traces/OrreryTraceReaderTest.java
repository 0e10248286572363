package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.parquet.Column;
import io.orrery.parquet.ColumnType;
import io.orrery.parquet.IntLists;
import io.orrery.parquet.LongLists;
import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import io.orrery.parquet.ParquetTableBuilder;
import io.orrery.parquet.ParquetWriter;
import io.orrery.parquet.WriteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orrery's own format: old files stay readable, and hostile ones are refused. */
class OrreryTraceReaderTest {
  @TempDir Path folder;

  /** A file of the first version, as it was written then. */
  @Test
  void theFirstVersionStaysReadable() throws IOException {
    Path file = folder.resolve("version-1.parquet");
    try (var in = OrreryTraceReaderTest.class.getResourceAsStream("orrery-trace-1.parquet")) {
      Files.copy(in, file);
    }

    Trace trace = TraceReaders.read(file);

    Trace sample = FormatSamples.read(TraceFormat.DYNAMO, folder);
    assertThat(trace.digest()).isEqualTo(sample.digest());
    assertThat(TraceComparison.differences(sample, trace)).isEmpty();
    assertThat(trace.recordedWorker(0)).isEqualTo("0>1");
    assertThat(trace.recordedTools(0)).isEqualTo("search");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "orrery.trace.version|2|orrery.trace.version: found 2, expected 1: it was written by another version of Orrery",
        "orrery.trace.version|x|orrery.trace.version: found x, expected 1: it was written by another version of Orrery",
        "orrery.trace.block_size|0|orrery.trace.block_size: found 0, expected a whole number from 1 to 1000000000",
        "orrery.trace.block_count|-1|orrery.trace.block_count: found -1, expected a whole number from 0 to 2147483647",
        "orrery.trace.block_count|3|partial_block: found 4 in row 1, expected -1 to 2",
        "orrery.trace.shared_clock|maybe|orrery.trace.shared_clock: found maybe, expected true or false",
        "orrery.trace.provenance|[|orrery.trace.provenance: found text that is not JSON, expected what Orrery writes"
      })
  void metadataThatMakeNoSense(String key, String value, String message) {
    Path file = withMetadata(key, value);
    assertThatThrownBy(() -> TraceReaders.read(file))
        .isInstanceOf(TraceException.class)
        .hasMessage(file + ": " + message);
  }

  @Test
  void aParquetFileOfSomethingElse() {
    Path file = folder.resolve("other.parquet");
    ParquetWriter.writeTable(
        file, ParquetTable.builder().ints("a", new int[] {1}).build(), WriteOptions.of("somebody"));

    assertThatThrownBy(() -> TraceReaders.read(file))
        .hasMessage(
            file
                + ": orrery.trace.version: found nothing, expected a trace in Orrery's own format");
  }

  @Test
  void blocksWithTwoPredecessorsAreRefused() {
    ParquetTable table = table();
    IntLists runs = table.intLists("run_first");
    ParquetTableBuilder changed =
        copy(table, "run_first")
            .intLists("run_first", new IntLists(runs.offsets(), new int[runs.values().length]));
    table.metadata().forEach(changed::metadata);

    Path file = write(changed);

    assertThatThrownBy(() -> TraceReaders.read(file))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("run_first: found block 0 behind two different blocks");
  }

  /** A prompt that begins with the second block of another's run: that block has one before it. */
  @Test
  void aPromptThatBeginsInsideARunIsRefused() {
    ParquetTable table = table();
    IntLists firsts = table.intLists("run_first");
    IntLists lengths = table.intLists("run_length");
    int[] changedFirsts = firsts.values().clone();
    int run = 0;
    while (lengths.values()[run] < 2) {
      run++;
    }
    int row = 0;
    while (firsts.offsets()[row] <= run) {
      row++;
    }
    int inside = changedFirsts[run] + 1;
    changedFirsts[firsts.offsets()[row]] = inside;
    ParquetTableBuilder changed =
        copy(table, "run_first")
            .intLists("run_first", new IntLists(firsts.offsets(), changedFirsts));
    table.metadata().forEach(changed::metadata);

    Path file = write(changed);

    assertThatThrownBy(() -> TraceReaders.read(file))
        .hasMessageContaining("found block " + inside + " behind two different blocks");
  }

  /**
   * The first request has 10 prompt tokens, of which 4 came from a cache, and took 400 ms, 82.4 of
   * them to its first token. Files from before such facts were looked at stay readable.
   */
  @Test
  void measurementsThatCannotBeAreLeftOutAndCounted() {
    ParquetTable table = table();
    ParquetTableBuilder changed = copy(table, "cached_tokens", "ttft_nanos");
    int[] cached = table.ints("cached_tokens", -1).clone();
    long[] ttft = table.longs("ttft_nanos", -1).clone();
    assertThat(cached[0]).isEqualTo(4);
    assertThat(ttft[0]).isEqualTo(82_400_000);
    cached[0] = 11;
    ttft[0] = 400_000_001;
    changed.ints("cached_tokens", cached, -1).longs("ttft_nanos", ttft, -1);
    table.metadata().forEach(changed::metadata);

    Path file = write(changed);
    TraceReading reading = TraceReaders.open(List.of(file), TraceOptions.defaults());
    Trace trace = reading.trace();

    assertThat(reading.findings().all())
        .extracting(TraceFinding::place, TraceFinding::what)
        .containsExactly(
            tuple(file.toString(), "recorded first tokens after the recorded last ones, left out"),
            tuple(file.toString(), "recorded cached tokens beyond the prompt's, left out"));
    assertThat(trace.recordedCachedTokens(0)).isEqualTo(-1);
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(Trace.NO_TIME);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(400_000_000);
    assertThat(trace.provenance().counters())
        .containsEntry("recorded first tokens after the recorded last ones, left out", 1L)
        .containsEntry("recorded cached tokens beyond the prompt's, left out", 1L);
  }

  /** What no request can have is refused, whoever wrote it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "input_tokens|0|input_tokens: found 0 in row 0, expected 1 to 1000000000",
        "input_tokens|-5|input_tokens: found -5 in row 0, expected 1 to 1000000000",
        "input_tokens|7|prompt_blocks: found 2 in row 0, expected 0 to 1",
        "output_tokens|0|output_tokens: found 0 in row 0, expected 1 to 1000000000",
        "cached_tokens|-2|cached_tokens: found -2 in row 0, expected -1 to 2147483647",
        "ttft_nanos|-2|ttft_nanos: found -2 in row 0, expected -1 to 4611686018427387903",
        "total_nanos|-2|total_nanos: found -2 in row 0, expected -1 to 4611686018427387903",
        "prompt_blocks|3|prompt_blocks: found 3 in row 0, expected 0 to 2",
        "prompt_blocks|1|prompt_blocks: found 1 in row 0, expected 2 to 2"
      })
  void numbersThatNoRequestHas(String column, int value, String message) {
    ParquetTable table = table();
    ParquetTableBuilder changed = copy(table, column);
    if (table.schema().find(column).type() == ColumnType.INT) {
      int[] values = table.ints(column, -1).clone();
      values[0] = value;
      changed.ints(column, values);
    } else {
      long[] values = table.longs(column, -1).clone();
      values[0] = value;
      changed.longs(column, values);
    }
    table.metadata().forEach(changed::metadata);
    Path file = write(changed);

    assertThatThrownBy(() -> TraceReaders.read(file)).hasMessage(file + ": " + message);
  }

  /** Any number in any column: refused with its column, or a sound trace. */
  @Test
  @Timeout(60)
  void hostileColumns() {
    ParquetTable table = table();
    SplittableRandom random = new SplittableRandom(5);
    int refused = 0;
    for (int round = 0; round < 300; round++) {
      Path file = write(mutated(table, random));
      try {
        RealTracesTest.assertInvariants(TraceReaders.read(file));
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(50);
  }

  @Test
  @Timeout(60)
  void damagedBytes() throws IOException {
    Path file = folder.resolve("damaged.parquet");
    TraceWriters.of(TraceFormat.ORRERY).orElseThrow().write(sample(), file);
    byte[] original = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      byte[] bytes = original.clone();
      for (int edits = random.nextInt(3); edits >= 0; edits--) {
        bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt(256);
      }
      Files.write(file, bytes);
      try {
        RealTracesTest.assertInvariants(TraceReaders.read(file));
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("found ");
      }
    }
  }

  private Trace sample() {
    return FormatSamples.read(TraceFormat.DYNAMO, folder);
  }

  private ParquetTable table() {
    try {
      Path file = folder.resolve("good.parquet");
      TraceWriters.of(TraceFormat.ORRERY).orElseThrow().write(sample(), file);
      return ParquetReader.readTable(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path withMetadata(String key, String value) {
    ParquetTable table = table();
    ParquetTableBuilder changed = copy(table, "");
    table.metadata().forEach(changed::metadata);
    return write(changed.metadata(key, value));
  }

  private Path write(ParquetTableBuilder table) {
    Path file = folder.resolve("rewritten.parquet");
    ParquetWriter.writeTable(file, table.build(), WriteOptions.of("test"));
    return file;
  }

  private static ParquetTableBuilder copy(ParquetTable table, String... without) {
    ParquetTableBuilder builder = ParquetTable.builder();
    for (var column : table.schema().columns()) {
      String name = column.name();
      if (List.of(without).contains(name)) {
        continue;
      }
      switch (column.type()) {
        case INT ->
            builder.ints(name, table.ints(name, -1), column.nullable() ? -1 : Integer.MIN_VALUE);
        case LONG ->
            builder.longs(name, table.longs(name, -1), column.nullable() ? -1 : Long.MIN_VALUE);
        case STRING -> builder.nullableStrings(name, table.nullableStrings(name));
        case INT_LIST -> builder.intLists(name, table.intLists(name));
        case LONG_LIST -> builder.longLists(name, table.longLists(name));
        default -> throw new AssertionError(column.type());
      }
    }
    return builder;
  }

  /** The table with one number of one column replaced. */
  private static ParquetTableBuilder mutated(ParquetTable table, SplittableRandom random) {
    List<Column> numbers =
        table.schema().columns().stream()
            .filter(column -> column.type() != ColumnType.STRING)
            .toList();
    String name = numbers.get(random.nextInt(numbers.size())).name();
    int[] values = {-1, 0, 1, 2, 3, 5, 1_000_000_001, Integer.MAX_VALUE, Integer.MIN_VALUE};
    int value = values[random.nextInt(values.length)];
    ParquetTableBuilder builder = copy(table, name);
    switch (table.schema().find(name).type()) {
      case INT -> {
        int[] ints = table.ints(name, -1).clone();
        ints[random.nextInt(ints.length)] = value;
        builder.ints(name, ints);
      }
      case LONG -> {
        long[] longs = table.longs(name, -1).clone();
        longs[random.nextInt(longs.length)] = value * (random.nextBoolean() ? 1L : 1L << 32);
        builder.longs(name, longs);
      }
      case INT_LIST -> {
        IntLists lists = table.intLists(name);
        int[] ints = lists.values().clone();
        ints[random.nextInt(ints.length)] = value;
        builder.intLists(name, new IntLists(lists.offsets(), ints));
      }
      default -> {
        LongLists lists = table.longLists(name);
        long[] longs = lists.values().clone();
        longs[random.nextInt(longs.length)] = value * (random.nextBoolean() ? 1L : 1L << 32);
        builder.longLists(name, new LongLists(lists.offsets(), longs));
      }
    }
    table.metadata().forEach(builder::metadata);
    return builder;
  }
}
