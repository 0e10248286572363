package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every reader of text must do, format by format: a format gets all of this by its line in the
 * registry and a sample in {@link FormatSamples}.
 */
@Timeout(120)
class FormatConformanceTest {
  private static final List<String> BAD_NUMBERS =
      List.of("many", "NaN", "Infinity", "-Infinity", "-5", "0.5", "1e300", "99999999999", "true");

  private static final List<String> BAD_JSON = List.of("\"x\"", "{}", "[]", "{\"a\": [1]}");

  @TempDir Path folder;

  static Stream<TraceFormat> formats() {
    return Arrays.stream(TraceFormat.values()).filter(format -> format != TraceFormat.ORRERY);
  }

  static Stream<TraceFormat> tables() {
    return formats().filter(format -> FormatSamples.of(format).isTable());
  }

  static Stream<TraceFormat> formatsToldByContent() {
    return formats().filter(format -> format != TraceFormat.MAPPED);
  }

  static Stream<TraceFormat> formatsWithTimes() {
    return formats().filter(format -> !FormatSamples.of(format).time().isEmpty());
  }

  static Stream<TraceFormat> formatsOfSeveralRecords() {
    return formats().filter(format -> FormatSamples.of(format).lines().size() > 2);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void readsAGoodSample(TraceFormat format) {
    Trace trace = FormatSamples.read(format, folder);

    assertThat(trace.requestCount()).isEqualTo(FormatSamples.of(format).requests());
    RealTracesTest.assertInvariants(trace);
    TraceProvenance provenance = trace.provenance();
    assertThat(provenance.format()).isEqualTo(format.formatName());
    assertThat(provenance.timeUnit()).isEqualTo(format.description().timeUnit()).isNotEmpty();
    assertThat(provenance.partialBlockRule()).isEqualTo(format.description().partialBlockRule());
    assertThat(provenance.timeBasis()).isEqualTo(format.description().timeBasis()).isNotEmpty();
    assertThat(provenance.turnSemantics()).isEqualTo(format.description().turnSemantics());
    assertThat(trace.blocksKnown()).isEqualTo(trace.blockCount() > 0);
  }

  @ParameterizedTest
  @MethodSource("formatsToldByContent")
  void isToldByItsContent(TraceFormat format) throws IOException {
    Path file = write(FormatSamples.of(format).text());

    assertThat(TraceReaders.format(List.of(file))).isEqualTo(format);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void nothingIsAnError(TraceFormat format) {
    for (String text : List.of("", "\n", " \n\r\n", "{}", "\ufeff")) {
      assertFails(format, text);
      assertThatThrownBy(
              () ->
                  TraceReaders.read(
                      List.of(write(text)), FormatSamples.options(format).withFormat(format)))
          .as("<%s>", text)
          .isInstanceOf(TraceException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void aHeaderAloneIsAnError(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);

    assertThatThrownBy(() -> read(format, sample.lines().get(0) + "\n"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("found no row after the header, expected at least one request");
  }

  /** A row that is cut off may still be a row; a JSON object that is cut off is none. */
  @ParameterizedTest
  @MethodSource("formats")
  void aCutOffFileIsAnErrorOrSound(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    int end = sample.text().stripTrailing().length();
    for (int cut = 1; cut < Math.min(end, 60); cut++) {
      String text = sample.text().substring(0, end - cut);
      if (sample.isTable()) {
        assertFailsOrIsSound(format, text);
      } else {
        assertFails(format, text);
      }
    }
    for (int cut = 60; cut < end; cut += 7) {
      assertFailsOrIsSound(format, sample.text().substring(0, end - cut));
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aTokenCountThatIsNoneIsAnErrorWithItsPlace(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    for (String bad : BAD_NUMBERS) {
      assertFailsAtALine(format, sample.withInput(bad));
    }
    if (!sample.isTable()) {
      BAD_JSON.forEach(bad -> assertFailsAtALine(format, sample.withInput(bad)));
    }
  }

  @ParameterizedTest
  @MethodSource("formatsWithTimes")
  void aTimeThatIsNoneIsAnErrorWithItsPlace(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    for (String bad : List.of("x1", "NaN", "Infinity", "-Infinity", "-5", "1e300", "true")) {
      assertFailsAtALine(format, sample.withTime(bad));
    }
    if (!sample.isTable()) {
      BAD_JSON.forEach(bad -> assertFailsAtALine(format, sample.withTime(bad)));
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aKeyGivenTwiceIsAnError(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    if (sample.isTable()) {
      List<String> lines = new ArrayList<>(sample.lines());
      String column = lines.get(0).substring(lines.get(0).lastIndexOf(',') + 1);
      lines.set(0, lines.get(0) + "," + column);
      assertFails(format, String.join("\n", lines));
      return;
    }
    String key = sample.input().replaceAll(".*(\"[^\"]+\": ?)\\[?\\|.*", "$1");
    boolean list = sample.input().contains("[|");
    assertThatThrownBy(
            () -> read(format, sample.withInput(list ? "5], " + key + "[5" : "5, " + key + "5")))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(": found a second value, expected each key once per object");
  }

  @Tag("report-10")
  @ParameterizedTest
  @MethodSource("formats")
  void unknownFieldsAreAccepted(TraceFormat format) {
    String digest = FormatSamples.read(format, folder).digest();

    assertThat(
            read(
                    format,
                    withExtra(format, "{\"a\": [1, {\"b\": null}], \"c\": \"ü 日本 \ud83c\udf89\"}"))
                .digest())
        .isEqualTo(digest);
  }

  @Tag("report-38")
  @Tag("report-line-ends")
  @ParameterizedTest
  @MethodSource("formats")
  void lineEndsAndAByteOrderMarkDoNotMatter(TraceFormat format) {
    String digest = FormatSamples.read(format, folder).digest();
    String text = FormatSamples.of(format).text().replace("\r\n", "\n");

    assertThat(read(format, text.replace("\n", "\r\n")).digest()).isEqualTo(digest);
    assertThat(read(format, text.stripTrailing()).digest()).isEqualTo(digest);
    assertThat(read(format, "\ufeff" + text).digest()).isEqualTo(digest);
    assertThat(read(format, text.replace("\n", "\n\n")).digest()).isEqualTo(digest);
    assertThat(read(format, text + "\n \n").digest()).isEqualTo(digest);
  }

  /** Records of one instant, with ids out of all of Unicode where ids are texts. */
  @ParameterizedTest
  @MethodSource("formats")
  void recordsOfOneTimeKeepTheOrderOfTheFile(TraceFormat format) {
    Trace trace = read(format, FormatRows.of(format, 40, 64));

    assertThat(trace.requestCount()).isEqualTo(40);
    for (int r = 0; r < 40; r++) {
      assertThat(trace.inputTokens(r)).as("request " + r).isEqualTo(64 + r);
    }
    RealTracesTest.assertInvariants(trace);
  }

  /** The ratio and the size that are free are those of {@link CompressedTraceTest}. */
  @ParameterizedTest
  @MethodSource("formats")
  void aDecompressionBomb(TraceFormat format) throws IOException {
    Path file = folder.resolve("bomb");
    byte[] blank = "\n".repeat(1 << 20).getBytes(UTF_8);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(FormatSamples.of(format).text().getBytes(UTF_8));
      for (int mebibytes = 0; mebibytes < 65; mebibytes++) {
        out.write(blank);
      }
    }

    assertThatThrownBy(() -> TraceReaders.read(List.of(file), FormatSamples.options(format)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("data that grow more than 1000-fold");
  }

  /** Ids that come twice are refused; where there are none, everything comes twice. */
  @ParameterizedTest
  @MethodSource("formats")
  void recordsGivenTwiceAreRefusedOrCountTwice(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    List<String> lines = new ArrayList<>(sample.lines());
    lines.addAll(lines.subList(sample.isTable() ? 1 : 0, lines.size()));
    try {
      Trace trace = read(format, String.join("\n", lines));
      assertThat(trace.requestCount()).isEqualTo(2 * sample.requests());
      RealTracesTest.assertInvariants(trace);
    } catch (TraceException e) {
      assertThat(e.line()).as(e.getMessage()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("formatsOfSeveralRecords")
  void recordsInReverseAreRefusedOrSortedAndCounted(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    int fixed = sample.isTable() || format == TraceFormat.AGENTIC_MOONCAKE ? 1 : 0;
    List<String> lines = new ArrayList<>(sample.lines());
    Collections.reverse(lines.subList(fixed, lines.size()));
    try {
      Trace trace = read(format, String.join("\n", lines));
      assertThat(trace.requestCount()).isEqualTo(sample.requests());
      RealTracesTest.assertInvariants(trace);
    } catch (TraceException e) {
      assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aLineOf50Megabytes(TraceFormat format) throws IOException {
    FormatSamples.Sample sample = FormatSamples.of(format);
    Path file = folder.resolve("long.gz");
    String marked = withExtra(format, sample.isTable() ? "@" : "[@ 0]");
    int at = marked.indexOf('@');
    byte[] piece = (sample.isTable() ? "abcdefghij" : "123456789,").repeat(100_000).getBytes(UTF_8);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(marked.substring(0, at).getBytes(UTF_8));
      for (int megabytes = 0; megabytes < 50; megabytes++) {
        out.write(piece);
      }
      out.write(marked.substring(at + 1).replace("@", "").getBytes(UTF_8));
    }
    if (sample.isTable()) {
      // a cell is one text, and no text that matters is that long
      assertThatThrownBy(() -> TraceReaders.read(List.of(file), FormatSamples.options(format)))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("expected a shorter one");
    } else {
      assertThat(TraceReaders.read(List.of(file), FormatSamples.options(format)).requestCount())
          .isEqualTo(sample.requests());
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aNestingBomb(TraceFormat format) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    if (sample.isTable()) {
      assertFailsOrIsSound(format, withExtra(format, "\"".repeat(99_999)));
      return;
    }
    for (String opening : List.of("[", "{\"a\":")) {
      assertThatThrownBy(() -> read(format, withExtra(format, opening.repeat(100_000))))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("found nesting deeper than 100 levels, expected less nesting");
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void aBinaryFile(TraceFormat format) {
    byte[] noise = new byte[5_000];
    new SplittableRandom(format.ordinal()).nextBytes(noise);
    assertThatThrownBy(
            () ->
                TraceReaders.read(
                    List.of(write(noise)), FormatSamples.options(format).withFormat(format)))
        .isInstanceOf(TraceException.class);
    byte[] tail = FormatSamples.of(format).text().getBytes(UTF_8);
    System.arraycopy(noise, 0, tail, tail.length / 2, Math.min(noise.length, tail.length / 2));
    assertThatThrownBy(() -> FormatSamples.read(format, tail, folder))
        .isInstanceOf(TraceException.class);
  }

  private String withExtra(TraceFormat format, String value) {
    FormatSamples.Sample sample = FormatSamples.of(format);
    List<String> lines = new ArrayList<>();
    for (String line : sample.lines()) {
      if (line.isBlank()) {
        continue;
      }
      if (!sample.isTable()) {
        lines.add("{\"orrery_extra\": " + value + ", " + line.substring(1));
      } else {
        lines.add(line + (lines.isEmpty() ? ",extra" : "," + quoted(value)));
      }
    }
    return String.join("\n", lines);
  }

  private static String quoted(String value) {
    return value.startsWith("\"\"") ? value : '"' + value.replace("\"", "\"\"") + '"';
  }

  static int lineOfDifference(String a, String b) {
    int at = 0;
    while (a.charAt(at) == b.charAt(at)) {
      at++;
    }
    return (int) a.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
  }

  private void assertFails(TraceFormat format, String text) {
    assertThatThrownBy(() -> read(format, text))
        .as("<%s>", text)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("found ")
        .hasMessageContaining(", expected ");
  }

  private void assertFailsAtALine(TraceFormat format, String text) {
    int line = lineOfDifference(FormatSamples.of(format).text(), text);
    assertThatThrownBy(() -> read(format, text))
        .as("<%s>", text)
        .isInstanceOfSatisfying(
            TraceException.class, e -> assertThat(e.line()).as(e.getMessage()).isEqualTo(line));
  }

  private void assertFailsOrIsSound(TraceFormat format, String text) {
    try {
      RealTracesTest.assertInvariants(read(format, text));
    } catch (TraceException e) {
      assertThat(e).hasMessageContaining("found ").hasMessageContaining(", expected ");
    }
  }

  private Trace read(TraceFormat format, String text) {
    return FormatSamples.read(format, text.getBytes(UTF_8), folder);
  }

  private Path write(String text) {
    return write(text.getBytes(UTF_8));
  }

  private Path write(byte[] content) {
    try {
      return Files.write(folder.resolve("file"), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
