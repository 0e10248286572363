package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.traces.TraceException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * OpenCode: a file per session ({@code session/PROJECT/SESSION.json}), message ({@code
 * message/SESSION/MESSAGE.json}) and part of a message ({@code part/MESSAGE/PART.json}), ids rising
 * with time; or one file of {@code opencode export} per session with all of it; or these objects as
 * lines, out of the database of later versions. A message is as many calls as it has {@code
 * step-finish} parts; its tools run before it is complete. A fork repeats the messages before it
 * under new ids.
 */
final class OpenCodeLog implements LogReader {
  private static final Pattern DATABASE = Pattern.compile("opencode(-.*)?\\.db");
  private static final String OF_ANOTHER_KIND = "files of another kind, left out";

  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();

  /** Messages of the model by their ids, which rise with time over all sessions. */
  private final Map<String, JsonNode> messages = new TreeMap<>();

  /** Files, and lines, of messages by their ids. */
  private final Map<String, String> places = new HashMap<>();

  /** Parts of each message by their ids. */
  private final Map<String, Map<String, JsonNode>> parts = new HashMap<>();

  /** Calls by when they were sent and what they used, to know a fork's by. */
  private final Map<String, LoggedCall> calls = new HashMap<>();

  /** The call that each session's next one continues. */
  private final Map<LoggedSession, LoggedCall> latest = new HashMap<>();

  @Override
  public boolean isLog(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".json") || name.endsWith(".jsonl") || isDatabase(file);
  }

  private static boolean isDatabase(Path file) {
    return DATABASE.matcher(file.getFileName().toString()).matches();
  }

  @Override
  public List<LoggedSession> read(List<Path> files, LogFindings findings) {
    List<Path> databases = files.stream().filter(OpenCodeLog::isDatabase).toList();
    for (Path file : files) {
      if (file.toString().endsWith(".jsonl")) {
        JsonLog.lines(file, findings, (object, line) -> take(object, file, line, findings));
      } else if (!databases.contains(file)) {
        file(file, findings);
      }
    }
    if (messages.isEmpty() && !databases.isEmpty()) {
      throw new TraceException(
          databases.get(0).toString(),
          0,
          null,
          "a database",
          "files of `opencode export SESSION`, JSON lines out of the database (the manual has the"
              + " query), or a storage folder of JSON files");
    }
    databases.forEach(file -> findings.count("databases, left out", file.toString(), 0));
    messages
        .values()
        .forEach(
            message -> message(session(message.path("sessionID").asText()), message, findings));
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
        take(message.path("info"), file, 0, findings);
        message.path("parts").forEach(part -> take(part, file, 0, findings));
      }
    } else {
      take(object, file, 0, findings);
    }
  }

  private void describe(JsonNode info) {
    String parent = info.path("parentID").asText("");
    LoggedSession session = session(info.path("id").asText());
    session.parent = parent.isEmpty() ? null : parent;
  }

  private void take(JsonNode object, Path file, long line, LogFindings findings) {
    String id = object.path("id").asText();
    if (object.has("messageID")) {
      parts
          .computeIfAbsent(object.path("messageID").asText(), key -> new TreeMap<>())
          .put(id, object);
    } else if (object.has("role") && object.has("sessionID")) {
      if (object.path("role").asText().equals("assistant")) {
        JsonNode before = messages.get(id);
        if (before != null) {
          findings.count("messages that came again", file.toString(), line);
        }
        if (before == null || !before.path("time").has("completed")) {
          messages.put(id, object);
          places.put(id, LogFindings.placeOf(file.toString(), line));
        }
      }
    } else if (object.has("id") && object.has("time")) {
      describe(object);
    } else if (!object.isEmpty()) {
      findings.count(OF_ANOTHER_KIND, file.toString(), line);
    }
  }

  private void message(LoggedSession session, JsonNode message, LogFindings findings) {
    String id = message.path("id").asText();
    String place = places.getOrDefault(id, "");
    long created = JsonLog.millis(message.path("time").path("created"));
    long completed = JsonLog.millis(message.path("time").path("completed"));
    if (created == JsonLog.NO_TIME) {
      findings.count("messages without a time, left out", place);
      return;
    }
    if (completed == JsonLog.NO_TIME) {
      findings.count("messages that were never completed", place);
    }
    if (message.path("summary").asBoolean()) {
      findings.count("compactions", place);
    }
    Steps steps = new Steps(session, message, created, completed, findings);
    parts.getOrDefault(id, Map.of()).values().forEach(steps::part);
    steps.finish();
  }

  /** The calls of one message. */
  private final class Steps {
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
      String place = places.getOrDefault(message.path("id").asText(), "");
      boolean bad =
          JsonLog.holdsBadCount(tokens, "input", "output", "reasoning")
              || JsonLog.holdsBadCount(tokens.path("cache"), "read", "write");
      if (bad) {
        findings.count(JsonLog.BAD_COUNT, place);
        return;
      }
      long cached = JsonLog.tokens(tokens.path("cache").path("read"));
      long input =
          JsonLog.tokens(tokens.path("input"))
              + JsonLog.tokens(tokens.path("cache").path("write"))
              + cached;
      if (input == 0) {
        findings.count("messages that were aborted before any usage", place);
        return;
      }
      long output = output(tokens, input);
      // Ids are new in a fork, times are not.
      String key = message.path("time") + " " + steps + " " + input + " " + output;
      LoggedCall known = calls.get(key);
      if (known != null) {
        findings.count("calls copied from another session", place);
        next(known);
        return;
      }
      LoggedCall call = new LoggedCall(key, place);
      call.input = input;
      call.cached = cached;
      call.output = output;
      call.model = model();
      call.basis = latest.get(session);
      long end = firstTool == JsonLog.NO_TIME ? completed : firstTool;
      call.times(start, Math.max(start, end));
      call.tools.addAll(tools);
      session.calls.add(call);
      calls.put(key, call);
      next(call);
    }

    private void next(LoggedCall call) {
      latest.put(session, call);
      start = Math.max(call.endMillis, lastTool);
      firstTool = JsonLog.NO_TIME;
      tools.clear();
    }

    /**
     * Reasoning is part of the output in earlier versions, and apart in later ones, with a total.
     */
    private static long output(JsonNode tokens, long input) {
      long output = JsonLog.tokens(tokens.path("output"));
      long reasoning = JsonLog.tokens(tokens.path("reasoning"));
      boolean apart =
          JsonLog.tokens(tokens.path("total")) == input + output + reasoning || reasoning > output;
      return apart ? output + reasoning : output;
    }

    private @Nullable String model() {
      return message.path("modelID").asText(null);
    }
  }
}
