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
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Codex: a rollout file per thread. A call shows as a {@code token_count} event with the thread's
 * cumulative usage and mostly that of the last call; events come again with unchanged totals, or
 * without any. A fork's or sub-agent's file may begin with its parent's history, with new times but
 * the parent's totals. Only the first {@code session_meta} is the file's own.
 */
final class CodexLog implements LogReader {
  private static final Set<String> INPUTS =
      Set.of("function_call_output", "custom_tool_call_output", "local_shell_call_output");
  private static final Set<String> CALLS =
      Set.of("function_call", "custom_tool_call", "local_shell_call", "web_search_call");

  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();

  /** Usage vectors of each thread, to know a copy of its history by. */
  private final Map<String, Set<String>> usageOf = new HashMap<>();

  private final Map<String, Map<String, LoggedCall>> callOf = new HashMap<>();

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
    private @Nullable LoggedSession session;
    private @Nullable String forkedFrom;
    private @Nullable String model;
    private @Nullable LoggedCall before;
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
      switch (line.path("type").asText()) {
        case "session_meta" -> meta(payload);
        case "turn_context" -> model = payload.path("model").asText(model);
        case "response_item" -> item(payload, time);
        case "compacted" -> findings.count("compactions", file.toString(), number);
        case "event_msg" -> event(payload, time, number);
        default -> other(line, number);
      }
    }

    private void meta(JsonNode payload) {
      if (session != null) {
        return;
      }
      LoggedSession own = own(payload.path("id").asText(file.toString()));
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

    private void usage(JsonNode info, long time, long number) {
      JsonNode total = info.path("total_token_usage");
      JsonNode last = info.path("last_token_usage");
      if (!total.isObject() && !last.isObject()) {
        findings.count("usage events without usage", file.toString(), number);
        return;
      }
      long[] now = total.isObject() ? vector(total) : sum(totals, vector(last));
      if (Arrays.equals(now, totals)) {
        findings.count("usage events that came again", file.toString(), number);
        return;
      }
      long[] used = last.isObject() ? vector(last) : difference(now, totals);
      totals = now;
      call(info, now, used, time, number);
    }

    private void call(JsonNode info, long[] now, long[] used, long time, long number) {
      LoggedSession own = session == null ? own(file.toString()) : session;
      String vector = Arrays.toString(now) + Arrays.toString(used);
      String other = forkedFrom == null ? "" : forkedFrom;
      Set<String> known = usageOf.getOrDefault(other, Set.of());
      boolean copy =
          known.contains(vector) || usageOf.getOrDefault(own.id, Set.of()).contains(vector);
      if (copy || time == JsonLog.NO_TIME || used[0] == 0) {
        findings.count(
            copy
                ? "calls copied from another session's file"
                : used[0] == 0 ? "calls without usage" : "calls without a time, left out",
            file.toString(),
            number);
        if (copy) {
          String source = known.contains(vector) ? other : own.id;
          before = callOf.getOrDefault(source, Map.of()).get(vector);
        }
        next();
        return;
      }
      LoggedCall call = new LoggedCall(own.id + "#" + own.calls.size());
      call.input = used[0];
      call.cached = Math.min(used[1], used[0]);
      call.output = used[2];
      call.model = info.path("model").asText(model);
      call.basis = before;
      long end = lastItem == JsonLog.NO_TIME ? time : Math.min(time, lastItem);
      long start = sent == JsonLog.NO_TIME ? end : sent;
      call.times(start, Math.max(start, end));
      call.tools.addAll(tools);
      own.calls.add(call);
      usageOf.computeIfAbsent(own.id, key -> new TreeSet<>()).add(vector);
      callOf.computeIfAbsent(own.id, key -> new HashMap<>()).put(vector, call);
      before = call;
      next();
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
