package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files are cut into pieces that several threads parse. What comes out is what one thread makes of
 * the whole: the same trace to the byte, the same findings at the same lines, the same error.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParsedInPiecesTest {
  private static final int ROUNDS = 40;

  /** No line fits into such a piece, so that no piece is parsed by itself. */
  private static final int AS_IT_IS_READ = 2;

  @TempDir Path folder;

  static Stream<TraceFormat> formats() {
    return FormatConformanceTest.formats();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aTraceDoesNotDependOnThreadsOrPieces(TraceFormat format) throws IOException {
    Path file = Files.writeString(folder.resolve("trace"), FormatRows.of(format, 60, 64));

    assertAlike(List.of(file), format);
  }

  /** Errors and their lines, too: most of these files are damaged. */
  @ParameterizedTest
  @MethodSource("formats")
  void neitherDoesADamagedOne(TraceFormat format) throws IOException {
    SplittableRandom random = new SplittableRandom(7L * format.ordinal());
    byte[] original = FormatSamples.of(format).text().getBytes(UTF_8);
    Path file = folder.resolve("trace");
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = original;
      for (int edits = random.nextInt(3); edits >= 0; edits--) {
        bytes = Mutations.mutated(bytes, random);
      }
      Files.write(file, bytes);
      assertAlike(List.of(file), format);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void neitherDoShards(TraceFormat format) throws IOException {
    assertAlike(shards(FormatRows.of(format, 60, 64), 4), format);
  }

  /** Half a surrogate pair is no id, whoever parses it. */
  @Test
  void neitherDoesHalfAnEmoji() throws IOException {
    String rows = rows(0, 60).replace("r17", "\\ud83d").replace("r40", "\\ud83d\\ude00");
    Path file = Files.writeString(folder.resolve("trace"), rows);

    assertAlike(List.of(file), TraceFormat.MOONCAKE);
    assertThatThrownBy(() -> read(List.of(file), options(2), 100))
        .hasMessageStartingWith(
            file + ":18: request_id: found the string \"\\ud83d\", expected text without half");
  }

  /** An object that goes on where a piece ends is read as it stands. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 100, 100_000})
  void objectsOverSeveralLinesAreWhole(int piece) throws IOException {
    String rows = rows(0, 40);
    String pretty = rows.replace(",", ",\n").replace("{", "{\n").replace("}", "\n}");
    Path file = Files.writeString(folder.resolve("pretty"), pretty);

    Trace trace = read(List.of(file), options(2), piece).trace();

    assertThat(trace.digest()).isEqualTo(TraceText.read(rows).digest());
    Files.writeString(file, pretty.replace(":1010,", ":true,"));
    int line = pretty.substring(0, pretty.indexOf(":1010,")).split("\n", -1).length;
    assertThatThrownBy(() -> read(List.of(file), options(2), piece))
        .hasMessageStartingWith(file + ":" + line + ": input_length: found true");
  }

  /** Also where a line of an object begins with a brace, as a line of a record would. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 100, 100_000})
  void aBraceAtTheBeginningOfALineIsNoPromise(int piece) throws IOException {
    String rows =
        rows(0, 40).replace("\"hash_ids\"", "\"x\":[\n{\"y\":[\n{\"z\":1}]}],\"hash_ids\"");
    Path file = Files.writeString(folder.resolve("nested"), rows);

    Trace trace = read(List.of(file), options(2), piece).trace();

    assertThat(trace.digest()).isEqualTo(TraceText.read(rows).digest());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 30, 100, 100_000})
  void quotedCellsOverSeveralLinesAreWhole(int piece) throws IOException {
    StringBuilder table =
        new StringBuilder("\nTIMESTAMP,\"Context\nNote\",ContextTokens,GeneratedTokens\n");
    for (int i = 0; i < 40; i++) {
      table
          .append("2023-11-16 18:17:0")
          .append(i % 10)
          .append(",\"a\n,1,\n")
          .append(i)
          .append("\",");
      table.append(100 + i).append(",5\n");
    }
    Path file = Files.writeString(folder.resolve("table.csv"), table);
    TraceOptions azure = options(2).withFormat(TraceFormat.AZURE);

    Trace trace = read(List.of(file), azure, piece).trace();

    assertThat(trace.requestCount()).isEqualTo(40);
    assertThat(trace.digest())
        .isEqualTo(read(List.of(file), azure.withThreads(1), piece).trace().digest());
  }

  /** Bad ones, ones whose quotes go over several lines, and quotes that nothing closes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 100, 1_000, 100_000})
  void rowsOfATableAreKeptAsideInPieces(int piece) throws IOException {
    StringBuilder table =
        new StringBuilder(" \r\narrived_at,\"num_prefill_tokens\",num_decode_tokens,remark\r\n");
    for (int i = 0; i < 3_000; i++) {
      String remark =
          switch (i % 500) {
            case 7 -> "\"two\nlines, \"\"quoted\"\"\n\"";
            case 8, 9, 111 -> "a \" alone";
            case 400 -> i == 2_400 ? "\"open" : "\"odd\"x";
            default -> "";
          };
      String input = i % 700 == 699 ? "many" : Integer.toString(40 + i);
      table.append(i).append(',').append(input).append(",7,").append(remark).append("\r\n");
      table.append(i % 90 == 0 ? "\n \n" : "");
    }
    Path file = Files.writeString(folder.resolve("table.csv"), table);
    TraceOptions vidur = options(1).withFormat(TraceFormat.VIDUR);
    String whole = outcome(List.of(file), vidur, AS_IT_IS_READ, true);

    assertThat(whole)
        .contains("699,many,7,")
        .contains("2400,2440,7,\"open")
        .contains("400,440,7,\"odd\"x");
    assertThat(outcome(List.of(file), vidur, piece, true)).isEqualTo(whole);
    assertThat(outcome(List.of(file), vidur.withThreads(2), piece, true)).isEqualTo(whole);
    assertThat(outcome(List.of(file), vidur.withThreads(5), piece, true)).isEqualTo(whole);
  }

  @Test
  void aBadRecordOfTheThirdShardIsNamedThere() throws IOException {
    List<Path> shards = shards(rows(0, 400), 4);
    String bad = Files.readString(shards.get(2)).replace(":1250,", ":0,");
    Files.writeString(shards.get(2), bad);
    // What comes behind it is not said, though it is worse.
    Files.writeString(shards.get(3), "nonsense");

    for (int threads : new int[] {1, 2, 5}) {
      TraceOptions mooncake = options(threads).withFormat(TraceFormat.MOONCAKE);
      assertThatThrownBy(() -> read(shards, mooncake, 500))
          .hasMessage(
              shards.get(2)
                  + ":51: input_length: found 0, expected a whole number from 1 to 1000000000");
    }
  }

  @Test
  void badRecordsOfSeveralShardsAreKeptAsideInOneOrder() throws IOException {
    List<Path> shards = shards(rows(0, 400), 4);
    for (int i = 1; i < 4; i++) {
      String text = Files.readString(shards.get(i));
      Files.writeString(
          shards.get(i),
          text.replace(":1" + i + "50,", ":0,").replace(":1" + i + "60,", ":\"many\",")
              + "\n{\n\n{]\n");
    }
    List<String> first = kept(shards, 1);

    assertThat(first)
        .hasSize(12)
        .startsWith("1:51 " + rows(150, 151).strip().replace(":1150,", ":0,"));
    for (int threads : new int[] {2, 5}) {
      assertThat(kept(shards, threads)).isEqualTo(first);
    }
  }

  private List<String> kept(List<Path> shards, int threads) {
    List<String> kept = new ArrayList<>();
    TraceOptions options =
        options(threads)
            .withBadRecords(
                (file, line, text, why) ->
                    kept.add(shards.indexOf(Path.of(file)) + ":" + line + " " + text));
    assertThat(read(shards, options, 500).trace().requestCount()).isEqualTo(394);
    return kept;
  }

  @Test
  void aTruncatedShardIsAnErrorBehindWhatItStillHolds() throws IOException {
    List<Path> shards = shards(rows(0, 40_000), 3);
    byte[] packed = TraceText.gzip(Files.readString(shards.get(1)));
    Files.write(shards.get(1), Arrays.copyOf(packed, packed.length / 2));

    for (int threads : new int[] {1, 2, 5}) {
      assertThatThrownBy(() -> read(shards, options(threads), 5_000))
          .hasMessage(
              shards.get(1)
                  + ": found damaged or truncated gzip data (Unexpected end of ZLIB input stream),"
                  + " expected a complete file");
    }
    String bad = Files.readString(shards.get(0)).replace(":14000,", ":0,");
    Files.writeString(shards.get(0), bad);
    assertThatThrownBy(() -> read(shards, options(2), 5_000))
        .hasMessageStartingWith(shards.get(0) + ":13001: input_length: found 0");
  }

  @Test
  void anIdOfAnotherShardIsSaidWithBothPlaces() throws IOException {
    List<Path> shards = shards(rows(0, 400), 4);
    Files.writeString(shards.get(3), rows(400, 420) + rows(20, 21) + rows(420, 421));

    for (int threads : new int[] {1, 2, 5}) {
      assertThatThrownBy(() -> read(shards, options(threads), 500))
          .hasMessage(
              shards.get(3)
                  + ":21: request_id: found \"r20\", expected an id that no other request has ("
                  + shards.get(0)
                  + ":21)");
    }
  }

  /** Equal starts in the order of the files, whichever is parsed first. */
  @Test
  void unsortedShardsAreSorted() throws IOException {
    List<Path> shards = shards(rows(0, 400), 4);
    List<Path> backwards = new ArrayList<>(shards);
    java.util.Collections.reverse(backwards);

    for (int threads : new int[] {1, 2, 5}) {
      Trace trace = read(backwards, options(threads), 500).trace();
      assertThat(trace.requestId(0)).isEqualTo("r0");
      assertThat(trace.requestId(399)).isEqualTo("r399");
      assertThat(trace.provenance().counters())
          .containsEntry("rows out of time order, sorted", 300L);
    }
  }

  /** A tool's end in another shard than its request, a child's parent in a later one. */
  @Test
  void recordsOfDifferentShardsBelongTogether() throws IOException {
    String dynamo = FormatSamples.of(TraceFormat.DYNAMO_AGENT).text();
    String bailian = FormatSamples.of(TraceFormat.BAILIAN).text();
    Trace agents = read(shards(dynamo, 3), options(3), 1).trace();
    Trace chats = read(shards(bailian, 4), options(3).withBlockSize(16), 1).trace();

    assertThat(agents.recordedTools(0)).isEqualTo("web_search");
    assertThat(chats.digest())
        .isEqualTo(TraceText.read(TraceOptions.defaults().withBlockSize(16), bailian).digest());
  }

  @Test
  void whoeverStopsLeavesNoThreads() throws IOException {
    List<Path> shards = shards(rows(0, 40_000), 4);
    Files.writeString(shards.get(0), rows(0, 5) + "{}\n" + rows(5, 5_000));

    assertThatThrownBy(() -> read(shards, options(3), 1_000)).isInstanceOf(TraceException.class);

    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(Shards.THREADS)) {
        assertThat(joined(thread)).isFalse();
      }
    }
  }

  private static boolean joined(Thread thread) {
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return thread.isAlive();
  }

  /** Reads with one thread, and with several and pieces of every size. */
  private void assertAlike(List<Path> files, TraceFormat format) throws IOException {
    TraceOptions options = FormatSamples.options(format).withFormat(format);
    for (boolean aside : new boolean[] {false, true}) {
      String whole = outcome(files, options.withThreads(1), AS_IT_IS_READ, aside);
      for (int piece : new int[] {1, 40, 300, 1_000_000}) {
        for (int threads = 1; threads <= 2; threads++) {
          assertThat(outcome(files, options.withThreads(threads), piece, aside))
              .as(
                  "pieces of %d bytes of %s",
                  piece, Arrays.toString(Files.readAllBytes(files.get(0))))
              .isEqualTo(whole);
        }
      }
    }
  }

  /** The bytes of the trace and all that is said about it. */
  private String outcome(List<Path> files, TraceOptions options, int piece, boolean aside)
      throws IOException {
    List<String> said = new ArrayList<>();
    TraceOptions all =
        aside
            ? options.withBadRecords((file, line, text, why) -> said.add(file + line + text + why))
            : options;
    try {
      TraceReading reading = read(files, all, piece);
      Path copy = folder.resolve("copy.parquet");
      new OrreryTraceWriter().write(reading.trace(), copy);
      said.add(reading.findings().all().toString());
      said.add(reading.trace().provenance().toString());
      said.add(Arrays.toString(Files.readAllBytes(copy)));
    } catch (TraceException e) {
      said.add(String.valueOf(e.getMessage()));
    }
    return String.join("\n", said);
  }

  private static TraceReading read(List<Path> files, TraceOptions options, int piece) {
    int most = piece == AS_IT_IS_READ ? piece : Math.max(piece, 600);
    int alone = piece == 40 ? 120 : 0;
    return TraceLoading.read(files, options, new Shards.Sizes(piece, most, 2_000, alone));
  }

  private static TraceOptions options(int threads) {
    return TraceOptions.defaults().withThreads(threads);
  }

  /** Lines in so many files, those of a table each under its header. */
  private List<Path> shards(String text, int count) throws IOException {
    List<String> lines = text.lines().toList();
    boolean table = !text.startsWith("{");
    String header = table ? lines.get(0) + "\n" : "";
    List<String> rows = table ? lines.subList(1, lines.size()) : lines;
    List<Path> shards = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = rows.size() * i / count;
      int to = rows.size() * (i + 1) / count;
      if (from < to) {
        Path shard = folder.resolve("shard-" + i);
        shards.add(
            Files.writeString(shard, header + String.join("\n", rows.subList(from, to)) + "\n"));
      }
    }
    return shards;
  }

  private static String rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append("{\"request_id\":\"r").append(i).append("\",\"timestamp\":").append(i);
      text.append(",\"input_length\":")
          .append(1_000 + i)
          .append(",\"output_length\":7,\"hash_ids\":[");
      text.append(i % 3).append(',').append(i + 10).append("]}\n");
    }
    return text.toString();
  }
}
