package io.orrery.traces.imports;

import static io.orrery.traces.imports.LogFolder.call;
import static io.orrery.traces.imports.LogFolder.commonBlocks;
import static io.orrery.traces.imports.LogFolder.tokens;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.traces.EdgeTrigger;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceWriters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs that were written for these tests; times are seconds after 09:00. */
class LogImportTest {
  private static final Path LOGS =
      Path.of("sim-traces/src/test/resources/io/orrery/traces/imports");
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;

  private static LogImport.Imported read(LogTool tool) {
    return LogImport.of(tool, List.of(LOGS.resolve(tool.toolName())), 64, "salt".getBytes(UTF_8));
  }

  /** An answer's lines repeat its usage; the last has all of the output. Copies count once. */
  @Tag("report-34")
  @Tag("report-37")
  @Test
  void claudeCodeCountsEachAnswerOnce() {
    LogImport.Imported imported = read(LogTool.CLAUDE_CODE);

    assertThat(tokens(imported.trace()))
        .containsExactlyInAnyOrder(
            "16404/6400/260", // A
            "16910/16404/120", // B, starts a side chain
            "5203/3200/80",
            "5506/5203/40",
            "17609/16904/90", // C
            "17905/0/50", // D, after a break
            "9005/6400/70", // E, after a compaction
            "9410/9005/30", // F, in a resumed session's file
            "17214/16910/20", // G, in a fork's file
            "3303/3200/10"); // its sub-agent's file
    assertThat(imported.findings().counts())
        .containsEntry("answers copied from another session's file", 3L)
        .containsEntry("answers that the agent made up itself, left out", 1L)
        .containsEntry("answers whose end was not logged, their output may have been longer", 1L)
        .containsEntry("compactions", 1L)
        .containsEntry("last lines that were cut off, left out", 1L);
  }

  /** A folder given again, or one inside it: no answer in them is a copy. */
  @ParameterizedTest
  @EnumSource(LogTool.class)
  void everyFileIsReadOnce(LogTool tool) throws IOException {
    Path logs = LOGS.resolve(tool.toolName());
    LogImport.Imported once = read(tool);

    LogImport.Imported again =
        LogImport.of(
            tool,
            List.of(logs, logs.resolve("."), firstLog(logs).getParent()),
            64,
            "salt".getBytes(UTF_8));

    assertThat(again.findings().counts()).isEqualTo(once.findings().counts());
    assertThat(again.trace().digest()).isEqualTo(once.trace().digest());
    assertThat(again.trace().provenance()).isEqualTo(once.trace().provenance());
  }

  @Test
  void aLinkedFileIsReadOnce() throws IOException {
    Path log = folder.resolve("a.jsonl");
    Files.copy(firstLog(LOGS.resolve("pi")), log);
    LogImport.Imported once = LogImport.of(LogTool.PI, List.of(log), 64, "salt".getBytes(UTF_8));
    Files.createSymbolicLink(folder.resolve("b.jsonl"), log);

    LogImport.Imported both = LogImport.of(LogTool.PI, List.of(folder), 64, "salt".getBytes(UTF_8));

    assertThat(both.trace().provenance()).isEqualTo(once.trace().provenance());
    assertThat(both.findings().counts()).isEqualTo(once.findings().counts());
  }

  private static Path firstLog(Path logs) throws IOException {
    try (Stream<Path> below = Files.walk(logs)) {
      return below.filter(Files::isRegularFile).sorted().findFirst().orElseThrow().toRealPath();
    }
  }

