package io.orrery.traces;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where bad records may be left out, files are read record by record: what is good is read as ever,
 * and each bad one is named and kept aside as it was written, whether it has a line or several.
 */
class RecordsAsideTest {
  @TempDir Path folder;

  private final List<String> kept = new ArrayList<>();

  static Stream<TraceFormat> formats() {
    return FormatConformanceTest.formats();
  }

  static Stream<TraceFormat> formatsOfObjects() {
    return formats().filter(format -> !FormatSamples.of(format).isTable());
  }

  /** The records of a damaged file that are good make a trace, and each bad one is named. */
  @ParameterizedTest
  @MethodSource("formats")
  void aBadRecordIsKeptAsideAndNamed(TraceFormat format) throws IOException {
    FormatSamples.Sample sample = FormatSamples.of(format);
    String text = sample.withInput("many");
    int line = FormatConformanceTest.lineOfDifference(sample.text(), text);

    TraceFindings findings = check(options(format), text.getBytes(UTF_8)).findings();

    assertThat(kept).first().isEqualTo(line + " " + text.lines().toList().get(line - 1));
    assertThat(findings.all().get(0).severity()).isEqualTo(TraceFinding.Severity.ERROR);
    assertThat(findings.all().get(0).place()).startsWith(folder.resolve("file") + ":" + line);
    assertThat(findings.count(TraceFinding.Severity.ERROR)).isGreaterThanOrEqualTo(kept.size());
  }

  @ParameterizedTest
  @MethodSource("formatsOfObjects")
  void objectsOverSeveralLinesAreReadLikeThoseOfOne(TraceFormat format) throws IOException {
    Trace trace = FormatSamples.read(format, folder);

    TraceReading reading = read(format, pretty(FormatSamples.of(format).text()));

    assertThat(reading.findings().count(TraceFinding.Severity.ERROR)).isZero();
    assertThat(reading.trace().digest()).isEqualTo(trace.digest());
  }

  @Test
  void aBadObjectOverSeveralLinesIsKeptAsideWhole() throws IOException {
    TraceReading reading =
        read(
            TraceFormat.MOONCAKE,
            """
            {
              "timestamp": 0,
              "input_length": 10,
              "output_length": 1
            }
            {
              "timestamp": 5,
              "input_length": 0,
              "output_length": 1
            }
            {"timestamp": 7, "input_length": 30, "output_length": 1}
            """);

    assertThat(kept)
        .containsExactly(
            "6 {\n  \"timestamp\": 5,\n  \"input_length\": 0,\n  \"output_length\": 1\n}");
    assertThat(reading.findings().all().get(0).place())
        .isEqualTo(folder.resolve("file") + ":8:input_length");
    assertThat(reading.trace().requestCount()).isEqualTo(2);
  }

  /** What was cut off takes nothing of what follows with it. */
  @Test
  void anObjectThatWasCutOffEndsWhereTheNextBegins() throws IOException {
    String good = "{\"timestamp\": 1, \"input_length\": 10, \"output_length\": 1}\n";
    TraceReading reading =
        read(
            TraceFormat.MOONCAKE,
            good
                + "{\"timestamp\": 2, \"hash_ids\": [1,\n"
                + good
                + "{\n  \"timestamp\": 3,\n"
                + good
                + "{\"timestamp\": 4, \"text\": \"no {\n"
                + "not even \"} JSON\n"
                + good
                + "{\"timestamp\": 5");

    assertThat(kept)
        .containsExactly(
            "2 {\"timestamp\": 2, \"hash_ids\": [1,",
            "4 {\n  \"timestamp\": 3,",
            "7 {\"timestamp\": 4, \"text\": \"no {",
            "8 not even \"} JSON",
            "10 {\"timestamp\": 5");
    assertThat(reading.trace().requestCount()).isEqualTo(4);
  }

  @Test
  void aQuotedCellGoesOnOverSeveralLines() throws IOException {
    String header = "arrived_at,num_prefill_tokens,num_decode_tokens,remark\n";
    TraceReading reading =
        read(
            TraceFormat.VIDUR,
            header
                + "0,40,7,\"two\nlines, and \"\"quotes\"\"\"\n"
                + "1,many,7,\"of\n\nthree\"\n"
                + "2,41,7,a \" alone\n"
                + "3,42,7,\n");

    assertThat(kept).containsExactly("4 1,many,7,\"of\n\nthree\"");
    assertThat(reading.trace().requestCount()).isEqualTo(3);
  }

