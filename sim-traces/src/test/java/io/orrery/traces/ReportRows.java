package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows of the tests of public reports, and what they look at. */
final class ReportRows {
  private ReportRows() {}

  /** Reading the lines fails with a message like this. */
  static void assertFails(String what, String message, String... lines) {
    assertThatThrownBy(() -> TraceText.read(lines))
        .as(what)
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
  }

  /** A Mooncake row. */
  static String mooncake(long timestamp, int input, int output) {
    return "{\"timestamp\": "
        + timestamp
        + ", \"input_length\": "
        + input
        + ", \"output_length\": "
        + output
        + "}";
  }

  /**
   * A request of a Dynamo trace.
   *
   * @param session its session, null for none
   * @param parent the session's parent, null for none
   */
  static String record(
      String id, @Nullable String session, @Nullable String parent, long received, long end) {
    String context =
        session == null
            ? ""
            : "\"agent_context\":{\"session_id\":\""
                + session
                + "\""
                + (parent == null ? "" : ",\"parent_session_id\":\"" + parent + "\"")
                + "},";
    return "{\"event_type\":\"request_end\",\"event_time_unix_ms\":"
        + end
        + ","
        + context
        + "\"request\":{\"request_id\":\""
        + id
        + "\",\"request_received_ms\":"
        + received
        + ",\"output_tokens\":1,\"replay\":{\"trace_block_size\":4,\"input_length\":10,\"input_sequence_hashes\":[]}}}";
  }

  /** A row of Bailian's. */
  static String chat(int id, int parent, String timestamp, int input) {
    return "{\"chat_id\": "
        + id
        + ", \"parent_chat_id\": "
        + parent
        + ", \"timestamp\": "
        + timestamp
        + ", \"input_length\": "
        + input
        + ", \"output_length\": 4, \"hash_ids\": []}";
  }

  static int[] inputs(Trace trace) {
    return IntStream.range(0, trace.requestCount()).map(trace::inputTokens).toArray();
  }

  static long[] arrivals(Trace trace) {
    return IntStream.range(0, trace.requestCount()).mapToLong(trace::arrivalNanos).toArray();
  }

  static List<Long> arrivalSeconds(Trace trace) {
    List<Long> seconds = new ArrayList<>();
    Arrays.stream(arrivals(trace)).forEach(nanos -> seconds.add(nanos / 1_000_000_000L));
    return seconds;
  }
}
