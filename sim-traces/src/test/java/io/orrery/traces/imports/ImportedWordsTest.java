package io.orrery.traces.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceFormat;
import io.orrery.traces.TraceReaders;
import io.orrery.traces.TraceWriters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No word of a log gets into a trace: proved with logs full of marked words, and with real ones.
 */
class ImportedWordsTest {
  private static final Path LOGS =
      Path.of("sim-traces/src/test/resources/io/orrery/traces/imports");

  /** Without these a line is no line of such a log. Every other text is replaced. */
  private static final Set<String> GRAMMAR = Set.of("type", "role", "timestamp");

  /** What a tool may be called in a trace, whatever its name is. */
  private static final Set<String> TOOL_CLASSES =
      Set.of("agent", "edit", "mcp", "other", "plan", "read", "search", "shell", "web");

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT.*");
  private static final Pattern WORD = Pattern.compile("[\\p{L}_]{4,}");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private final Map<String, String> markers = new HashMap<>();

  /** Every text, whatever it is, and names of fields that nobody knows. */
  @ParameterizedTest
  @EnumSource(LogTool.class)
  void markedWordsInEveryField(LogTool tool) throws IOException {
    Path logs = LOGS.resolve(tool.toolName());
    Path marked = folder.resolve("xyzzyfolder");
    try (Stream<Path> files = Files.walk(logs)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = marked.resolve(logs.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, marked(Files.readString(file)));
      }
    }
    assertThat(markers).hasSizeGreaterThan(10);

    Trace trace = imported(tool, marked);

    assertThat(trace.requestCount()).isEqualTo(imported(tool, logs).requestCount());
    assertThat(written(trace)).contains("Imported").doesNotContainIgnoringCase("xyzzy");
    // Names in a Parquet file's footer are not compressed; Latin 1 takes any byte.
    assertThat(Files.readString(folder.resolve("written.orrery"), StandardCharsets.ISO_8859_1))
        .doesNotContainIgnoringCase("xyzzy");
  }

  /** Words that the same tool's invented logs give, too, are the program's own. */
  @ParameterizedTest
  @CsvSource({
    "CLAUDE_CODE, cclog-representative_messages.jsonl",
    "CLAUDE_CODE, viewer-5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
    "CODEX, ccusage-fixtures-codex-sessions-project-alpha-session-alpha.jsonl"
  })
  void realLogs(LogTool tool, String name) throws IOException {
    String data = System.getProperty("orrery.data");
    Path log = Path.of(data == null ? "" : data, "traces", "agent-logs", name);
    Assumptions.assumeTrue(data != null && Files.exists(log), "skipped: no " + log);
    Set<String> logged = new TreeSet<>();
    for (String line : Files.readAllLines(log)) {
      texts(JSON.readTree(line), logged);
    }
    Set<String> own = words(written(imported(tool, LOGS.resolve(tool.toolName()))));
    logged.removeAll(own);
    logged.removeAll(TOOL_CLASSES);
    assertThat(logged).hasSizeGreaterThanOrEqualTo(tool == LogTool.CODEX ? 2 : 50);

    Set<String> written = words(written(imported(tool, log)));

    assertThat(written).contains("imported");
    written.retainAll(logged);
    assertThat(written).isEmpty();
  }

  private static Trace imported(LogTool tool, Path logs) {
    return LogImport.of(tool, List.of(logs), 64, "salt".getBytes(UTF_8)).trace();
  }

  /** All that can be read in any file that a trace can be written to. */
  private String written(Trace trace) throws IOException {
    StringBuilder text = new StringBuilder();
    for (TraceFormat format : TraceWriters.formats()) {
      Path file = folder.resolve("written." + format.formatName());
      TraceWriters.of(format).orElseThrow().write(trace, file);
      if (format != TraceFormat.ORRERY) {
        text.append(Files.readString(file));
      }
    }
    Trace read = TraceReaders.read(folder.resolve("written.orrery"));
    text.append(read.provenance());
    for (int r = 0; r < read.requestCount(); r++) {
      text.append(
          String.join(
              " ",
              String.valueOf(read.requestId(r)),
              String.valueOf(read.sessionId(read.session(r))),
              String.valueOf(read.model(r)),
              String.valueOf(read.recordedTools(r)),
              String.valueOf(read.recordedFinishReason(r)),
              String.valueOf(read.adapter(r)),
              String.valueOf(read.recordedWorker(r)),
              "\n"));
    }
    return text.toString();
  }

  private String marked(String log) throws IOException {
    StringBuilder text = new StringBuilder();
    // A file of lines, or one object over many lines.
    List<String> objects = isObject(log) ? List.of(log) : log.lines().toList();
    for (String object : objects) {
      if (isObject(object)) {
        JsonNode tree = JSON.readTree(object);
        mark(tree);
        text.append(JSON.writeValueAsString(tree));
      } else {
        text.append(object);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static boolean isObject(String text) {
    try {
      return JSON.reader()
          .with(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .readTree(text)
          .isObject();
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      return false;
    }
  }

  private void mark(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        JsonNode value = field.getValue();
        if (value.isTextual() && !GRAMMAR.contains(field.getKey())) {
          field.setValue(new TextNode(marker(value.textValue())));
        } else {
          mark(value);
        }
      }
      object.put("xyzzyfield", "xyzzyvalue");
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (array.get(i).isTextual()) {
          array.set(i, new TextNode(marker(array.get(i).textValue())));
        } else {
          mark(array.get(i));
        }
      }
    }
  }

  /** Equal texts stay equal, since ids say what belongs together. */
  private String marker(String text) {
    return DATE.matcher(text).matches()
        ? text
        : markers.computeIfAbsent(text, key -> "xyzzy" + markers.size());
  }

  private static void texts(JsonNode node, Set<String> words) {
    if (node.isTextual()) {
      words.addAll(words(node.textValue()));
    }
    node.forEach(child -> texts(child, words));
  }

  private static Set<String> words(String text) {
    Set<String> words = new TreeSet<>();
    Matcher word = WORD.matcher(text.toLowerCase(Locale.ROOT));
    while (word.find()) {
      words.add(word.group());
    }
    return words;
  }
}
