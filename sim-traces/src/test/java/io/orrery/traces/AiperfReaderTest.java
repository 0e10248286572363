package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** AIPerf's inputs and per-request records. */
class AiperfReaderTest {
  private static final String SAID =
      "What holds up the sky, and who has seen it, and when? ".repeat(3);

  /**
   * As AIPerf writes its own turns: each alone, over several lines. 4 + 162 characters are 42
   * tokens, 4 + 76 are 20; the second prompt is 42 + 10 + 20 tokens long.
   */
  @Test
  void turnsThatStandAloneAreSummedUp() {
    Trace trace =
        TraceText.read(
            """
            {
              "data": [
                {
                  "session_id": "a",
                  "payloads": [
                    {"messages": [{"role": "user", "content": "%s"}], "stream": true, "max_completion_tokens": 10},
                    {"messages": [{"role": "user", "content": "%s"}], "stream": true, "max_completion_tokens": 5}
                  ]
                }
              ]
            }"""
                .formatted(
                    SAID, "And what if nothing does? ".repeat(2) + "I would not sleep then."));

    assertThat(SAID).hasSize(162);
    assertThat(trace.inputTokens(0)).isEqualTo(42);
    assertThat(trace.inputTokens(1)).isEqualTo(42 + 10 + 20);
    // blocks 0 and 1 are full in the first prompt, and the second one's begins with them
    assertThat(RunText.prompt(trace, 0)).isEqualTo("[0..1]");
    assertThat(RunText.prompt(trace, 1)).isEqualTo("[0..3]");
    assertThat(trace.provenance().counters())
        .containsEntry("turns whose prompt is summed up from increments", 1L);
    assertThat(trace.provenance().notes()).anyMatch(note -> note.contains("taken for increments"));
  }

  /** As it was given them: the second payload begins with the first. */
  @Test
  void payloadsThatBeginWithTheOneBeforeAreWholePrompts() {
    String user = "{\"role\": \"user\", \"content\": \"" + SAID + "\"}";
    Trace trace =
        TraceText.read(
            "{\"data\": [{\"session_id\": \"a\", \"payloads\": ["
                + "{\"messages\": ["
                + user
                + "], \"tools\": [{\"name\": \"look\"}], \"max_tokens\": 10}, "
                + "{\"tools\": [{\"name\": \"look\"}], \"messages\": ["
                + user
                + ", {\"role\": \"assistant\", \"content\": \"Nothing.\"}], \"max_tokens\": 10}]}]}");

    // "look", "user" and what is said: 170 characters; "assistant" and "Nothing." are 17 more
    assertThat(trace.inputTokens(0)).isEqualTo(43);
    assertThat(trace.inputTokens(1)).isEqualTo(47);
    assertThat(RunText.prompt(trace, 1)).isEqualTo(RunText.prompt(trace, 0));
    assertThat(trace.provenance().counters())
        .doesNotContainKey("turns whose prompt is summed up from increments");
  }

  @Test
  void anImageIsNoText() {
    Trace trace =
        TraceText.read(
            "{\"data\": [{\"payloads\": [{\"messages\": [{\"content\": [{\"text\": \"four\"},"
                + " {\"image_url\": {\"url\": \"data:image/png;base64,"
                + "A".repeat(4_000)
                + "\"}}]}], \"max_tokens\": 1}]}]}");

    assertThat(trace.inputTokens(0)).isEqualTo(1);
    assertThat(trace.provenance().counters())
        .containsEntry("requests with images, sound or films, replayed by their texts alone", 1L);
  }

  @Test
  void noSessionIsSkippedWithoutAWord() {
    String good = "{\"payloads\": [{\"prompt\": \"Hello\", \"max_tokens\": 3}]}";

    assertThat(
            TraceText.read("{\"data\": [{\"session_id\": \"b\", \"payloads\": []}, " + good + "]}")
                .provenance()
                .counters())
        .containsEntry("sessions without payloads, left out", 1L);
    assertThatThrownBy(() -> TraceText.read("{\"data\": [{\"session_id\": \"b\"}, " + good + "]}"))
        .hasMessage(
            "trace.jsonl:1: payloads: found nothing, expected this list in every session of AIPerf's"
                + " inputs");
    assertThatThrownBy(
            () ->
                TraceText.read(
                    "{\"data\": ["
                        + good.replace("{\"payloads", "{\"session_id\": \"s\", \"payloads")
                        + ", "
                        + good.replace("{\"payloads", "{\"session_id\": \"s\", \"payloads")
                        + "]}"))
        .hasMessageContaining("session_id: found \"s\", expected an id that no other session has");
  }

  /** Jaeger's files, for example, begin alike; their lists hold other objects. */
  @Test
  void otherListsOfDataAreNoInputs() {
    assertThatThrownBy(
            () ->
                TraceText.read(
                    "{\"data\": [{\"traceID\": \"t\", \"spans\": [{}]}, 7, {}], \"total\": 2}"))
        .hasMessageContaining(
            "an object with the keys data, data.traceID, data.spans, total, expected one of the");
    assertThatThrownBy(() -> TraceText.read("{\"data\": []}"))
        .hasMessageContaining("expected at least one request");
  }

  /**
   * What does not have its default is written, and nothing else: here neither error nor
   * cancellation.
   */
  @Test
  void recordsOfWarmUpsAndFailuresAreLeftOutAndCounted() {
    String record =
        "{\"metadata\":{\"session_num\":%d,\"x_request_id\":\"r%d\",\"x_correlation_id\":\"c\",\"turn_index\":%d,"
            + "\"request_start_ns\":%d,\"request_end_ns\":%d,\"worker_id\":\"w\",\"benchmark_phase\":\"%s\"%s},\"metrics\":%s}";
    String metrics =
        "{\"input_sequence_length\":{\"value\":550,\"unit\":\"tokens\"},\"output_sequence_length\":{\"value\":9,\"unit\":\"tokens\"},"
            + "\"inter_chunk_latency\":{\"value\":[4.8,5.3],\"unit\":\"ms\"},\"time_to_first_token\":{\"value\":255.5,\"unit\":\"ms\"},"
            + "\"request_latency\":{\"value\":300,\"unit\":\"ms\"},\"usage_prompt_cache_read_tokens\":{\"value\":512,\"unit\":\"tokens\"}}";
    long start = 1_759_813_207_000_000_000L;
    Trace trace =
        TraceText.read(
            record.formatted(0, 0, 0, start - 9, start - 1, "warmup", "", metrics),
            record.formatted(
                1,
                1,
                0,
                start,
                start + 5,
                "profiling",
                ",\"was_cancelled\":true",
                "{\"error_isl\":{\"value\":550,\"unit\":\"tokens\"}}"),
            record.formatted(
                2, 2, 0, start, start + 5, "profiling", "", "null,\"error\":{\"code\":500}"),
            record.formatted(3, 3, 0, start, start + 300_000_000, "profiling", "", metrics),
            record.formatted(
                3, 4, 1, start + 1_000_000_000, start + 1_300_000_000, "profiling", "", metrics));

    assertThat(trace.requestCount()).isEqualTo(2);
    assertThat(EdgeText.of(trace, "r4")).isEqualTo("COMPLETION r3 +700 ms");
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(255_500_000);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(300_000_000);
    assertThat(trace.recordedCachedTokens(0)).isEqualTo(512);
    assertThat(trace.provenance().counters())
        .containsEntry("warm-up requests, left out", 1L)
        .containsEntry("failed or cancelled requests without token counts, left out", 2L);
  }
}
