package io.orrery.traces;

import static io.orrery.traces.TraceText.assertFails;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions in the format of WEKA that make no sense. */
class HostileWekaTest {
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

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
