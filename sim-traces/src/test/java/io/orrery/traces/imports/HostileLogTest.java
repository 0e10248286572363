package io.orrery.traces.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that are damaged, or of a version that nobody has seen. */
class HostileLogTest {
  private static final Path LOGS =
      Path.of("sim-traces/src/test/resources/io/orrery/traces/imports");
  private static final String ANSWER =
      "{\"type\":\"message\",\"id\":\"%s\",\"parentId\":null,\"timestamp\":\"2026-03-02T09:00:0%s.000Z\",\"message\":{\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"usage\":{\"input\":%s,\"output\":20,\"cacheRead\":0,\"cacheWrite\":0},\"stopReason\":\"stop\"}}\n";

  @TempDir Path folder;

  private LogImport.Imported read(LogTool tool, String log) throws IOException {
    Files.writeString(folder.resolve("log.jsonl"), log);
    return LogImport.of(tool, List.of(folder), 64, new byte[] {1});
  }

  /** Names are hashes of bytes, and half a surrogate pair has none in UTF-8. */
  @ParameterizedTest
  @ValueSource(strings = {"?", "\\ude00", "\ufffd", "\\\\ud83d"})
  void idsThatDifferInHalfAPairStayApart(String other) throws IOException {
    String answer =
        "{\"type\":\"assistant\",\"uuid\":\"u%s\",\"sessionId\":\"%s\",\"timestamp\":\"2026-03-02T09:00:01Z\",\"message\":{\"id\":\"m%s\",\"model\":\"%s\",\"usage\":{\"input_tokens\":9,\"output_tokens\":2}}}\n";

    Trace trace =
        read(
                LogTool.CLAUDE_CODE,
                answer.formatted(1, "\\ud83d", 1, "\\ud83d") + answer.formatted(2, other, 2, other))
            .trace();

    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.sessionId(0)).isNotEqualTo(trace.sessionId(1));
    assertThat(trace.model(0)).isNotEqualTo(trace.model(1));
  }

  /** xiufengsun/TokenTracker#652: a new kind of line that holds usage was passed over. */
  @Test
  @Tag("report-36")
  void tokensInAnUnknownKindOfLineAreNamed() throws IOException {
    String known =
        "{\"timestamp\":\"2026-03-02T09:00:01Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":{\"last_token_usage\":{\"input_tokens\":100,\"output_tokens\":5}}}}\n";
    String later =
        "{\"timestamp\":\"2026-03-02T09:00:02Z\",\"type\":\"turn_usage_record\",\"payload\":{\"usage\":{\"input_tokens\":900}}}\n"
            + known.replace("token_count", "turn_usage_record");
    LogImport.Imported codex =
        read(LogTool.CODEX, known + later + "{\"type\":\"ui_state\",\"payload\":{\"width\":80}}\n");

    assertThat(codex.trace().requestCount()).isEqualTo(1);
    assertThat(codex.findings().counts()).containsEntry(JsonLog.OTHER_TOKENS, 2L).hasSize(1);
    assertThat(codex.findings().place(JsonLog.OTHER_TOKENS)).endsWith("log.jsonl:2");
    assertThat(codex.trace().provenance().counters()).containsKey(JsonLog.OTHER_TOKENS);

    String answer =
        "{\"type\":\"assistant\",\"uuid\":\"u\",\"sessionId\":\"s\",\"timestamp\":\"2026-03-02T09:00:01Z\",\"message\":{\"id\":\"m1\",\"model\":\"m\",\"usage\":{\"input_tokens\":9,\"output_tokens\":2}}}\n";
    LogImport.Imported claude =
        read(LogTool.CLAUDE_CODE, answer + answer.replace("\"assistant\"", "\"reply\""));
    assertThat(claude.findings().counts()).containsEntry(JsonLog.OTHER_TOKENS, 1L);

    String pi = ANSWER.formatted("a", 1, 99);
    assertThat(
            read(
                    LogTool.PI,
                    pi + pi.replace("\"message\",\"id", "\"turn_usage\",\"inputTokens\":9,\"id"))
                .findings()
                .counts())
        .containsEntry(JsonLog.OTHER_TOKENS, 1L);
  }

  /** Counts that no context can have must not make blocks, nor overflow. */
  @ParameterizedTest
  @ValueSource(strings = {"20000000", "9e18", "1e300", "99999999999999999999999"})
  void moreTokensThanAnyContext(String tokens) throws IOException {
    LogImport.Imported imported =
        read(LogTool.PI, ANSWER.formatted("a", 1, 500) + ANSWER.formatted("b", 2, tokens));

    assertThat(imported.trace().requestCount()).isEqualTo(1);
    assertThat(imported.findings().counts())
        .containsEntry("calls of more than 10000000 tokens, left out", 1L);
    assertThat(imported.findings().place("calls of more than 10000000 tokens, left out"))
        .endsWith(".jsonl:2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "\"500\"", "{}", "[500]", "true", "-1e300"})
  void tokensThatAreNone(String tokens) throws IOException {
    LogImport.Imported imported =
        read(LogTool.PI, ANSWER.formatted("a", 1, 500) + ANSWER.formatted("b", 2, tokens));

    assertThat(imported.trace().requestCount()).isEqualTo(1);
    assertThat(imported.findings().counts()).containsEntry(JsonLog.BAD_COUNT, 1L);
    assertThat(imported.findings().place(JsonLog.BAD_COUNT)).endsWith(".jsonl:2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "null"})
  void noTokens(String tokens) throws IOException {
    LogImport.Imported imported =
        read(LogTool.PI, ANSWER.formatted("a", 1, 500) + ANSWER.formatted("b", 2, tokens));

    assertThat(imported.trace().requestCount()).isEqualTo(1);
    assertThat(imported.findings().counts())
        .containsEntry("answers that were aborted before any usage", 1L);
  }

  /** Of each tool, by the names that its counts have. */
  @ParameterizedTest
  @EnumSource(LogTool.class)
  void aCountThatIsATextHasAPlace(LogTool tool) throws IOException {
    String good = oneCall(tool);
    String bad = good.replace("\"m1\"", "\"m2\"").replace("4321", "\"many\"");

    LogImport.Imported imported = read(tool, good + bad);

    assertThat(imported.trace().requestCount()).isEqualTo(1);
    assertThat(imported.findings().counts()).containsEntry(JsonLog.BAD_COUNT, 1L);
    assertThat(imported.findings().place(JsonLog.BAD_COUNT)).endsWith("log.jsonl:2");
  }

  private static String oneCall(LogTool tool) {
    return switch (tool) {
      case PI -> ANSWER.formatted("m1", 1, 4321);
      case CLAUDE_CODE ->
          "{\"type\":\"assistant\",\"uuid\":\"u\",\"sessionId\":\"s\",\"timestamp\":\"2026-03-02T09:00:01Z\",\"message\":{\"id\":\"m1\",\"model\":\"m\",\"usage\":{\"input_tokens\":4321,\"output_tokens\":2}}}\n";
      case CODEX ->
          "{\"timestamp\":\"2026-03-02T09:00:01Z\",\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":{\"last_token_usage\":{\"input_tokens\":4321,\"output_tokens\":5}}}}\n";
      case OPENCODE ->
          "{\"id\":\"m1\",\"role\":\"assistant\",\"sessionID\":\"s\",\"time\":{\"created\":1772442001000,\"completed\":1772442002000},\"tokens\":{\"input\":4321,\"output\":5,\"cache\":{\"read\":0}}}\n";
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+999999999-12-31T23:59:59.999999999Z",
        "-999999999-01-01T00:00:00Z",
        "9999-01-01T00:00:00Z",
        "yesterday",
        ""
      })
  void aTimeThatIsNone(String time) throws IOException {
    LogImport.Imported imported =
        read(
            LogTool.PI,
            ANSWER.formatted("a", 1, 500)
                + ANSWER.formatted("b", 2, 600).replace("2026-03-02T09:00:02.000Z", time));

    assertThat(imported.trace().requestCount()).isEqualTo(1);
    assertThat(imported.findings().counts()).containsEntry("answers without a time, left out", 1L);
  }

  @Test
  void nothingABinaryFileANestingBombAndLongLines() throws IOException {
    assertThatThrownBy(() -> read(LogTool.PI, "")).isInstanceOf(TraceException.class);
    byte[] noise = new byte[5_000];
    new SplittableRandom(1).nextBytes(noise);
    Files.write(folder.resolve("noise.jsonl"), noise);
    LogImport.Imported imported =
        read(
            LogTool.PI,
            "\ufeff"
                + ANSWER.formatted("a", 1, 500)
                + "{\"x\":".repeat(5_000)
                + "\n"
                + ANSWER
                    .formatted("b", 2, 600)
                    .replace("[]", "[{\"text\":\"" + "ü".repeat(5_000_000) + "\"}]")
                + "\r\n\r\n");

    assertThat(imported.trace().requestCount()).isEqualTo(2);
    assertThat(imported.findings().counts()).containsKey(JsonLog.BAD_LINE);
  }

  /** Damaged at random, logs give a sound trace or an exception that says what is wrong. */
  @ParameterizedTest
  @EnumSource(LogTool.class)
  @Timeout(120)
  void mutatedLogs(LogTool tool) throws IOException {
    SplittableRandom random = new SplittableRandom(tool.ordinal());
    Path logs = LOGS.resolve(tool.toolName());
    List<Path> files;
    try (Stream<Path> walk = Files.walk(logs)) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      copy(logs, file, Files.readAllBytes(file));
    }
    int sound = 0;
    for (int round = 0; round < 150; round++) {
      Path file = files.get(random.nextInt(files.size()));
      byte[] original = Files.readAllBytes(file);
      byte[] bytes = original;
      for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
        bytes = io.orrery.traces.Mutations.mutated(bytes, random);
      }
      copy(logs, file, bytes);
      try {
        Trace trace = LogImport.of(tool, List.of(folder), 64, new byte[] {1}).trace();
        assertThat(trace.requestCount()).isPositive();
        sound++;
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
      }
      copy(logs, file, original);
    }
    assertThat(sound).isPositive();
  }

  private void copy(Path logs, Path file, byte[] bytes) throws IOException {
    Path copy = folder.resolve(logs.relativize(file).toString());
    Files.createDirectories(copy.getParent());
    Files.write(copy, bytes);
  }
}
