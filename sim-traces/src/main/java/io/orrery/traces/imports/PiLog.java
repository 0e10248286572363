package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * pi: a file per session, its header first (it may be stamped later than what it heads, in a copy).
 * Entries are a tree; a message is stamped when it was sent, its line when it had been answered.
 * Aborted turns have no usage. Summaries (compactions, branches that are left) are prompts of their
 * own, with a usage in later versions.
 */
final class PiLog implements LogReader {
  private static final Set<String> SUMMARIES = Set.of("compaction", "branch_summary");

  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();

  /** Calls of all files, by entry and time. */
  private final Map<String, LoggedCall> calls = new HashMap<>();

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
    private final Map<String, LoggedCall> callAt = new HashMap<>();
    private @Nullable LoggedSession session;
    private @Nullable LoggedCall last;

    File(Path file, LogFindings findings) {
      this.file = file;
      this.findings = findings;
    }

    void read() {
      JsonLog.lines(file, findings, this::line);
    }

    private void line(JsonNode line, long number) {
      String type = line.path("type").asText();
      if (type.equals("session") && session == null) {
        own(line.path("id").asText(file.toString()));
        return;
      }
      String id = line.path("id").asText("");
      LoggedCall above = id.isEmpty() ? last : callAt.get(line.path("parentId").asText(""));
      if (above != null && !id.isEmpty()) {
        callAt.put(id, above);
      }
      if (type.equals("compaction")) {
        findings.count("compactions", file.toString(), number);
      }
      JsonNode message = line.path("message");
      if (type.equals("message")) {
        message(line, message, id, above, number);
      } else if (SUMMARIES.contains(type)) {
        if (line.path("usage").isObject()) {
          summary(line, id, above, number);
        }
      } else if (JsonLog.holdsTokenCounts(line)) {
        findings.count(JsonLog.OTHER_TOKENS, file.toString(), number);
      }
    }

    private void message(
        JsonNode line, JsonNode message, String id, @Nullable LoggedCall above, long number) {
      if (message.path("role").asText().equals("assistant")) {
        LoggedCall call = call(line, message.path("usage"), id, number);
        if (call != null) {
          answer(call, message, id, above);
        }
      } else if (message.path("usage").isObject()) {
        // How many calls a tool's usage sums up is not told.
        findings.count("calls that tools made, told as a sum, left out", file.toString(), number);
      }
    }

    private LoggedSession own(String id) {
      LoggedSession own = sessions.computeIfAbsent(id, LoggedSession::new);
      session = own;
      return own;
    }

    /** Null for one without usage or time, and for one that is known, which then goes on here. */
    private @Nullable LoggedCall call(JsonNode line, JsonNode usage, String id, long number) {
      if (JsonLog.holdsBadCount(usage, "input", "cacheRead", "cacheWrite", "output")) {
        findings.count(JsonLog.BAD_COUNT, file.toString(), number);
        return null;
      }
      long cached = JsonLog.tokens(usage.path("cacheRead"));
      long input =
          JsonLog.tokens(usage.path("input")) + JsonLog.tokens(usage.path("cacheWrite")) + cached;
      long end = JsonLog.millis(line.path("timestamp"));
      if (input == 0 || end == JsonLog.NO_TIME) {
        findings.count(
            input == 0
                ? "answers that were aborted before any usage"
                : "answers without a time, left out",
            file.toString(),
            number);
        return null;
      }
      String key = id + " " + line.path("timestamp").asText() + " " + input;
      LoggedCall copy = calls.get(key);
      if (copy != null) {
        findings.count("answers copied from another session's file", file.toString(), number);
        if (!copy.apart) {
          goOn(id, copy);
        }
        return null;
      }
      LoggedCall call = new LoggedCall(key, LogFindings.placeOf(file.toString(), number));
      call.input = input;
      call.cached = cached;
      call.output = JsonLog.tokens(usage.path("output"));
      call.times(end, end);
      calls.put(key, call);
      (session == null ? own(file.toString()) : session).calls.add(call);
      return call;
    }

    private void goOn(String id, LoggedCall call) {
      callAt.put(id, call);
      last = call;
    }

    private void answer(LoggedCall call, JsonNode message, String id, @Nullable LoggedCall above) {
      long start = JsonLog.millis(message.path("timestamp"));
      call.model = message.path("model").asText(null);
      call.basis = above;
      if (start != JsonLog.NO_TIME) {
        call.times(start, call.endMillis);
      }
      for (JsonNode block : message.path("content")) {
        if (block.path("type").asText().equals("toolCall")) {
          call.tools.add(ToolClass.of(block.path("name").asText()));
        }
      }
      goOn(id, call);
    }

    /** What it sums up goes on without it; its prompt is that conversation as one text. */
    private void summary(JsonNode line, String id, @Nullable LoggedCall above, long number) {
      LoggedCall call = call(line, line.path("usage"), id, number);
      if (call != null) {
        call.model = above == null ? null : above.model;
        call.apart = true;
      }
    }
  }
}
