package io.orrery.traces;

import static io.orrery.traces.TraceText.assertFails;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input: every complaint says where, which field, what was found and what was expected. */
class HostileTraceTest {
  private static final String GOOD =
      "{\"timestamp\": 0, \"input_length\": 700, \"output_length\": 9, \"hash_ids\": [1, 2]}";

  @Test
  void missingFile() {
    assertThatThrownBy(() -> TraceReaders.read(Path.of("no", "such.jsonl")))
        .isInstanceOf(TraceException.class)
        .hasMessage(Path.of("no", "such.jsonl") + ": found no such file, expected a trace file");
  }

  @Test
  void emptyFile() {
    assertFails(bytes(""), "trace.jsonl: found an empty file, expected at least one request");
    assertFails(
        bytes("\n \r\n"), "trace.jsonl: found no JSON object, expected at least one request");
  }

  @Test
  void aByteOrderMarkAlone() {
    String empty = "trace.jsonl: found an empty file, expected at least one request";
    assertFails(bytes("\ufeff"), empty);
    assertFails(TraceText.gzip("\ufeff"), empty);
    assertFails(
        bytes("\ufeff\n"), "trace.jsonl: found no JSON object, expected at least one request");
  }

  /** At its own line, also where the parser must look at the next one to know that it ends. */
  @ParameterizedTest
  @ValueSource(strings = {"42", "-1.5", "true", "null", "NaN", "\"text\"", "[1, 2]"})
  void aValueThatIsNoObject(String value) {
    String found =
        value.startsWith("[") ? "an array" : value.startsWith("\"") ? "the string \"text\"" : value;
    assertFails(
        bytes(value + "\n" + GOOD),
        "trace.jsonl:1: found " + found + ", expected one JSON object per line");
    assertFails(
        bytes(GOOD + "\n\n" + value + "\n\n" + GOOD + "\n"),
        "trace.jsonl:3: found " + found + ", expected one JSON object per line");
  }

  @Test
  void truncatedGzip() {
    byte[] whole = TraceText.gzip(repeated(3_000));
    assertFails(
        Arrays.copyOf(whole, whole.length / 2),
        "trace.jsonl: found damaged or truncated gzip data (Unexpected end of ZLIB input stream), expected a complete"
            + " file");
    assertFails(
        Arrays.copyOf(whole, 5),
        "trace.jsonl: found damaged or truncated gzip data (its header is cut off), expected a complete file");
  }

  @Test
  void truncatedZstd() {
    byte[] whole = TraceText.zstd(repeated(3_000));
    assertFails(
        Arrays.copyOf(whole, whole.length / 2),
        "trace.jsonl: found damaged or truncated zstd data (Not enough input bytes), expected a complete file");
    assertFails(
        Arrays.copyOf(whole, 5),
        "trace.jsonl: found damaged or truncated zstd data (its header is cut off), expected a complete file");
  }

