package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry spans with GenAI attributes: one span a line, or OTLP's {@code resourceSpans}.
 * Spans of LLM calls are requests, spans of tools name the tools of the request before them, other
 * spans are counted. Sessions are {@code gen_ai.conversation.id}, else the trace id. Spans of tools
 * have no conversation, by the conventions: theirs is one of their trace's. vLLM and SGLang write
 * times of their own ({@code gen_ai.latency}).
 *
 * @see <a href="https://opentelemetry.io/docs/specs/semconv/gen-ai/">GenAI semantic conventions</a>
 */
final class SpanReader implements TraceReader {
  static final Description DESCRIPTION =
      Description.withoutBlocks(
          "dates, or ns since 1970",
          "the earliest start is 0",
          "LLM calls with one conversation (else trace) id by start, each after the completion of the"
              + " one before it plus the recorded gap");

  private static final long NANOS_PER_S = 1_000_000_000;

  private final TraceAssembler assembler;
  private final DraftedRequests requests;
  private final Span span = new Span();

  private final LongColumn ends = new LongColumn();
  private final ToolJoin tools;

  /** The conversations of the calls of a trace, by its id. */
  private final Map<String, Set<String>> conversations = new HashMap<>();

  /** Tools that name no conversation, until all calls are known. */
  private final List<LooseTool> looseTools = new ArrayList<>();

  private record LooseTool(String trace, long start, String name) {}

  /** The span being read. */
  private static final class Span {
    final RequestDraft draft = new RequestDraft();
    @Nullable String trace;
    @Nullable String name;
    @Nullable String operation;
    @Nullable String conversation;
    @Nullable String tool;

    /** The model that answered. */
    @Nullable String answered;

    boolean error;
    boolean messages;

    void clear() {
      draft.clear();
      trace = null;
      name = null;
      operation = null;
      conversation = null;
      tool = null;
      answered = null;
      error = false;
      messages = false;
    }

    boolean isCall() {
      String kind = operation;
      String title = name;
      if (kind != null) {
        return kind.equals("chat")
            || kind.equals("text_completion")
            || kind.equals("generate_content");
      }
      return messages
          || draft.input != RequestDraft.NONE
          || (title != null && title.startsWith("chat "));
    }
  }

  SpanReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    requests = DraftedRequests.withoutBlocks(assembler, options);
    tools = new ToolJoin(assembler, ends);
  }

  static boolean recognises(FirstObject object) {
    return object.holdsArray("resourceSpans")
        || object.hasAll("name", "start_time", "attributes")
        || object.hasAll("name", "startTimeUnixNano", "attributes");
  }

  @Override
  public void read(JsonRows rows) {
    rows.acceptTextNumbers();
    while (rows.nextRow()) {
      span.clear();
      boolean nested = readSpan(rows);
      if (!nested) {
        add(rows);
      }
    }
  }

  /** Reads a span's members, or those of OTLP's containers; true for a container. */
  private boolean readSpan(JsonRows rows) {
    boolean container = false;
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "resourceSpans", "scopeSpans", "spans", "instrumentationLibrarySpans" -> {
          container = true;
          readContainer(rows, field);
        }
        case "traceId", "trace_id" -> span.trace = rows.idOrNull(field);
        case "spanId", "span_id" -> span.draft.request = rows.idOrNull(field);
        case "name" -> span.name = rows.textOrNull(field);
        case "context" -> {
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readContext(rows);
          }
        }
        case "start_time", "startTimeUnixNano" -> span.draft.arrival = time(rows, field);
        case "end_time", "endTimeUnixNano" -> span.draft.end = time(rows, field);
        case "status" -> readStatus(rows);
        case "attributes" -> SpanAttributes.read(rows, field, this::attribute);
        default -> rows.skip();
      }
    }
    return container;
  }

  private void readContainer(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return;
    }
    while (rows.nextObject(field)) {
      span.clear();
      if (!readSpan(rows) && field.equals("spans")) {
        add(rows);
      }
    }
  }

  private void readContext(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "trace_id", "traceId" -> span.trace = rows.idOrNull(field);
        case "span_id", "spanId" -> span.draft.request = rows.idOrNull(field);
        default -> rows.skip();
      }
    }
  }

  private void readStatus(JsonRows rows) {
    if (rows.beginValue() != JsonToken.START_OBJECT) {
      rows.skipElement();
      return;
    }
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("code") || field.equals("status_code")) {
        String code = rows.scalarOrNull(field);
        span.error =
            code != null && (code.equals("2") || code.toUpperCase(Locale.ROOT).contains("ERROR"));
      } else {
        rows.skip();
      }
    }
  }

  private static long time(JsonRows rows, String field) {
    return field.endsWith("Nano")
        ? rows.nanosOrNone(field, 1, "ns")
        : rows.instantOrNone(field, NANOS_PER_S, "s");
  }

  private void attribute(JsonRows rows, String key) {
    RequestDraft draft = span.draft;
    switch (key) {
      case "gen_ai.operation.name" -> span.operation = rows.scalarOrNull(key);
      case "gen_ai.conversation.id" -> span.conversation = rows.scalarOrNull(key);
      case "gen_ai.tool.name" -> span.tool = rows.scalarOrNull(key);
      case "gen_ai.request.model" -> draft.model = rows.scalarOrNull(key);
      case "gen_ai.response.model" -> span.answered = rows.scalarOrNull(key);
      case "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens" ->
          draft.input = (int) rows.wholeOr(key, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
      case "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens" ->
          draft.output = DraftedRequests.output(rows, key);
      case "gen_ai.usage.cache_read_input_tokens",
          "gen_ai.usage.cache_read.input_tokens",
          "gen_ai.usage.cached_tokens" ->
          draft.cached = (int) rows.wholeOr(key, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
      case "gen_ai.server.time_to_first_token",
          "gen_ai.response.time_to_first_chunk",
          "gen_ai.latency.time_to_first_token" ->
          draft.ttft = rows.nanosOrNone(key, NANOS_PER_S, "s");
      case "gen_ai.latency.e2e", "gen_ai.latency.time_in_request" ->
          draft.total = rows.nanosOrNone(key, NANOS_PER_S, "s");
      case "gen_ai.input.messages" -> {
        span.messages = true;
        rows.skip();
      }
      case "gen_ai.response.finish_reasons" -> draft.finishReason = finishReason(rows, key);
      default -> rows.skip();
    }
  }

  private static @Nullable String finishReason(JsonRows rows, String key) {
    String reason = null;
    JsonToken token = rows.beginValue();
    if (token == JsonToken.START_ARRAY) {
      for (JsonToken each; (each = rows.nextElement()) != null; ) {
        reason = reason == null && each == JsonToken.VALUE_STRING ? rows.elementText(key) : reason;
        rows.skipElement();
      }
    } else if (token == JsonToken.VALUE_STRING) {
      reason = rows.elementText(key);
    } else {
      rows.skipElement();
    }
    return reason;
  }

  private void add(JsonRows rows) {
    RequestDraft draft = span.draft;
    String conversation = span.conversation;
    draft.session = conversation == null ? span.trace : conversation;
    if (!span.isCall()) {
      addOther(draft);
      return;
    }
    boolean lengths = draft.input > 0 && draft.output != RequestDraft.NONE;
    if (!lengths && span.error) {
      assembler.count("failed calls without token counts, left out");
      return;
    }
    if (!lengths) {
      throw rows.wrong(
          draft.input > 0 ? "gen_ai.usage.output_tokens" : "gen_ai.usage.input_tokens",
          draft.input == 0 ? "0" : "nothing",
          "token counts in every LLM call");
    }
    draft.totalUntilEnd();
    draft.model = draft.model == null ? span.answered : draft.model;
    if (span.error) {
      assembler.count("failed calls, replayed with the tokens they got");
    }
    requests.add(
        rows, draft, "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "start_time");
    ends.add(draft.knownEnd());
    if (span.trace != null && conversation != null) {
      conversations.computeIfAbsent(span.trace, trace -> new TreeSet<>()).add(conversation);
    }
  }

  private void addOther(RequestDraft draft) {
    String session = draft.session;
    String tool = span.tool;
    if (tool == null || session == null || draft.arrival == Trace.NO_TIME) {
      assembler.countNote("spans that are no LLM calls, left out");
      return;
    }
    assembler.countNote("spans of tools, joined to the request before them");
    if (span.conversation == null) {
      looseTools.add(new LooseTool(session, draft.arrival, tool));
    } else {
      tools.add(session, draft.arrival, tool);
    }
  }

  @Override
  public void finish() {
    for (LooseTool tool : looseTools) {
      Set<String> sessions = new TreeSet<>(conversations.getOrDefault(tool.trace(), Set.of()));
      sessions.add(tool.trace());
      tools.add(sessions, tool.start(), tool.name());
    }
    tools.join();
    requests.finish();
  }
}
