package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * OpenCode: a file per session ({@code session/PROJECT/SESSION.json}), message ({@code
 * message/SESSION/MESSAGE.json}) and part of a message ({@code part/MESSAGE/PART.json}), ids rising
 * with time; or one file of {@code opencode export} per session with all of it; or a {@link
 * OpenCodeDatabase}; or its rows as lines. A message is as many calls as it has {@code step-finish}
 * parts; its tools run before it is complete. A fork repeats the messages before it under new ids,
 * and so does a later version what an earlier one has kept.
 */
final class OpenCodeLog implements LogReader {
  private static final Pattern DATABASE = Pattern.compile("opencode(-.*)?\\.db");
  private static final String OF_ANOTHER_KIND = "files of another kind, left out";
  private static final String REPEATED = "messages that came again";

  /** Those of which something is said here: others hold texts. */
  private static final Set<String> PARTS = Set.of("step-finish", "tool");

  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();

  /** Messages of the model by their ids. */
  private final Map<String, JsonNode> messages = new TreeMap<>();

  /** Sessions and times of messages with parts, to know by which of those below repeat one. */
  private final Set<String> sentInParts = new HashSet<>();

  /** Sessions and times of messages that have their content in them. */
  private final Set<String> sentWhole = new HashSet<>();

  /** What a forked session continues. */
  private final Map<LoggedSession, JsonNode> forks = new HashMap<>();

  /** Files, and lines, of messages by their ids. */
  private final Map<String, String> places = new HashMap<>();

  /** Parts of each message by their ids. */
  private final Map<String, Map<String, JsonNode>> parts = new HashMap<>();

  /** Calls by when they were sent and what they used, to know a fork's by. */
  private final Map<String, LoggedCall> calls = new HashMap<>();

  /** The call that each session's next one continues. */
  private final Map<LoggedSession, LoggedCall> latest = new HashMap<>();

  /** The last call of each message by session and message, to know what a fork continues. */
  private final Map<String, TreeMap<String, LoggedCall>> answers = new HashMap<>();

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
    for (Path file : files) {
      if (isDatabase(file)) {
        OpenCodeDatabase.read(file, findings, (object, place) -> take(object, place, findings));
      } else if (file.toString().endsWith(".jsonl")) {
        JsonLog.lines(
            file,
            findings,
            (object, line) -> take(object, LogFindings.placeOf(file.toString(), line), findings));
      } else {
        file(file, findings);
      }
    }
    messages.values().stream()
        .sorted(Comparator.comparingLong(message -> created(message)))
        .forEach(
            message -> message(session(message.path("sessionID").asText()), message, findings));
    return new ArrayList<>(sessions.values());
  }

  private static long created(JsonNode message) {
    return JsonLog.millis(message.path("time").path("created"));
  }

  private LoggedSession session(String id) {
    return sessions.computeIfAbsent(id, LoggedSession::new);
  }

  private void file(Path file, LogFindings findings) {
    JsonNode object = JsonLog.object(file, findings);
    String place = file.toString();
    if (object.path("messages").isArray()) {
      JsonNode info = object.path("info");
      describe(info);
      for (JsonNode message : object.path("messages")) {
        if (OpenCodeMessage.isOne(message) && message instanceof ObjectNode whole) {
          take(whole.put("sessionID", info.path("id").asText()), place, findings);
        } else {
          take(message.path("info"), place, findings);
          message.path("parts").forEach(part -> take(part, place, findings));
        }
      }
    } else {
      take(object, place, findings);
    }
  }

  private void describe(JsonNode info) {
    String parent = info.path("parentID").asText("");
    LoggedSession session = session(info.path("id").asText());
    session.parent = parent.isEmpty() ? null : parent;
    if (info.path("fork").has("sessionID")) {
      forks.put(session, info.path("fork"));
    }
  }

  private void take(JsonNode object, String place, LogFindings findings) {
    String id = object.path("id").asText();
    if (object.has("messageID")) {
      if (PARTS.contains(object.path("type").asText())) {
        parts
            .computeIfAbsent(object.path("messageID").asText(), key -> new TreeMap<>())
            .put(id, essence(object));
      }
    } else if (object.has("role") && object.has("sessionID")) {
      if (object.path("role").asText().equals("assistant")) {
        keep(id, object, place, sentInParts, sentWhole, findings);
      }
    } else if (OpenCodeMessage.isOne(object) && object.has("sessionID")) {
      OpenCodeMessage message = OpenCodeMessage.of(object, place, findings);
      keep(id, message.message(), place, sentWhole, sentInParts, findings);
      message.tools().forEach(tool -> take(tool, place, findings));
    } else if (object.has("id") && object.has("time")) {
      describe(object);
    } else if (!object.isEmpty()) {
      findings.count(OF_ANOTHER_KIND, place);
    }
  }

  /** The first copy of a message that was completed. */
  private void keep(
      String id,
      JsonNode message,
      String place,
      Set<String> sameKind,
      Set<String> otherKind,
      LogFindings findings) {
    String sent = message.path("sessionID").asText() + " " + created(message);
    sameKind.add(sent);
    JsonNode before = messages.get(id);
    boolean repeated = before != null || otherKind.contains(sent);
    if (repeated) {
      findings.count(REPEATED, place);
    }
    if (!repeated || (before != null && !before.path("time").has("completed"))) {
      messages.put(id, message);
      places.put(id, place);
    }
  }

  /** A part without the texts in it, which can be long. */
  private static JsonNode essence(JsonNode part) {
    ObjectNode essence = JsonLog.newObject();
    essence.set("type", part.path("type"));
    essence.set("tool", part.path("tool"));
    essence.set("tokens", part.path("tokens"));
    essence.putObject("state").set("time", part.path("state").path("time"));
    return essence;
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

  /** The last call before a fork, null for none; ids of messages rise with time. */
  private @Nullable LoggedCall forkedFrom(LoggedSession session) {
    JsonNode fork = forks.get(session);
    if (fork == null || !answers.containsKey(fork.path("sessionID").asText())) {
      return null;
    }
    TreeMap<String, LoggedCall> before = answers.get(fork.path("sessionID").asText());
    String boundary = fork.path("boundary").asText("");
    Map.Entry<String, LoggedCall> last =
        boundary.isEmpty() ? before.lastEntry() : before.floorEntry(boundary);
    return last == null ? null : last.getValue();
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
      this.completed = completed;
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
      String key = created(message) + " " + steps + " " + input + " " + output;
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
      call.basis = latest.containsKey(session) ? latest.get(session) : forkedFrom(session);
      long streamed = JsonLog.millis(message.path("time").path("streamed"));
      long end = firstTool == JsonLog.NO_TIME ? completed : firstTool;
      end = streamed == JsonLog.NO_TIME ? end : streamed;
      call.times(start, Math.max(start, end));
      call.endOpen = end == JsonLog.NO_TIME;
      call.tools.addAll(tools);
      session.calls.add(call);
      calls.put(key, call);
      next(call);
    }

    private void next(LoggedCall call) {
      latest.put(session, call);
      answers
          .computeIfAbsent(session.id, key -> new TreeMap<>())
          .put(message.path("id").asText(), call);
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
