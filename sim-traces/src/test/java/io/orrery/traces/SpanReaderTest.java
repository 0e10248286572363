package io.orrery.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Spans as applications, agents and engines write them. */
class SpanReaderTest {
  /** 2026-01-31T10:00:00Z. */
  private static final long START = 1_769_853_600_000L;

  @Test
  void aBatchOfOtlpHoldsSpansOfAllKinds() {
    Trace trace =
        TraceText.read(
            batch(
                span(
                    "chat m",
                    0,
                    900,
                    text("gen_ai.operation.name", "chat"),
                    text("gen_ai.request.model", "m"),
                    whole("gen_ai.usage.input_tokens", 120),
                    whole("gen_ai.usage.output_tokens", 20),
                    whole("gen_ai.usage.cache_read.input_tokens", 64),
                    "{\"key\":\"gen_ai.response.finish_reasons\",\"value\":{\"arrayValue\":{\"values\":[{\"stringValue\":\"tool_calls\"}]}}}"),
                span("embeddings e", 10, 20, text("gen_ai.operation.name", "embeddings")),
                span(
                    "invoke_agent a",
                    0,
                    2000,
                    text("gen_ai.operation.name", "invoke_agent"),
                    whole("gen_ai.usage.input_tokens", 120))));

    assertThat(trace.requestCount()).isEqualTo(1);
    assertThat(trace.inputTokens(0)).isEqualTo(120);
    assertThat(trace.recordedCachedTokens(0)).isEqualTo(64);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(900_000_000);
    assertThat(trace.recordedFinishReason(0)).isEqualTo("tool_calls");
    assertThat(trace.provenance().counters())
        .containsEntry("spans that are no LLM calls, left out", 2L);
  }

  /** Spans of tools have no conversation id; those of calls do. */
  @Test
  void aToolBelongsToTheConversationOfItsTrace() {
    Trace trace =
        TraceText.read(
            batch(
                call("t", "c1", 0, 900),
                call("t", "c2", 100, 950),
                tool("t", "search", 960),
                call("t", "c1", 2000, 2500),
                tool("t", "shell", 2600),
                tool("t", "early", 50),
                tool("u", "lost", 3000)));

    // the search came after c2 had ended, 10 ms before it; c1 had ended earlier
    assertThat(tools(trace, "c2-100")).isEqualTo("search");
    assertThat(tools(trace, "c1-2000")).isEqualTo("shell");
    // nothing had ended: the last that had started
    assertThat(tools(trace, "c1-0")).isEqualTo("early");
    assertThat(trace.provenance().counters())
        .containsEntry("tools that no request of the trace called", 1L);
  }

  /** vLLM's spans: lengths by their older names, times of the engine itself. */
  @Test
  void engineSpansBringTheirOwnTimes() {
    Trace trace =
        TraceText.read(
            batch(
                span(
                    "llm_request",
                    0,
                    2200,
                    text("gen_ai.response.model", "m"),
                    text("gen_ai.request.id", "cmpl-1"),
                    whole("gen_ai.usage.prompt_tokens", 128),
                    whole("gen_ai.usage.completion_tokens", 512),
                    whole("gen_ai.usage.cached_tokens", 112),
                    number("gen_ai.latency.time_in_queue", "0.5"),
                    number("gen_ai.latency.time_to_first_token", "0.045"),
                    number("gen_ai.latency.e2e", "2.1"))));

    assertThat(trace.inputTokens(0)).isEqualTo(128);
    assertThat(trace.outputTokens(0)).isEqualTo(512);
    assertThat(trace.model(0)).isEqualTo("m");
    assertThat(trace.recordedTtftNanos(0)).isEqualTo(45_000_000);
    assertThat(trace.recordedTotalNanos(0)).isEqualTo(2_100_000_000);
    assertThat(trace.recordedCachedTokens(0)).isEqualTo(112);
  }

  @Test
  void aCallWithoutTokenCountsIsAnErrorUnlessItFailed() {
    String call = span("chat m", 0, 900, text("gen_ai.operation.name", "chat"));
    String failed = call.replace("\"status\":{}", "\"status\":{\"code\":2}");

    assertThatThrownBy(() -> TraceText.read(batch(call)))
        .hasMessage(
            "trace.jsonl:1: gen_ai.usage.input_tokens: found nothing, expected token counts in every"
                + " LLM call");
    assertThat(TraceText.read(batch(failed, call("t", "c", 5, 9))).provenance().counters())
        .containsEntry("failed calls without token counts, left out", 1L);
  }

  private static @Nullable String tools(Trace trace, String id) {
    for (int r = 0; r < trace.requestCount(); r++) {
      if (trace.requestId(r).equals(id)) {
        return trace.recordedTools(r);
      }
    }
    throw new AssertionError("no request " + id);
  }

  private static String call(String trace, String conversation, long start, long end) {
    return span(
            "chat m",
            start,
            end,
            text("gen_ai.operation.name", "chat"),
            text("gen_ai.conversation.id", conversation),
            whole("gen_ai.usage.input_tokens", 9),
            whole("gen_ai.usage.output_tokens", 1))
        .replace("\"spanId\":\"s\"", "\"spanId\":\"" + conversation + "-" + start + "\"")
        .replace("\"traceId\":\"t\"", "\"traceId\":\"" + trace + "\"");
  }

  private static String tool(String trace, String name, long start) {
    return span(
            "execute_tool " + name,
            start,
            start + 5,
            text("gen_ai.operation.name", "execute_tool"),
            text("gen_ai.tool.name", name))
        .replace("\"traceId\":\"t\"", "\"traceId\":\"" + trace + "\"");
  }

  private static String batch(String... spans) {
    return "{\"resourceSpans\":[{\"resource\":{\"attributes\":["
        + text("service.name", "x")
        + "]},\"scopeSpans\":[{\"scope\":{\"name\":\"n\"},\"spans\":["
        + String.join(",", spans)
        + "]}]}]}";
  }

  private static String span(String name, long start, long end, String... attributes) {
    return "{\"traceId\":\"t\",\"spanId\":\"s\",\"name\":\""
        + name
        + "\",\"kind\":3,\"startTimeUnixNano\":\""
        + (START + start) * 1_000_000
        + "\",\"endTimeUnixNano\":\""
        + (START + end) * 1_000_000
        + "\",\"attributes\":["
        + String.join(",", attributes)
        + "],\"status\":{}}";
  }

  private static String text(String key, String value) {
    return "{\"key\":\"" + key + "\",\"value\":{\"stringValue\":\"" + value + "\"}}";
  }

  private static String whole(String key, int value) {
    return "{\"key\":\"" + key + "\",\"value\":{\"intValue\":\"" + value + "\"}}";
  }

  private static String number(String key, String value) {
    return "{\"key\":\"" + key + "\",\"value\":{\"doubleValue\":" + value + "}}";
  }
}
