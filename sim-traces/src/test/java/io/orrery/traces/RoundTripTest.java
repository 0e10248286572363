package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written is read again. */
class RoundTripTest {
  private static final String MOONCAKE_SESSIONS =
      """
      {"session_id": "a", "timestamp": 1000.000001, "input_length": 2048, "output_length": 128, "hash_ids": [1, 2, 3, 4]}
      {"session_id": "a", "delay": 250.5, "input_length": 2300, "output_length": 64, "hash_ids": [1, 2, 3, 4, 5], "priority": -3}
      {"timestamp": 1001, "request_id": "r", "input_length": 1, "output_length": 0, "hash_ids": []}
      {"timestamp": 1002, "input_length": 700, "output_length": 5}
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TraceFormat.class)
  void orrerysOwnFormatHoldsEverything(TraceFormat format) throws IOException {
    if (format == TraceFormat.ORRERY) {
      return;
    }
    Trace trace = FormatSamples.read(format, folder);

    Trace back = throughFile(trace, TraceFormat.ORRERY);

    assertThat(back.digest()).isEqualTo(trace.digest());
    assertThat(TraceComparison.differences(trace, back)).isEmpty();
    assertThat(back.blocksKnown()).isEqualTo(trace.blocksKnown());
    assertThat(back.blockCount()).isEqualTo(trace.blockCount());
    assertThat(back.provenance().counters()).isEqualTo(trace.provenance().counters());
    assertThat(back.provenance().timeBasis()).isEqualTo(trace.provenance().timeBasis());
    assertThat(back.provenance().notes())
        .containsAll(trace.provenance().notes())
        .last()
        .asString()
        .startsWith("Converted from " + format.formatName());
    RealTracesTest.assertInvariants(back);
  }

  /** Chats become files of their own, with children behind their parents, under new ids. */
  @Test
  void onlyWhatIsLostIsNamedWhereRowsComeBackInAnotherOrder() throws IOException {
    Trace trace = FormatSamples.read(TraceFormat.BAILIAN, folder);

    assertThat(losses(trace, TraceFormat.WEKA))
        .contains("Lost: the order of requests.", "Lost: whether sessions share a clock.")
        .anyMatch(loss -> loss.startsWith("Lost: request ids"))
        .noneMatch(loss -> loss.matches("Lost: (prompt|output|turns|parents|starts|blocks).*"));
  }

  @Test
  void requestsOfOtherIdsAreToldByWhatTheyAre() {
    Trace trace = pair("a", 100, "b", 200);

    assertThat(TraceComparison.differences(trace, pair("x", 100, "y", 200)))
        .containsExactly(
            "Lost: request ids (2 of 2 requests).", "Lost: session ids (2 of 2 requests).");
    assertThat(TraceComparison.differences(trace, pair("b", 200, "a", 100)))
        .containsExactly("Lost: the order of requests.");
    assertThat(TraceComparison.differences(trace, pair("y", 200, "x", 100)))
        .containsExactly(
            "Lost: the order of requests.",
            "Lost: request ids (2 of 2 requests).",
            "Lost: session ids (2 of 2 requests).");
    assertThat(TraceComparison.differences(trace, pair("y", 200, "x", 300)))
        .contains("Lost: prompt tokens (1 of 2 requests).");
  }

  private static Trace pair(String one, int input, String two, int more) {
    return Trace.builder(16)
        .session(one)
        .request(one + "1")
        .input(input)
        .arrival(0)
        .session(two)
        .request(two + "1")
        .input(more)
        .arrival(0)
        .build();
  }

  @Test
  void mooncakeRowsComeBack() throws IOException {
    Trace trace = TraceText.read(MOONCAKE_SESSIONS);

    assertThat(losses(trace, TraceFormat.MOONCAKE)).isEmpty();
    assertThat(throughFile(trace, TraceFormat.MOONCAKE).digest()).isEqualTo(trace.digest());
  }

  @Test
  void aDynamoTraceComesBack() throws IOException {
    Trace trace = FormatSamples.read(TraceFormat.DYNAMO, folder);

    assertThat(losses(trace, TraceFormat.DYNAMO)).isEmpty();
    Trace back = throughFile(trace, TraceFormat.DYNAMO);
    assertThat(TraceComparison.differences(trace, back)).isEmpty();
    assertThat(back.digest()).isEqualTo(trace.digest());
  }

  /** Mooncake's blocks of 512 say nothing of prompts that have none. */
  @Test
  void aTraceWithoutBlocksComesBackWithoutBlocks() throws IOException {
    Trace trace = FormatSamples.read(TraceFormat.AZURE, folder);

    assertThat(throughFile(trace, TraceFormat.MOONCAKE).digest()).isEqualTo(trace.digest());
  }

  /** A hash is one block only within a model there, so that the second prompt shares none. */
  @Test
  void blocksThatModelsShareAreSaidToBeLostInADynamoTrace() throws IOException {
    Trace trace =
        Trace.builder(4)
            .session("a")
            .request("a1")
            .arrival(0)
            .input(12)
            .blocks(1, 2, 3)
            .recordedNames("small", null, null)
            .session("b")
            .request("b1")
            .arrival(1)
            .input(12)
            .blocks(1, 2, 4)
            .recordedNames("large", null, null)
            .build();

    assertThat(losses(trace, TraceFormat.DYNAMO))
        .containsExactly("Lost: blocks of prompts (1 of 2 requests).");
  }

  @Test
  void aClaudeCodeTraceComesBack() throws IOException {
    Trace trace = FormatSamples.read(TraceFormat.WEKA, folder);

    assertThat(losses(trace, TraceFormat.WEKA)).isEmpty();
    assertThat(throughFile(trace, TraceFormat.WEKA).digest()).isEqualTo(trace.digest());
  }

  /** What waits for what comes back as it is; hashes belong to a play, here a session. */
  @Test
  void agenticMooncakeKeepsWhatWaitsForWhat() throws IOException {
    Trace graph = FormatSamples.read(TraceFormat.AGENTIC_MOONCAKE, folder);
    Trace real = TraceReaders.read(TraceText.real("claude-code/claude-code-40.jsonl.gz"));

    assertThat(throughFile(real, TraceFormat.AGENTIC_MOONCAKE).sharedClock()).isFalse();
    assertThat(losses(graph, TraceFormat.AGENTIC_MOONCAKE))
        .allMatch(loss -> loss.startsWith("Lost: recorded tools"));
    assertThat(losses(real, TraceFormat.AGENTIC_MOONCAKE))
        .containsExactlyInAnyOrder(
            "Lost: recorded finish reasons (1,523 of 1,998 requests).",
            "Lost: recorded times to first token (380 of 1,998 requests).",
            "Lost: blocks of prompts (7 of 1,998 requests).");
  }

  /** Other readers of Mooncake's rows refuse prompts that are longer than their hashes. */
  @ParameterizedTest
  @EnumSource(
      value = TraceFormat.class,
      names = {"MOONCAKE", "AGENTIC_MOONCAKE"})
  void partialBlocksWithoutNamesGetNamesOfTheirOwn(TraceFormat format) throws IOException {
    Trace trace =
        Trace.builder(16)
            .session("a")
            .request("a1")
            .arrival(0)
            .input(40)
            .blocks(1, 2)
            .session("b")
            .request("b1")
            .arrival(1)
            .input(40)
            .blocks(1, 2)
            .build();

    Trace back = throughFile(trace, format);

    assertThat(back.partialBlock(0)).isNotNegative().isNotEqualTo(back.partialBlock(1));
    assertThat(back.partialBlock(1)).isNotNegative();
    assertThat(TraceStatistics.of(back).reusedTokens())
        .isEqualTo(TraceStatistics.of(trace).reusedTokens());
    assertThat(losses(trace, format)).isEmpty();
  }

  /** Sub-agents cannot be told from their waits alone; what differs is said. */
  @Test
  void realSessionsComeBackOrItIsSaidWhatDoesNot() throws IOException {
    Trace claude = TraceReaders.read(TraceText.real("claude-code/claude-code-40.jsonl.gz"));
    Trace mooncake = TraceReaders.read(TraceText.real("mooncake/conversation_trace.jsonl"));

    assertThat(losses(claude, TraceFormat.WEKA)).isEmpty();
    assertThat(throughFile(claude, TraceFormat.WEKA).digest()).isEqualTo(claude.digest());
    assertThat(throughFile(mooncake, TraceFormat.MOONCAKE).digest()).isEqualTo(mooncake.digest());
    assertThat(throughFile(mooncake, TraceFormat.DYNAMO).digest()).isEqualTo(mooncake.digest());
    assertThat(losses(claude, TraceFormat.MOONCAKE))
        .contains("Lost: whether sessions share a clock.")
        .anyMatch(sentence -> sentence.startsWith("Lost: recorded total times ("));
  }

  /** Design: at most 2 % of the 254 MB of JSON. */
  @Test
  void orrerysOwnFormatIsSmall() throws IOException {
    Trace trace = TraceReaders.read(TraceText.real("claude-code/claude-code-373.jsonl.zst"));
    Path file = folder.resolve("claude.parquet");

    TraceWriters.of(TraceFormat.ORRERY).orElseThrow().write(trace, file);

    assertThat(Files.size(file)).isLessThan(254_000_000 / 50);
    assertThat(TraceReaders.read(file).digest()).isEqualTo(trace.digest());
  }

  private List<String> losses(Trace trace, TraceFormat format) throws IOException {
    return TraceWriters.of(format).orElseThrow().losses(trace, written(trace, format));
  }

  private Path written(Trace trace, TraceFormat format) throws IOException {
    TraceWriter writer = TraceWriters.of(format).orElseThrow();
    Path file = folder.resolve("written" + writer.nameEnding());
    writer.write(trace, file);
    return file;
  }

  private Trace throughFile(Trace trace, TraceFormat format) throws IOException {
    return TraceReaders.read(
        List.of(written(trace, format)),
        TraceOptions.defaults()
            .withFormat(format)
            .withBlockSize(format == TraceFormat.MOONCAKE ? trace.blockSize() : 0));
  }
}