  @Test
  void zstdWindowTooLarge() {
    // magic number, descriptor 0, window byte 17 << 3: 2^(10 + 17) bytes, as --long=27 writes it
    byte[] header = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, (byte) 0x88, 1, 0, 0, 0};
    assertFails(
        header,
        "trace.jsonl: found a zstd window of 128 MiB, expected at most 8 MiB: compress it again without --long and at"
            + " level 19 or below");
  }

  @Test
  void binaryFile() {
    assertFails(
        new byte[] {'{', '"', 0, 1, 2},
        "trace.jsonl: found binary data (byte 0x00), expected UTF-8 text, plain or compressed with gzip, zstd, xz or zip");
    assertFails(
        GOOD.getBytes(UTF_16LE),
        "trace.jsonl: found binary data (byte 0x00), expected UTF-8 text, plain or compressed with gzip, zstd, xz or zip");
    assertFails(
        TraceText.gzip("\u0001\u0002"),
        "trace.jsonl:1: found text that is not JSON (Illegal character ((CTRL-CHAR, code 1))), expected one JSON object per line");
  }

  @Test
  void aLineThatIsNotJson() {
    assertFails(
        bytes(GOOD + "\n" + GOOD + "\nhello\n"),
        "trace.jsonl:3: found text that is not JSON (Unrecognized token 'hello'), expected one JSON object per line");
    assertFails(
        bytes(GOOD + "\n[1, 2]\n"),
        "trace.jsonl:2: found an array, expected one JSON object per line");
  }

  @Test
  void theLastLineIsCutOff() {
    assertFails(
        bytes(GOOD + "\n" + GOOD.substring(0, 40)),
        "trace.jsonl:2: found the end of the file inside an object, expected a complete JSON object");
  }

  @Test
  void invalidUtf8() {
    byte[] bytes = bytes(GOOD + "\n{\"session_id\": \"x\", " + GOOD.substring(1));
    bytes[GOOD.length() + 18] = (byte) 0xff;
    assertFails(
        bytes,
        "trace.jsonl:2: found text that is not JSON (Invalid UTF-8 start byte 0xff), expected one JSON object per"
            + " line");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "timestamp|NaN|NaN|a number of ms, at least 0",
        "timestamp|Infinity|Infinity|a number of ms, at least 0",
        "timestamp|-Infinity|-Infinity|a number of ms, at least 0",
        "timestamp|-1|-1|a number of ms, at least 0",
        "timestamp|-0.5|-0.5|a number of ms, at least 0",
        "timestamp|\"82\"|the string \"82\"|a number of ms, at least 0",
        "timestamp|true|true|a number of ms, at least 0",
        "timestamp|{\"a\":1}|an object|a number of ms, at least 0",
        "timestamp|1e300|1e300|a number of ms, at least 0 and at most 146 years",
        "timestamp|99999999999999999999|99999999999999999999|a number of ms, at least 0 and at most 146 years",
        "timestamp|null|nothing|a time in ms in a session's first row",
        "delay|-3|-3|a number of ms, at least 0",
        "input_length|\"700\"|the string \"700\"|a whole number from 1 to 1000000000",
        "input_length|0|0|a whole number from 1 to 1000000000",
        "input_length|-7|-7|a whole number from 1 to 1000000000",
        "input_length|1.5|1.5|a whole number from 1 to 1000000000",
        "input_length|NaN|NaN|a whole number from 1 to 1000000000",
        "input_length|null|null|a whole number from 1 to 1000000000",
        "input_length|5000000000|5000000000|a whole number from 1 to 1000000000",
        "input_length|1e99|1e99|a whole number from 1 to 1000000000",
        "input_length|99999999999999999999|99999999999999999999|a whole number from 1 to 1000000000",
        "output_length|-1|-1|a whole number from 0 to 1000000000",
        "output_length|[]|an array|a whole number from 0 to 1000000000",
        "hash_ids|{\"sys\":[1]}|an object|an array",
        "hash_ids|[1, \"2\"]|the string \"2\"|whole numbers of 64 bits",
        "hash_ids|[1, 2.5]|2.5|whole numbers of 64 bits",
        "hash_ids|[1, [2]]|an array|whole numbers of 64 bits",
        "hash_ids|[18446744073709551616]|18446744073709551616|whole numbers of 64 bits",
        "hash_ids|[-9223372036854775809]|-9223372036854775809|whole numbers of 64 bits",
        "hash_ids|[1, 2, 3]|3 hashes|at most 2 for 700 input tokens in blocks of 512 (is trace.blockSize right?)",
        "session_id|\"\"|the string \"\"|a string that is not empty",
        "request_id|{}|an object|a string that is not empty",
        "priority|1e10|1e10|a whole number from -2147483648 to 2147483647",
        "wait_for|[\"r0\"]|this key|Mooncake rows, which have no such key"
      })
  void aMooncakeFieldThatMakesNoSense(String field, String json, String value, String expected) {
    String row = GOOD.substring(0, GOOD.length() - 1);
    String replaced =
        row.contains('"' + field + '"')
            ? row.replaceAll(
                "\"" + field + "\": (\\[[^]]*]|[^,\\]]+)",
                "\"" + field + "\": " + json.replace("\\", "\\\\"))
            : row + ", \"" + field + "\": " + json;
    assertFails(
        bytes(GOOD + "\n" + replaced + "}\n"),
        "trace.jsonl:2: " + field + ": found " + value + ", expected " + expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"input_length", "output_length"})
  void aMissingField(String field) {
    assertFails(
        bytes(GOOD + "\n" + GOOD.replace(field, "other") + "\n"),
        "trace.jsonl:2: " + field + ": found nothing, expected this field in every row");
  }

  @Test
  void missingTimes() {
    assertFails(
        bytes(GOOD + "\n" + GOOD.replace("timestamp", "time") + "\n"),
        "trace.jsonl:2: timestamp: found nothing, expected a time in ms in a session's first row");
    String turn = GOOD.replace("{", "{\"session_id\": \"s\", ");
    assertFails(
        bytes(turn + "\n" + turn.replace("timestamp", "time") + "\n"),
        "trace.jsonl:2: timestamp: found nothing, expected a time in ms, or a delay");
  }

  @Test
  void startsThatTheClockCannotHold() {
    String turn = "{\"session_id\": 7, %s, \"input_length\": 9, \"output_length\": 1}\n";
    String first = turn.formatted("\"timestamp\": 0");
    String wait = turn.formatted("\"delay\": 1e12");
    String limit =
        ", expected starts within 2305843009 s (73 years) of the trace's first, waits summed";
    // 2^61 ns are 2,305,843,009 s: two waits of 1,000,000,000 s fit, a third does not
    assertThat(
            TraceText.readBytes(TraceOptions.defaults(), bytes(first + wait + wait)).requestCount())
        .isEqualTo(3);
    assertFails(
        bytes(first + wait + wait + wait),
        "trace.jsonl:4: delay: found 1000000000 s after a request that starts at 2000000000 s"
            + limit);
    String longer = wait.replace("1e12", "4e12");
    assertFails(
        bytes(first + longer + longer + longer),
        "trace.jsonl:2: delay: found 4000000000 s after a request that starts at 0 s" + limit);
    assertFails(
        bytes(first + turn.formatted("\"delay\": 1, \"timestamp\": 4e12")),
        "trace.jsonl:2: arrival: found 4000000000 s" + limit);
    // Unix stamps count from the first of them
    String late = turn.formatted("\"timestamp\": 4e12");
    assertThat(TraceText.readBytes(TraceOptions.defaults(), bytes(late + wait)).arrivalNanos(0))
        .isZero();
  }

  @Test
  void duplicateIds() {
    String row = GOOD.replace("{", "{\"request_id\": \"r7\", ");
    assertFails(
        bytes(row + "\n" + GOOD + "\n" + row + "\n"),
        "found \"r7\", expected an id that no other request has (");
    assertFails(
        bytes(
            WekaReaderTest.session("s", WekaReaderTest.request(0, 64, "1", "\"out\":1"))
                + "\n"
                + WekaReaderTest.session("s", WekaReaderTest.request(0, 64, "1", "\"out\":1"))),
        "trace.jsonl:2: id: found \"s\", expected an id that no other session has");
  }

  @Test
  void duplicateKeys() {
    assertFails(
        bytes(GOOD.replace("{", "{\"timestamp\": 1, ")),
        "trace.jsonl:1: timestamp: found a second value, expected each key once per object");
    assertFails(
        bytes(GOOD.replace("{", "{\"input_tokens\": 1, ")),
        "trace.jsonl:1: input_length: found a second value, expected each key once per object");
  }

  @Test
  void aNestingBomb() {
    assertFails(
        bytes(GOOD + "\n{\"x\": " + "[".repeat(100_000)),
        "trace.jsonl:2: found nesting deeper than 100 levels, expected less nesting");
    assertFails(
        bytes(GOOD + "\n{\"x\": " + "{\"y\":".repeat(100_000)),
        "trace.jsonl:2: found nesting deeper than 100 levels, expected less nesting");
  }

  @Test
  void aNumberOfManyDigits() {
    assertFails(
        bytes(GOOD + "\n" + GOOD.replace("700", "7".repeat(5_000))),
        "trace.jsonl:2: found a number of more than 400 characters, expected a shorter one");
  }

  @Test
  void anUnknownFormat() {
    assertFails(
        bytes("{\"chat\": 1, \"timestamp\": 0.0}"),
        "trace.jsonl:1: trace format: found an object with the keys chat, timestamp, expected one of the formats"
            + " orrery, mooncake, ");
    assertFails(
        bytes("Timestamp,in,out\n1,2,3\n"),
        "trace.jsonl:1: trace format: found a table with the columns Timestamp, in, out, expected one of the formats"
            + " orrery, mooncake, ");
  }

  @Test
  void carriageReturnsAByteOrderMarkAndBlankLinesAreAccepted() {
    byte[] text = bytes("x" + GOOD + "\r\n\r\n" + GOOD + "\r\n\n \n");
    byte[] marked = new byte[text.length + 2];
    System.arraycopy(text, 1, marked, 3, text.length - 1);
    marked[0] = (byte) 0xef;
    marked[1] = (byte) 0xbb;
    marked[2] = (byte) 0xbf;

    Trace trace = TraceText.readBytes(TraceOptions.defaults(), marked);

    assertThat(trace.requestCount()).isEqualTo(2);
    assertThat(trace.provenance().counters()).isEmpty();
    assertThat(TraceText.readBytes(TraceOptions.defaults(), bytes(GOOD)).requestCount())
        .isEqualTo(1);
  }

  @Tag("report-long-line")
  @Test
  void aLineOfManyMegabytes() {
    StringBuilder ids = new StringBuilder("0");
    for (int i = 1; i < 1_000_000; i++) {
      ids.append(", ").append(i);
    }
    Trace trace =
        TraceText.read(
            "{\"timestamp\": 0, \"input_length\": 512000000, \"output_length\": 1, \"hash_ids\": ["
                + ids
                + "]}");
    assertThat(trace.identifiedBlocks(0)).isEqualTo(1_000_000);
    assertThat(trace.runCount()).isEqualTo(1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Rows that do not compress to nothing. */
  private static String repeated(int rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append(GOOD.replace("[1, 2]", "[" + i * 7919L % 104729 + ", " + i * 31L + "]"))
          .append('\n');
    }
    return text.toString();
  }
}