  @Tag("report-34")
  @Test
  void claudeCodeSessionsContinueForkAndHaveSubAgents() {
    Trace trace = read(LogTool.CLAUDE_CODE).trace();

    int main = trace.session(call(trace, 16_404));
    assertThat(trace.requestCount(main)).isEqualTo(6);
    assertThat(trace.session(call(trace, 9_410))).isEqualTo(main);
    int side = trace.session(call(trace, 5_203));
    assertThat(trace.parentSession(side)).isEqualTo(main);
    int fork = trace.session(call(trace, 17_214));
    assertThat(trace.parentSession(fork)).isEqualTo(-1);
    assertThat(fork).isNotEqualTo(main);
    assertThat(trace.parentSession(trace.session(call(trace, 3_303)))).isEqualTo(fork);
  }

  /** A ends at 6 s, its tool's result comes at 8.5 s; C waits for the side chain (18 s) too. */
  @Test
  void claudeCodeWaitsAreThoseOfToolsAndPeople() {
    Trace trace = read(LogTool.CLAUDE_CODE).trace();

    int b = call(trace, 16_910);
    assertThat(trace.arrivalNanos(b)).isEqualTo(8 * SECOND + SECOND / 2);
    assertThat(trace.recordedTotalNanos(b)).isEqualTo(3 * SECOND + SECOND / 2);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(b))).isEqualTo(2 * SECOND + SECOND / 2);
    int c = call(trace, 17_609);
    assertThat(trace.edgeEnd(c) - trace.edgeStart(c)).isEqualTo(2);
    assertThat(trace.edgeFrom(trace.edgeStart(c) + 1)).isEqualTo(call(trace, 5_506));
    assertThat(trace.edgeDelayNanos(trace.edgeStart(c))).isEqualTo(SECOND / 5);
    int side = call(trace, 5_203);
    assertThat(trace.edgeFrom(trace.edgeStart(side))).isEqualTo(b);
    assertThat(trace.edgeTrigger(trace.edgeStart(side))).isEqualTo(EdgeTrigger.COMPLETION);
    assertThat(trace.recordedTools(b)).isEqualTo("agent");
    assertThat(trace.recordedTools(call(trace, 3_303))).isEqualTo("mcp");
  }

  /** D found nothing in the cache, and continues C nevertheless; E is behind a compaction. */
  @Test
  void claudeCodeBlocksFollowTheContext() {
    Trace trace = read(LogTool.CLAUDE_CODE).trace();

    assertThat(commonBlocks(trace, call(trace, 16_404), call(trace, 16_910)))
        .isEqualTo(16_404 / 64);
    assertThat(commonBlocks(trace, call(trace, 17_609), call(trace, 17_905)))
        .isEqualTo(17_609 / 64);
    assertThat(commonBlocks(trace, call(trace, 17_905), call(trace, 9_005))).isEqualTo(100);
    assertThat(commonBlocks(trace, call(trace, 9_005), call(trace, 9_410))).isEqualTo(9_005 / 64);
    assertThat(commonBlocks(trace, call(trace, 16_910), call(trace, 17_214)))
        .isEqualTo(16_910 / 64);
    assertThat(commonBlocks(trace, call(trace, 5_203), call(trace, 3_303))).isEqualTo(50);
    assertThat(commonBlocks(trace, call(trace, 16_404), call(trace, 5_203))).isZero();
  }

  /** Totals are cumulative, come again unchanged, or stand alone; a sub-agent repeats history. */
  @Tag("report-35")
  @Tag("report-37")
  @Test
  void codexCountsEachCallOnce() {
    LogImport.Imported imported = read(LogTool.CODEX);
    Trace trace = imported.trace();

    assertThat(tokens(trace))
        .containsExactlyInAnyOrder("8000/2048/200", "8500/7936/50", "4000/2048/40", "4500/4000/20");
    assertThat(imported.findings().counts())
        .containsEntry("usage events that came again", 2L)
        .containsEntry("usage events without usage", 2L)
        .containsEntry("calls copied from another session's file", 3L)
        .containsEntry("turns that were aborted", 1L)
        .containsEntry("compactions", 1L)
        .containsEntry("last lines that were cut off, left out", 1L);
    int child = call(trace, 4_500);
    assertThat(trace.parentSession(trace.session(child)))
        .isEqualTo(trace.session(call(trace, 8_000)));
    assertThat(commonBlocks(trace, call(trace, 4_000), child)).isEqualTo(4_000 / 64);
  }

  /** The prompt is sent at 0.2 s, the output has come at 4 s, the shell is done at 6 s. */
  @Test
  void codexTimes() {
    Trace trace = read(LogTool.CODEX).trace();

    int first = call(trace, 8_000);
    int second = call(trace, 8_500);
    assertThat(trace.recordedTotalNanos(first)).isEqualTo(3_800 * SECOND / 1000);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(second))).isEqualTo(2 * SECOND);
    assertThat(trace.recordedTools(first)).isEqualTo("shell");
    assertThat(trace.recordedFinishReason(first)).isEqualTo("tool_calls");
    assertThat(trace.recordedFinishReason(second)).isEqualTo("stop");
  }

  /** The outputs hold their reasoning, since no total tells it apart. */
  @Test
  void openCodeReadsMessagesAndTheirParts() {
    LogImport.Imported imported = read(LogTool.OPENCODE);
    Trace trace = imported.trace();

    assertThat(tokens(trace))
        .containsExactlyInAnyOrder("12010/0/90", "3900/3000/60", "12420/12000/70");
    int first = call(trace, 12_010);
    int next = call(trace, 12_420);
    int child = call(trace, 3_900);
    assertThat(trace.recordedTotalNanos(first)).isEqualTo(4_900 * SECOND / 1000);
    assertThat(trace.parentSession(trace.session(child))).isEqualTo(trace.session(first));
    assertThat(trace.edgeEnd(next) - trace.edgeStart(next)).isEqualTo(2);
    assertThat(trace.edgeDelayNanos(trace.edgeStart(next))).isEqualTo(300 * SECOND / 1000);
    assertThat(imported.findings().counts())
        .containsEntry("files that are not JSON, left out", 1L)
        .containsEntry("messages that were never completed", 1L)
        .containsEntry("messages that were aborted before any usage", 1L);
  }

  /** The header is stamped later than its messages; entries are a tree; a copy repeats them. */
  @Tag("report-late-header")
  @Test
  void piReadsTheTreeOfEntries() {
    LogImport.Imported imported = read(LogTool.PI);
    Trace trace = imported.trace();

    assertThat(tokens(trace))
        .containsExactlyInAnyOrder(
            "9005/0/100", "9211/9005/50", "9162/9005/20", "2031/1024/20", "9368/9211/20");
    assertThat(imported.findings().counts())
        .containsEntry("answers that were aborted before any usage", 1L)
        .containsEntry("answers copied from another session's file", 2L)
        .containsEntry("compactions", 1L);
    assertThat(commonBlocks(trace, call(trace, 9_211), call(trace, 9_162))).isEqualTo(9_005 / 64);
    assertThat(commonBlocks(trace, call(trace, 9_211), call(trace, 9_368))).isEqualTo(9_211 / 64);
    assertThat(commonBlocks(trace, call(trace, 9_162), call(trace, 2_031))).isEqualTo(16);
    assertThat(trace.session(call(trace, 9_368))).isNotEqualTo(trace.session(call(trace, 9_211)));
    assertThat(trace.recordedTotalNanos(call(trace, 9_005))).isEqualTo(4_500 * SECOND / 1000);
  }

  /** Words that say what kind of tool it was, or how an output ended: the only ones kept. */
  private static final Set<String> VOCABULARY =
      Set.of("agent", "read", "shell", "mcp", "stop", "tool_calls");

  /** Keys whose values are words of the log's own format. */
  private static final Set<String> PROTOCOL =
      Set.of(
          "type",
          "role",
          "subtype",
          "service_tier",
          "status",
          "timestamp",
          "version",
          "reason",
          "stopReason",
          "finish",
          "thread_source");

  /** Words of where logs lie. */
  private static final Set<String> PLACES =
      Set.of("storage", "session", "message", "part", "json", "jsonl", "subagents", "rollout");

  @ParameterizedTest
  @EnumSource(LogTool.class)
  void noWordOfTheLogsIsInTheTrace(LogTool tool) throws IOException {
    Set<String> words = new TreeSet<>();
    try (Stream<Path> files = Files.walk(LOGS.resolve(tool.toolName()))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        addWords(LOGS.relativize(file).toString().replace(tool.toolName(), ""), words);
        for (String line : Files.readAllLines(file)) {
          addValues(line, words);
        }
      }
    }
    words.removeAll(VOCABULARY);
    words.removeAll(PLACES);
    words.removeAll(List.of(tool.toolName().split("-"))); // is asked for by name
    assertThat(words).contains("zelda", "vineyard").hasSizeGreaterThan(20);

    Trace trace = read(tool).trace();
    Set<String> written = new TreeSet<>();
    for (TraceFormat format : TraceWriters.formats()) {
      Path file = folder.resolve(format.formatName());
      TraceWriters.of(format).orElseThrow().write(trace, file);
      if (format == TraceFormat.ORRERY) {
        addWords(texts(TraceReaders.read(file)), written);
      } else {
        addWords(Files.readString(file), written);
      }
    }
    addWords(String.join(" ", trace.provenance().notes()), written);

    assertThat(written).hasSizeGreaterThan(20).doesNotContainAnyElementsOf(words);
  }

  private static String texts(Trace trace) {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < trace.requestCount(); r++) {
      text.append(trace.requestId(r)).append(' ').append(trace.sessionId(trace.session(r)));
      text.append(' ').append(trace.model(r)).append(' ').append(trace.recordedTools(r));
      text.append(' ').append(trace.recordedFinishReason(r)).append('\n');
    }
    return text + trace.provenance().toString();
  }

  private static void addValues(String line, Set<String> words) throws IOException {
    JsonNode node;
    try {
      node = new ObjectMapper().readTree(line);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      Matcher content = Pattern.compile("\"content\":\"(.*)").matcher(line);
      if (content.find()) {
        addWords(content.group(1), words);
      }
      return;
    }
    addValues(node, "", words);
  }

  private static void addValues(JsonNode node, String key, Set<String> words) {
    if (node.isTextual() && !PROTOCOL.contains(key)) {
      addWords(node.textValue(), words);
    } else if (node.isObject()) {
      node.fields().forEachRemaining(entry -> addValues(entry.getValue(), entry.getKey(), words));
    } else if (node.isArray()) {
      node.forEach(item -> addValues(item, key, words));
    }
  }

  /** Words of four letters and more. */
  private static void addWords(String text, Set<String> words) {
    Matcher word = Pattern.compile("[\\p{L}_]{4,}").matcher(text.toLowerCase(Locale.ROOT));
    while (word.find()) {
      words.add(word.group());
    }
  }

  @Test
  void anotherSaltGivesOtherNamesAndTheSameTrace() {
    Trace trace = read(LogTool.PI).trace();
    Trace other =
        LogImport.of(LogTool.PI, List.of(LOGS.resolve("pi")), 64, "other".getBytes(UTF_8)).trace();

    assertThat(other.sessionId(0)).isNotEqualTo(trace.sessionId(0));
    assertThat(tokens(other)).isEqualTo(tokens(trace));
  }

  @Test
  void foldersWithoutLogsAreRefused() throws IOException {
    assertThatThrownBy(() -> LogImport.of(LogTool.CODEX, List.of(folder), 64, new byte[] {1}))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("no log in it, expected logs of codex");
    Files.writeString(folder.resolve("a.jsonl"), "{}\nnot json\n{}\n");
    assertThatThrownBy(() -> LogImport.of(LogTool.CODEX, List.of(folder), 64, new byte[] {1}))
        .hasMessageContaining("no call of a model");
  }
}
