package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JSON can hold half a surrogate pair, a cut emoji for example; UTF-8 cannot, and question marks in
 * its place would make different ids one.
 */
class HalfSurrogatesTest {
  private static final String REFUSED =
      "found the string \"\\ud83d\", expected text without half a surrogate pair";

  /** Values of strings, behind the names of their keys. */
  private static final Pattern TEXT = Pattern.compile("(?<=: ?\")[^\"\\\\]+(?=\")");

  @TempDir Path folder;

  static Stream<TraceFormat> formatsOfObjects() {
    return FormatConformanceTest.formats().filter(f -> !FormatSamples.of(f).isTable());
  }

  private static String row(String session) {
    return "{\"session_id\":\"%s\",\"timestamp\":0,\"input_length\":64,\"output_length\":1}"
        .formatted(session);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\ud83d", "\\ude00", "a\\ud83db", "\\ude00\\ud83d", "\\ud83d\\ud83d"})
  void anIdWithHalfAPairIsRefused(String id) {
    assertThatThrownBy(() -> TraceText.read(row("?"), row(id)))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            "trace.jsonl:2: session_id: found the string \"%s\", expected %s",
            id, "text without half a surrogate pair");
  }

  @Test
  void aPairIsText() {
    Trace trace = TraceText.read(row("\\ud83d\\ude00"), row("😀"), row("?"));

    assertThat(trace.sessionCount()).isEqualTo(2);
    assertThat(trace.sessionId(0)).isEqualTo("😀");
  }

  /** A parser of JSON takes the three bytes that would be half a pair's. */
  @Test
  void bytesOfHalfAPairAreRefusedToo() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String row = row("|");
    bytes.write(row.substring(0, row.indexOf('|')).getBytes(UTF_8));
    bytes.write(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0xbd});
    bytes.write(row.substring(row.indexOf('|') + 1).getBytes(UTF_8));

    assertThatThrownBy(() -> TraceText.readBytes(TraceOptions.defaults(), bytes.toByteArray()))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith("trace.jsonl:1: ");
  }

  /** Whichever text of whichever format has it: none of a trace comes out as a question mark. */
  @ParameterizedTest
  @MethodSource("formatsOfObjects")
  void noTextOfAFormatBecomesAQuestionMark(TraceFormat format) throws IOException {
    String text = FormatSamples.of(format).text();
    Path file = folder.resolve("trace");
    TraceOptions options = FormatSamples.options(format).withFormat(format);
    for (Matcher each = TEXT.matcher(text); each.find(); ) {
      Files.writeString(
          file, text.substring(0, each.start()) + "\\ud83d" + text.substring(each.end()));
      try {
        assertThat(texts(TraceReaders.read(List.of(file), options)))
            .as("in place of %s", each.group())
            .noneMatch(name -> name.contains("?"));
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("\\ud83d");
      }
    }
  }

  private static List<String> texts(Trace trace) {
    List<String> texts = new ArrayList<>();
    for (int s = 0; s < trace.sessionCount(); s++) {
      texts.add(trace.sessionId(s));
    }
    for (int r = 0; r < trace.requestCount(); r++) {
      texts.add(trace.requestId(r));
      texts.add(String.valueOf(trace.model(r)));
      texts.add(String.valueOf(trace.adapter(r)));
      texts.add(String.valueOf(trace.recordedWorker(r)));
      texts.add(String.valueOf(trace.recordedFinishReason(r)));
      texts.add(String.valueOf(trace.recordedTools(r)));
    }
    return texts;
  }

  @Test
  void aMappedColumnIsRefused() {
    TraceOptions mapped =
        TraceOptions.defaults()
            .withColumns(ColumnMapping.parse("timestamp=t:s,input=i,output=o,session=s,model=m"));

    for (String key : List.of("s", "m")) {
      assertThatThrownBy(
              () ->
                  TraceText.read(
                      mapped, "{\"t\":0,\"i\":64,\"o\":1,\"%s\":\"\\ud83d\"}".formatted(key)))
          .hasMessage("trace.jsonl:1: %s: %s", key, REFUSED);
    }
  }

  @Test
  void whatIsNotReadMayHoldAnything() {
    Trace trace = TraceText.read(row("a").replace("{", "{\"note\":[\"\\ud83d\"],"), row("b"));

    assertThat(trace.sessionCount()).isEqualTo(2);
  }

  @Test
  void aBuilderRefusesItByItself() {
    assertThatThrownBy(
            () -> Trace.builder(16).session("\ud83d").request("r").input(1).output(1).build())
        .isInstanceOf(TraceException.class)
        .hasMessage("found \"\\ud83d\", expected text without half a surrogate pair");
  }

  @Test
  void theRecordIsKeptAside() throws IOException {
    Path file = Files.writeString(folder.resolve("trace"), row("?") + "\n" + row("\\ud83d") + "\n");
    List<String> kept = new ArrayList<>();
    TraceOptions aside =
        TraceOptions.defaults()
            .withBadRecords((name, line, text, why) -> kept.add(line + " " + text + " " + why));

    Trace trace = TraceReaders.read(List.of(file), aside);

    assertThat(trace.requestCount()).isEqualTo(1);
    assertThat(kept).hasSize(1).first().asString().startsWith("2 " + row("\\ud83d"));
    assertThat(kept.get(0)).endsWith(REFUSED);
  }
}
