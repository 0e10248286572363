package io.orrery.traces;

import static io.orrery.traces.TraceText.assertFails;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of Dynamo's request traces that make no sense. */
class HostileDynamoTest {
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

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
