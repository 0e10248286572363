package io.orrery.traces;

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
        bytes("\n \r\n"), "trace.jsonl:3: found no JSON object, expected at least one request");
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
        "trace.jsonl:2: found an excessive number value length, expected shorter values");
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
  void aRequestTraceOfToolEventsOnly() {
    String tool = "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"tool_end\"}\n";
    assertFails(
        bytes(tool + tool),
        "trace.jsonl: event_type: found no request_end record, expected at least one request besides other events");
    String request =
        "{\"event_type\":\"request_end\",\"request\":{\"request_received_ms\":5,\"input_tokens\":9,\"output_tokens\":4}}";
    assertFails(
        bytes(tool + request),
        "trace.jsonl: trace_block_size: found no record that says it, expected a record with replay.trace_block_size,"
            + " or trace.blockSize in the scenario");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"type\":\"n\",\"in\":64,\"out\":1,\"hash_ids\":[1]}|t: found nothing, expected a number of s, at least 0",
        "{\"t\":null,\"type\":\"n\",\"in\":64,\"out\":1}|t: found null, expected a number of s, at least 0",
        "{\"t\":NaN,\"type\":\"n\",\"in\":64,\"out\":1}|t: found NaN, expected a number of s, at least 0",
        "{\"t\":-1,\"type\":\"n\",\"in\":64,\"out\":1}|t: found -1, expected a number of s, at least 0",
        "{\"t\":0,\"type\":\"n\",\"in\":0,\"out\":1}|in: found 0, expected a whole number from 1 to 1000000000",
        "{\"t\":0,\"type\":\"n\",\"in\":64}|out: found nothing, expected this field",
        "{\"t\":0,\"in\":64,\"out\":1}|type: found nothing, expected n, s or subagent",
        "{\"t\":0,\"type\":\"x\",\"in\":64,\"out\":1}|type: found \"x\", expected n, s or subagent",
        "{\"t\":0,\"type\":\"n\",\"in\":64,\"out\":1,\"hash_ids\":[1,2]}|hash_ids: found 2 ids, expected at most 1 for 64 input tokens in blocks of 64",
        "{\"t\":0,\"type\":\"n\",\"in\":64,\"out\":1,\"hash_ids\":[3000000000]}|hash_ids: found 3000000000, expected whole numbers of 32 bits",
        "{\"t\":0,\"type\":\"n\",\"in\":64,\"out\":1,\"hash_ids\":[1.5]}|hash_ids: found 1.5, expected whole numbers",
        "{\"t\":0,\"type\":\"subagent\"}|requests: found nothing, expected this field",
        "{\"t\":0,\"t\":1,\"type\":\"n\",\"in\":64,\"out\":1}|t: found a second value, expected each key once per object",
        "{\"t\":0,\"type\":\"n\",\"in\":64,\"out\":1,\"api_time\":\"1\"}|api_time: found the string \"1\", expected a number of s, at least 0",
        "7|requests: found 7, expected an array of objects",
        "|requests: found no requests, expected at least one request"
      })
  void aWekaEntryThatMakesNoSense(String entry, String message) {
    String good = WekaReaderTest.session("a", WekaReaderTest.request(0, 64, "1", "\"out\":1"));
    String bad = WekaReaderTest.session("b", entry == null ? "" : entry);
    assertFails(bytes(good + "\n" + bad + "\n"), "trace.jsonl:2: " + message);
  }

  @Test
  void aWekaSessionThatMakesNoSense() {
    String good = WekaReaderTest.session("a", WekaReaderTest.request(0, 64, "1", "\"out\":1"));
    assertFails(
        bytes(good.replace("\"id\"", "\"name\"")),
        "trace.jsonl:1: id: found nothing, expected this field");
    assertFails(
        bytes(
            good
                + "\n"
                + good.replace("\"a\"", "\"b\"")
                    .replace(":64,\"hash_id_scope", ":32,\"hash_id_scope")),
        "trace.jsonl:2: block_size: found 32, expected 64, as in the sessions before");
    assertFails(
        bytes(good.replace("local", "cosmic")),
        "trace.jsonl:1: hash_id_scope: found \"cosmic\", expected \"local\" or \"global\"");
    assertThatThrownBy(() -> TraceText.read(TraceOptions.defaults().withBlockSize(16), good))
        .hasMessage("trace.jsonl:1: block_size: found 64, expected 16, as asked for");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"request_received_ms\":5,|`\"request_received_ms\":NaN,`|request_received_ms: found NaN, expected a number of ms, at least 0",
        "\"request_received_ms\":5,|``|request_received_ms: found nothing, expected this field in every request_end record",
        "\"output_tokens\":4|\"output_tokens\":\"4\"|output_tokens: found the string \"4\", expected a whole number from 0 to 1000000000",
        "\"input_length\":64|\"input_length\":0|input_length: found 0, expected a whole number from 1 to 1000000000",
        "\"trace_block_size\":64|\"trace_block_size\":0|trace_block_size: found 0, expected a whole number from 1 to 1000000000",
        "\"trace_block_size\":64|\"trace_block_size\":16|trace_block_size: found 16, expected 64, as in the records before",
        "[7]|[7,8]|input_sequence_hashes: found 2 hashes, expected at most 1 for 64 input tokens in blocks of 64",
        "[7]|[-1e3]|input_sequence_hashes: found -1e3, expected whole numbers of 64 bits",
        "trace.v1|trace.v9|schema: found \"dynamo.request.trace.v9\", expected \"dynamo.request.trace.v1\"",
        "\"event_type\":\"request_end\"|\"kind\":1|event_type: found nothing, expected request_end or another event of dynamo.request.trace.v1"
      })
  void aDynamoRecordThatMakesNoSense(String part, String replacement, String message) {
    String good =
        "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":\"request_end\",\"request\":{\"request_received_ms\":5,\"output_tokens\":4,\"replay\":{\"trace_block_size\":64,\"input_length\":64,\"input_sequence_hashes\":[7]}}}";
    assertFails(
        bytes(good + "\n" + good.replace(part, replacement) + "\n"), "trace.jsonl:2: " + message);
  }

  @Test
  void aParentCycleInARequestTrace() {
    String record =
        "{\"event_type\":\"request_end\",\"agent_context\":{\"session_id\":\"%s\",\"parent_session_id\":\"%s\"},\"request\":{\"request_received_ms\":5,\"output_tokens\":4,\"replay\":{\"trace_block_size\":64,\"input_length\":64,\"input_sequence_hashes\":[7]}}}\n";
    String text = record.formatted("100", "101") + record.formatted("101", "100");
    assertThatThrownBy(() -> TraceText.readBytes(TraceOptions.defaults(), bytes(text)))
        .isInstanceOf(TraceException.class)
        .hasMessage(
            "trace.jsonl:1: parent of session \"100\": found the cycle 100 → 101 → 100, expected parents without a"
                + " cycle");
    String twoParents = record.formatted("c", "p") + record.formatted("c", "q");
    assertThatThrownBy(() -> TraceText.readBytes(TraceOptions.defaults(), bytes(twoParents)))
        .hasMessage(
            "trace.jsonl:1: parent of session \"c\": found \"q\", expected the same parent as before, \"p\"");
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

  private static void assertFails(byte[] content, String message) {
    assertThatThrownBy(() -> TraceText.readBytes(TraceOptions.defaults(), content))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
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
