package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.traces.TraceException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * OpenCode: a file per session ({@code session/PROJECT/SESSION.json}), message ({@code
 * message/SESSION/MESSAGE.json}) and part of a message ({@code part/MESSAGE/PART.json}), ids rising
 * with time; or one file of {@code opencode export} per session with all of it. A message is as
 * many calls as it has {@code step-finish} parts; its tools run before it is complete.
 */
final class OpenCodeLog implements LogReader {
  private static final String DATABASE = "opencode.db";

  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();
  private final Map<String, List<JsonNode>> messages = new TreeMap<>();
  private final Map<String, List<JsonNode>> parts = new TreeMap<>();

  @Override
  public boolean isLog(Path file) {
    return file.toString().endsWith(".json") || file.endsWith(DATABASE);
  }

  @Override
  public List<LoggedSession> read(List<Path> files, LogFindings findings) {
    Path database = null;
    for (Path file : files) {
      if (file.endsWith(DATABASE)) {
        database = file;
      } else {
        file(file, findings);
      }
    }
    if (messages.isEmpty() && database != null) {
      throw new TraceException(
          database.toString(),
          0,
          null,
          "a database",
          "the files of `opencode export SESSION`, or a storage folder of JSON files");
    }
    messages.forEach(
        (id, list) -> {
          list.sort(Comparator.comparing(message -> message.path("id").asText()));
          list.forEach(message -> message(session(id), message, findings));
        });
    return new ArrayList<>(sessions.values());
  }

  private LoggedSession session(String id) {
    return sessions.computeIfAbsent(id, LoggedSession::new);
  }

  private void file(Path file, LogFindings findings) {
    JsonNode object = JsonLog.object(file, findings);
    if (object.path("messages").isArray()) {
      describe(object.path("info"));
      for (JsonNode message : object.path("messages")) {
        take(message.path("info"), file, findings);
        message.path("parts").forEach(part -> take(part, file, findings));
      }
    } else {
      take(object, file, findings);
    }
  }

  private void describe(JsonNode info) {
    String parent = info.path("parentID").asText("");
    LoggedSession session = session(info.path("id").asText());
    session.parent = parent.isEmpty() ? null : parent;
  }

  private void take(JsonNode object, Path file, LogFindings findings) {
    if (object.has("messageID")) {
      parts.computeIfAbsent(object.path("messageID").asText(), id -> new ArrayList<>()).add(object);
    } else if (object.has("role") && object.has("sessionID")) {
      if (object.path("role").asText().equals("assistant")) {
        messages
            .computeIfAbsent(object.path("sessionID").asText(), id -> new ArrayList<>())
            .add(object);
      }
    } else if (object.has("id") && object.has("time")) {
      describe(object);
    } else if (!object.isEmpty()) {
      findings.count("files of another kind, left out", file.toString(), 0);
    }
  }

  private void message(LoggedSession session, JsonNode message, LogFindings findings) {
    String id = message.path("id").asText();
    List<JsonNode> own = new ArrayList<>(parts.getOrDefault(id, List.of()));
    own.sort(Comparator.comparing(part -> part.path("id").asText()));
    long created = JsonLog.millis(message.path("time").path("created"));
    long completed = JsonLog.millis(message.path("time").path("completed"));
    if (created == JsonLog.NO_TIME) {
      findings.count("messages without a time, left out", id, 0);
      return;
    }
    if (completed == JsonLog.NO_TIME) {
      findings.count("messages that were never completed", id, 0);
    }
    if (message.path("summary").asBoolean()) {
      findings.count("compactions", id, 0);
    }
    Steps steps = new Steps(session, message, created, completed, findings);
    own.forEach(steps::part);
    steps.finish();
  }

  /** The calls of one message. */
  private static final class Steps {
    private final LoggedSession session;
    private final JsonNode message;
    private final long completed;
    private final LogFindings findings;
    private final List<String> tools = new ArrayList<>();
    private long start;
    private long firstTool = JsonLog.NO_TIME;
    private long lastTool = JsonLog.NO_TIME;
    private int steps;

    Steps(
        LoggedSession session,
        JsonNode message,
        long created,
        long completed,
        LogFindings findings) {
      this.session = session;
      this.message = message;
      this.completed = completed == JsonLog.NO_TIME ? created : completed;
      this.findings = findings;
      start = created;
    }

    void part(JsonNode part) {
      switch (part.path("type").asText()) {
        case "tool" -> {
          tools.add(ToolClass.of(part.path("tool").asText()));
          JsonNode time = part.path("state").path("time");
          long began = JsonLog.millis(time.path("start"));
          long ended = JsonLog.millis(time.path("end"));
          if (began != JsonLog.NO_TIME && (firstTool == JsonLog.NO_TIME || began < firstTool)) {
            firstTool = began;
          }
          lastTool = Math.max(lastTool, ended);
        }
        case "step-finish" -> {
          call(part.path("tokens"));
          steps++;
        }
        default -> {
          // Text, reasoning, files: of no concern.
        }
      }
    }

    /** A message whose parts say nothing of steps is one call. */
    void finish() {
      if (steps == 0) {
        call(message.path("tokens"));
      }
    }

    private void call(JsonNode tokens) {
      long cached = JsonLog.tokens(tokens.path("cache").path("read"));
      long input =
          JsonLog.tokens(tokens.path("input"))
              + JsonLog.tokens(tokens.path("cache").path("write"))
              + cached;
      String id = message.path("id").asText();
      if (input == 0) {
        findings.count("messages that were aborted before any usage", id, 0);
        return;
      }
      LoggedCall call = new LoggedCall(id + "#" + steps);
      call.input = input;
      call.cached = cached;
      call.output =
          JsonLog.tokens(tokens.path("output")) + JsonLog.tokens(tokens.path("reasoning"));
      call.model = model();
      call.basis = session.lastCall();
      long end = firstTool == JsonLog.NO_TIME ? completed : firstTool;
      call.times(start, Math.max(start, end));
      call.tools.addAll(tools);
      session.calls.add(call);
      start = Math.max(call.endMillis, lastTool);
      firstTool = JsonLog.NO_TIME;
      tools.clear();
    }

    private @Nullable String model() {
      return message.path("modelID").asText(null);
    }
  }
}
