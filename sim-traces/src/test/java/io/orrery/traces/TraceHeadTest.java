package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first requests of files, of which no more is read than these need. */
class TraceHeadTest {
  @TempDir Path folder;

  static Stream<TraceFormat> formats() {
    return FormatConformanceTest.formats();
  }

  /** Nonsense behind the first rows is not noticed, since nobody comes to it. */
  @ParameterizedTest
  @MethodSource("formats")
  void whatFollowsIsNotRead(TraceFormat format) throws IOException {
    String rows = FormatRows.of(format, 400, 64);
    Path file = Files.writeString(folder.resolve("rows"), rows + "\n\"nonsense\n");
    TraceOptions options = FormatSamples.options(format).withFormat(format);
    if (format == TraceFormat.AIPERF_INPUTS || format == TraceFormat.BENCHMARK) {
      // One object is the whole file.
      Files.writeString(file, rows);
    }

    TraceHead head = TraceReaders.head(List.of(file), options, 3);

    assertThat(head.trace().requestCount()).isGreaterThanOrEqualTo(3);
    if (rows.lines().count() > 300) {
      assertThat(head.whole()).isFalse();
      assertThat(head.trace().requestCount()).isLessThan(30);
    }
    RealTracesTest.assertInvariants(head.trace());
  }

  @Test
  void allThatThereIsIsWhole() throws IOException {
    Path file = Files.writeString(folder.resolve("rows"), row(0, 0) + row(1, 1) + row(2, 2) + "\n");

    assertThat(TraceReaders.head(List.of(file), TraceOptions.defaults(), 3).whole()).isTrue();
    assertThat(TraceReaders.head(List.of(file), TraceOptions.defaults(), 2).whole()).isFalse();
  }

  /** By start among those that come first, not among all. */
  @Test
  void rowsComeAsInTheFile() throws IOException {
    String rows = row(1, 5) + row(2, 3) + row(3, 4);
    Path file = Files.writeString(folder.resolve("rows"), rows + row(4, 0));

    Trace head = TraceReaders.head(List.of(file), TraceOptions.defaults(), 3).trace();

    assertThat(head.requestId(0)).isEqualTo("r2");
    assertThat(head.arrivalNanos(0)).isZero();
    assertThat(head.requestId(2)).isEqualTo("r1");
  }

  @Test
  void shardsAreReadAsFarAsTheyAreNeeded() throws IOException {
    Path first = Files.writeString(folder.resolve("1"), row(0, 0) + row(1, 1));
    Path second = Files.writeString(folder.resolve("2"), row(2, 2) + row(3, 3));
    Path third = Files.writeString(folder.resolve("3"), row(4, 4) + "{}\n");
    List<Path> shards = List.of(first, second, third);

    TraceHead four = TraceReaders.head(shards, TraceOptions.defaults(), 4);

    assertThat(four.whole()).isFalse();
    assertThat(four.trace().requestCount()).isEqualTo(4);
    assertThat(four.trace().provenance().files()).hasSize(2);
    assertThatThrownBy(() -> TraceReaders.head(shards, TraceOptions.defaults(), 6))
        .hasMessageStartingWith(third + ":2: input_length: found nothing");
  }

  /** A request that waits for a later one cannot be shown without it. */
  @Test
  void whatNeedsWhatFollowsIsReadWhole() throws IOException {
    String waits =
        "{\"request_id\": \"b\", \"wait_for\": [\"a\"], \"input_length\": 5, \"output_length\": 1}\n";
    String first =
        "{\"request_id\": \"a\", \"timestamp\": 0, \"input_length\": 5, \"output_length\": 1}\n";
    Path file = Files.writeString(folder.resolve("rows"), waits + first);

    TraceHead head = TraceReaders.head(List.of(file), TraceOptions.defaults(), 1);

    assertThat(head.whole()).isTrue();
    assertThat(head.trace().requestCount()).isEqualTo(2);
  }

  @Test
  void aMistakeInWhatIsReadIsOne() throws IOException {
    Path file = Files.writeString(folder.resolve("rows"), row(0, 0) + "{}\n" + row(1, 1));

    assertThat(TraceReaders.head(List.of(file), TraceOptions.defaults(), 1).whole()).isFalse();
    assertThatThrownBy(() -> TraceReaders.head(List.of(file), TraceOptions.defaults(), 2))
        .hasMessageStartingWith(file + ":2: input_length: found nothing");
    List<String> kept = new ArrayList<>();
    TraceOptions aside =
        TraceOptions.defaults().withBadRecords((name, line, text, why) -> kept.add(line + text));
    assertThat(TraceReaders.head(List.of(file), aside, 2).trace().requestCount()).isEqualTo(2);
    assertThat(kept).containsExactly("2{}");
  }

  /** Of Orrery's own format, whole row groups are read. */
  @Test
  void rowGroupsBehindAreNotRead() throws IOException {
    Path file = folder.resolve("trace.parquet");
    int rows = 3 * 131_072;
    try (TraceRowWriter writer = new TraceRowWriter(file, 16, true, false)) {
      for (int r = 0; r < rows; r++) {
        int[] none = {};
        writer.write(
            new TraceRow(
                r,
                -1,
                r,
                5,
                1,
                0,
                0,
                none,
                none,
                new boolean[0],
                new long[0],
                Trace.NO_TIME,
                null));
      }
      writer.commit(0, TraceText.read(row(0, 0)).provenance());
    }
    TraceHead head = TraceReaders.head(List.of(file), TraceOptions.defaults(), 10);
    assertThat(head.whole()).isFalse();
    assertThat(head.trace().requestCount()).isBetween(10, rows / 2);

    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 2_000, (byte) 7);
    Files.write(file, bytes);

    assertThat(TraceReaders.head(List.of(file), TraceOptions.defaults(), 10).whole()).isFalse();
    assertThatThrownBy(() -> TraceReaders.read(file)).isInstanceOf(TraceException.class);
  }

  private static String row(int id, int time) {
    return "{\"request_id\": \"r"
        + id
        + "\", \"timestamp\": "
        + time
        + ", \"input_length\": 5, \"output_length\": 1}\n";
  }
}
