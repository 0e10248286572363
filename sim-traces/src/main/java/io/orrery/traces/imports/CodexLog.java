package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Codex: a rollout file per thread. A call shows as a {@code token_count} event with the thread's
 * cumulative usage and mostly that of the last call; events come again with unchanged totals, or
 * without any. Later versions write a {@code token_usage_record} per response, of compactions too,
 * and tell it again in the event. A fork's or sub-agent's file may begin with its parent's history,
 * with new times but the parent's totals. Only the first {@code session_meta} is the file's own.
 */
final class CodexLog implements LogReader {
  private static final Set<String> INPUTS =
      Set.of(
          "function_call_output",
          "custom_tool_call_output",
          "local_shell_call_output",
          "tool_search_output",
          "agent_message");
  private static final Set<String> CALLS =
      Set.of(
          "function_call",
          "custom_tool_call",
          "local_shell_call",
          "web_search_call",
          "tool_search_call",
          "image_generation_call");

  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();

  /** Calls of each thread by their usage, those it copied included. */
  private final Map<String, Map<String, LoggedCall>> callOf = new HashMap<>();

  private final Map<String, LoggedCall> callByResponse = new HashMap<>();

  @Override
  public boolean isLog(Path file) {
    return file.toString().endsWith(".jsonl");
  }

  @Override
  public List<LoggedSession> read(List<Path> files, LogFindings findings) {
    for (Path file : files) {
      new File(file, findings).read();
    }
    return new ArrayList<>(sessions.values());
  }

  /** One file. */
  private final class File {
    private final Path file;
    private final LogFindings findings;
    private final CodexHistory history = new CodexHistory();
    private @Nullable LoggedSession session;
    private @Nullable String forkedFrom;
    private @Nullable String model;
    private @Nullable LoggedCall before;
    private boolean copied;

    /** Whether responses have records of their own, so that events only repeat them. */
    private boolean recorded;

    private long sent = JsonLog.NO_TIME;
    private long lastItem = JsonLog.NO_TIME;
    private List<String> tools = new ArrayList<>();
    private long[] totals = new long[3];

    File(Path file, LogFindings findings) {
      this.file = file;
      this.findings = findings;
    }

    void read() {
      JsonLog.lines(file, findings, this::line);
    }

    private void line(JsonNode line, long number) {
      JsonNode payload = line.path("payload");
      long time = JsonLog.millis(line.path("timestamp"));
      boolean wasCopied = copied;
      copied = history.isCopied(line);
      if (wasCopied && !copied) {
        next();
      }
      switch (line.path("type").asText()) {
        case "session_meta" -> meta(payload, time);
        case "turn_context" -> model = payload.path("model").asText(model);
        case "response_item" -> item(payload, time);
        case "compacted" -> findings.count("compactions", file.toString(), number);
        case "event_msg" -> event(payload, time, number);
        case "token_usage_record" -> response(payload, time, number);
        default -> other(line, number);
      }
    }

    private void meta(JsonNode payload, long time) {
      if (session != null) {
        return;
      }
      String id = payload.path("id").asText(payload.path("session_id").asText(file.toString()));
      LoggedSession own = own(id);
      String parent = payload.path("parent_thread_id").asText("");
      if (parent.isEmpty()) {
        parent =
            payload
                .path("source")
                .path("subagent")
                .path("thread_spawn")
                .path("parent_thread_id")
                .asText("");
      }
      forkedFrom = payload.path("forked_from_id").asText(parent);
      own.parent = parent.isEmpty() ? null : parent;
      LoggedSession base = sessions.get(payload.path("history_base").path("thread_id").asText(""));
      if (base != null && before == null) {
        before = base.lastCallUntil(time);
      }
    }

    private LoggedSession own(String id) {
      LoggedSession own = sessions.computeIfAbsent(id, LoggedSession::new);
      session = own;
      before = own.lastCall();
      return own;
    }

    private void item(JsonNode payload, long time) {
      String type = payload.path("type").asText();
      boolean userMessage =
          type.equals("message") && !payload.path("role").asText().equals("assistant");
      if (userMessage || INPUTS.contains(type)) {
        sent = time;
        return;
      }
      lastItem = time;
      if (CALLS.contains(type)) {
        tools.add(ToolClass.of(payload.path("name").asText(type)));
      }
    }

    private void event(JsonNode payload, long time, long number) {
      switch (payload.path("type").asText()) {
        case "user_message" -> sent = time;
        case "turn_aborted" -> findings.count("turns that were aborted", file.toString(), number);
        case "token_count" -> usage(payload.path("info"), time, number);
        default -> other(payload, number);
      }
    }