  /** A quote that nothing closes takes one row with it, not the rest of the file. */
  @Test
  void aQuoteThatIsNeverClosedIsABadRow() throws IOException {
    StringBuilder text =
        new StringBuilder("arrived_at,num_prefill_tokens,num_decode_tokens,remark\n");
    text.append("0,40,7,\"open\n");
    for (int i = 1; i <= 1_200; i++) {
      text.append(i).append(",40,7,\n");
    }

    TraceReading reading = read(TraceFormat.VIDUR, text.toString());

    assertThat(kept).containsExactly("2 0,40,7,\"open");
    assertThat(reading.trace().requestCount()).isEqualTo(1_200);
  }

  /** What is wrong with a table's first line is said once, and no row is to blame. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "arrived_at;num_prefill_tokens;num_decode_tokens\n0;40;7\n",
        "arrived_at,num_prefill_tokens,num_decode_tokens,arrived_at\n0,40,7,1\n1,40,7,1\n"
      })
  void aTableWhoseHeaderIsWrongIsNone(String text) throws IOException {
    TraceCheck check = check(options(TraceFormat.VIDUR), text.getBytes(UTF_8));

    assertThat(check.contents()).isNull();
    assertThat(check.findings().count(TraceFinding.Severity.ERROR)).isEqualTo(1);
    assertThat(check.findings().all().get(0).place()).startsWith(folder.resolve("file") + ":1");
    assertThat(kept).isEmpty();
  }

  @Test
  void aMappedColumnThatIsMissingIsSaidOnce() throws IOException {
    TraceOptions options =
        TraceOptions.defaults().withColumns(ColumnMapping.parse("input=i,output=o,timestamp=t:s"));

    TraceCheck check = check(options, "t,in,o\n0,40,7\n1,40,7\n".getBytes(UTF_8));

    assertThat(check.contents()).isNull();
    assertThat(check.findings().count(TraceFinding.Severity.ERROR)).isEqualTo(1);
    assertThat(kept).isEmpty();
  }

  /** A checksum that does not fit is said, also where the last record is a bad one. */
  @Test
  void aDamagedFileIsNoTraceHoweverManyRecordsAreLeftOut() throws IOException {
    String good = "{\"timestamp\": 1, \"input_length\": 10, \"output_length\": 1}\n";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write((good.repeat(3_000) + "{\"timestamp\": 2}\n").getBytes(UTF_8));
    }
    byte[] damaged = bytes.toByteArray();
    damaged[damaged.length - 8] ^= 1;

    TraceCheck check = check(options(TraceFormat.MOONCAKE), damaged);

    assertThat(check.contents()).isNull();
    assertThat(check.findings().all())
        .extracting(TraceFinding::toString)
        .anyMatch(text -> text.contains("Corrupt GZIP trailer"));
    assertThat(kept).containsExactly("3001 {\"timestamp\": 2}");
  }

  private TraceReading read(TraceFormat format, String text) throws IOException {
    return TraceReaders.open(List.of(write(text)), aside(options(format)));
  }

  private TraceCheck check(TraceOptions options, byte[] content) throws IOException {
    return TraceReaders.check(
        List.of(Files.write(folder.resolve("file"), content)), aside(options));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("file"), text);
  }

  private static TraceOptions options(TraceFormat format) {
    return FormatSamples.options(format).withFormat(format);
  }

  private TraceOptions aside(TraceOptions options) {
    return options.withBadRecords((name, number, record, why) -> kept.add(number + " " + record));
  }

  private static String pretty(String text) throws IOException {
    StringWriter out = new StringWriter();
    try (JsonParser parser = new JsonFactory().createParser(text);
        JsonGenerator json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter()) {
      while (parser.nextToken() != null) {
        json.copyCurrentStructure(parser);
      }
    }
    return out.toString().replace("}{", "}\n{").replace("} {", "}\n{");
  }
}