    /** Of no concern to tokens and times, unless a later version counts them in another way. */
    private void other(JsonNode object, long number) {
      if (JsonLog.holdsTokenCounts(object)) {
        findings.count(JsonLog.OTHER_TOKENS, file.toString(), number);
      }
    }

    private void response(JsonNode payload, long time, long number) {
      recorded = true;
      if (isBad(payload.path("usage"), number)) {
        return;
      }
      LoggedSession own = thread();
      String id = payload.path("response_id").asText("");
      LoggedCall known = id.isEmpty() ? null : callByResponse.get(id);
      LoggedCall call =
          known != null || copied
              ? copy(known, number)
              : call(own, vector(payload.path("usage")), payload, time, number);
      if (!id.isEmpty() && call != null) {
        callByResponse.put(id, call);
      }
    }

    private void usage(JsonNode info, long time, long number) {
      JsonNode total = info.path("total_token_usage");
      JsonNode last = info.path("last_token_usage");
      if (!total.isObject() && !last.isObject()) {
        findings.count("usage events without usage", file.toString(), number);
        return;
      }
      if (isBad(total, number) || isBad(last, number)) {
        return;
      }
      long[] now = total.isObject() ? vector(total) : sum(totals, vector(last));
      boolean again = recorded || Arrays.equals(now, totals);
      long[] used = last.isObject() ? vector(last) : difference(now, totals);
      totals = now;
      LoggedSession own = thread();
      String vector = Arrays.toString(now) + Arrays.toString(used);
      LoggedCall latest = before;
      if (again) {
        if (recorded && latest != null) {
          calls(own.id).putIfAbsent(vector, latest);
        }
        findings.count("usage events that came again", file.toString(), number);
        return;
      }
      LoggedCall known = calls(forkedFrom == null ? own.id : forkedFrom).get(vector);
      known = known == null ? calls(own.id).get(vector) : known;
      LoggedCall call =
          known != null || copied ? copy(known, number) : call(own, used, info, time, number);
      if (call != null) {
        calls(own.id).put(vector, call);
      }
    }

    private boolean isBad(JsonNode usage, long number) {
      boolean bad =
          JsonLog.holdsBadCount(usage, "input_tokens", "cached_input_tokens", "output_tokens");
      if (bad) {
        findings.count(JsonLog.BAD_COUNT, file.toString(), number);
        next();
      }
      return bad;
    }

    private Map<String, LoggedCall> calls(String thread) {
      return callOf.computeIfAbsent(thread, key -> new HashMap<>());
    }

    private LoggedSession thread() {
      return session == null ? own(file.toString()) : session;
    }

    /** A call of another file; nothing is known of it where that was not read. */
    private @Nullable LoggedCall copy(@Nullable LoggedCall known, long number) {
      findings.count("calls copied from another session's file", file.toString(), number);
      before = known;
      next();
      return known;
    }

    private @Nullable LoggedCall call(
        LoggedSession own, long[] used, JsonNode told, long time, long number) {
      if (time == JsonLog.NO_TIME || used[0] == 0) {
        findings.count(
            used[0] == 0 ? "calls without usage" : "calls without a time, left out",
            file.toString(),
            number);
        next();
        return null;
      }
      String key = own.id + "#" + own.calls.size();
      LoggedCall call = new LoggedCall(key, LogFindings.placeOf(file.toString(), number));
      call.input = used[0];
      call.cached = Math.min(used[1], used[0]);
      call.output = used[2];
      call.model = told.path("model").asText(model);
      call.basis = before;
      long end = lastItem == JsonLog.NO_TIME ? time : Math.min(time, lastItem);
      long start = sent == JsonLog.NO_TIME ? end : sent;
      call.times(start, Math.max(start, end));
      call.tools.addAll(tools);
      own.calls.add(call);
      before = call;
      next();
      return call;
    }

    private void next() {
      sent = JsonLog.NO_TIME;
      lastItem = JsonLog.NO_TIME;
      tools = new ArrayList<>();
    }

    /** Input, cached input, output; reasoning is part of the output. */
    private static long[] vector(JsonNode usage) {
      return new long[] {
        JsonLog.tokens(usage.path("input_tokens")),
        JsonLog.tokens(usage.path("cached_input_tokens")),
        JsonLog.tokens(usage.path("output_tokens"))
      };
    }

    private static long[] sum(long[] a, long[] b) {
      return new long[] {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    }

    private static long[] difference(long[] a, long[] b) {
      return new long[] {
        Math.max(0, a[0] - b[0]), Math.max(0, a[1] - b[1]), Math.max(0, a[2] - b[2])
      };
    }
  }
}
