package io.orrery.traces.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claude Code: a file per session, a line per content block. All lines of an answer have one {@code
 * message.id} and repeat its usage, of which the largest output is the whole one. Lines hang on
 * each other by {@code parentUuid}. Sub-agents are side chains in the same file, or files of their
 * own whose lines have an {@code agentId}; one that compacts repeats the conversation. A resumed or
 * copied session repeats the lines of the other.
 */
final class ClaudeCodeLog implements LogReader {
  private static final String SYNTHETIC = "<synthetic>";

  /** Usage is first written while an answer streams, and not always once more at its end. */
  private static final String END_UNKNOWN =
      "answers whose end was not logged, their output may have been longer";

  private static final String[] COUNTS = {
    "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"
  };

  /** Lines that may tell tokens again which answers have told. */
  private static final Set<String> TELL_AGAIN = Set.of("user", "system", "summary", "progress");

  private final Map<String, LoggedCall> calls = new HashMap<>();
  private final Map<String, LoggedSession> owners = new HashMap<>();
  private final Map<String, LoggedSession> sessions = new LinkedHashMap<>();
  private final Set<String> compactions = new HashSet<>();
  private final ClaudeCodeIterations iterations = new ClaudeCodeIterations();

  @Override
  public boolean isLog(Path file) {
    return file.toString().endsWith(".jsonl");
  }

  @Override
  public List<LoggedSession> read(List<Path> files, LogFindings findings) {
    // What a sub-agent's file repeats is its parent's.
    List<Path> ordered = new ArrayList<>(files);
    ordered.sort(Comparator.comparing(ClaudeCodeLog::isOfSubAgent));
    for (Path file : ordered) {
      new File(file, findings).read();
    }
    sessions.values().forEach(iterations::split);
    return new ArrayList<>(sessions.values());
  }

  private static boolean isOfSubAgent(Path file) {
    return file.getFileName().toString().startsWith("agent-");
  }

  /** One file. */
  private final class File {
    private final Path file;
    private final LogFindings findings;

    /** The line that each line hangs on, the time of each, and the last call at or above it. */
    private final Map<String, String> parents = new HashMap<>();

    private final Map<String, Long> times = new HashMap<>();
    private final Map<String, LoggedCall> callAt = new HashMap<>();

    /** Calls of this file that an earlier file has. */
    private final Set<LoggedCall> copied = new HashSet<>();

    private final Set<LoggedCall> opened = new LinkedHashSet<>();
    private final Map<LoggedCall, Long> lineOf = new HashMap<>();
    private final Set<LoggedCall> ended = new HashSet<>();

    /** The session of this file that continues another file's. */
    private @Nullable LoggedSession continued;

    private @Nullable LoggedCall lastCopied;

    File(Path file, LogFindings findings) {
      this.file = file;
      this.findings = findings;
    }

    void read() {
      JsonLog.lines(file, findings, this::line);
      for (LoggedCall call : opened) {
        if (call.usesTokens() && !ended.contains(call)) {
          findings.count(END_UNKNOWN, file.toString(), lineOf.getOrDefault(call, 0L));
        }
      }
    }

    private void line(JsonNode line, long number) {
      String uuid = line.path("uuid").asText("");
      String parent = line.path("parentUuid").asText("");
      long time = JsonLog.millis(line.path("timestamp"));
      if (!uuid.isEmpty()) {
        parents.put(uuid, parent);
        if (time != JsonLog.NO_TIME) {
          times.put(uuid, time);
        }
        LoggedCall above = callAt.get(parent);
        if (above != null) {
          callAt.put(uuid, above);
        }
      }
      if (line.path("isCompactSummary").asBoolean() && compactions.add(uuid)) {
        findings.count("compactions", file.toString(), number);
      }
      String type = line.path("type").asText();
      if (type.equals("assistant")) {
        answer(line, uuid, parent, time, number);
      } else if (!TELL_AGAIN.contains(type) && JsonLog.holdsTokenCounts(line)) {
        findings.count(JsonLog.OTHER_TOKENS, file.toString(), number);
      }
    }

    private void answer(JsonNode line, String uuid, String parent, long time, long number) {
      JsonNode message = line.path("message");
      JsonNode usage = message.path("usage");
      String id = message.path("id").asText("");
      if (message.path("model").asText().equals(SYNTHETIC)
          || line.path("isApiErrorMessage").asBoolean()) {
        findings.count("answers that the agent made up itself, left out", file.toString(), number);
        return;
      }
      if (id.isEmpty() || !usage.isObject() || time == JsonLog.NO_TIME) {
        findings.count("answers without id, usage or time, left out", file.toString(), number);
        return;
      }
      if (JsonLog.holdsBadCount(usage, COUNTS)) {
        findings.count(JsonLog.BAD_COUNT, file.toString(), number);
        return;
      }
      LoggedCall call = calls.get(id);
      if (call == null) {
        call = open(line, id, parent, time, number);
        lineOf.put(call, number);
      } else if (!owns(call)) {
        copied(call, number);
      }
      fill(call, message, usage, time);
      callAt.put(uuid, call);
      if (!call.usesTokens()) {
        findings.count("answers that were aborted before any usage", file.toString(), number);
      }
    }

    private LoggedCall open(JsonNode line, String id, String parent, long time, long number) {
      LoggedCall call = new LoggedCall(id, LogFindings.placeOf(file.toString(), number));
      calls.put(id, call);
      call.basis = callAt.get(parent);
      call.times(times.getOrDefault(parent, time), time);
      LoggedSession session = session(line, parent);
      session.calls.add(call);
      owners.put(id, session);
      opened.add(call);
      return call;
    }

    private boolean owns(LoggedCall call) {
      return opened.contains(call);
    }

    private void copied(LoggedCall call, long number) {
      if (copied.add(call)) {
        findings.count("answers copied from another session's file", file.toString(), number);
      }
      LoggedSession owner = owners.get(call.key);
      if (owner != null && owner.parent == null) {
        lastCopied = call;
      }
    }

    private void fill(LoggedCall call, JsonNode message, JsonNode usage, long time) {
      long cached = JsonLog.tokens(usage.path("cache_read_input_tokens"));
      long input =
          JsonLog.tokens(usage.path("input_tokens"))
              + JsonLog.tokens(usage.path("cache_creation_input_tokens"))
              + cached;
      if (input >= call.input) {
        call.input = input;
        call.cached = cached;
      }
      call.output = Math.max(call.output, JsonLog.tokens(usage.path("output_tokens")));
      iterations.take(call, usage.path("iterations"));
      if (message.path("stop_reason").isTextual()) {
        ended.add(call);
      }
      call.model = message.path("model").asText(null);
      if (owns(call)) {
        call.endMillis = Math.max(call.endMillis, time);
        for (JsonNode block : message.path("content")) {
          if (block.path("type").asText().equals("tool_use")) {
            call.tools.add(ToolClass.of(block.path("name").asText()));
          }
        }
      }
    }

    /** A file's own session, one for each side chain, or the one that it continues. */
    private LoggedSession session(JsonNode line, String parent) {
      String own = line.path("sessionId").asText(file.toString());
      String agent = line.path("agentId").asText("");
      if (line.path("isSidechain").asBoolean() || !agent.isEmpty()) {
        String chain = agent.isEmpty() ? rootOf(parent) : agent;
        return side(own, own + "/" + chain);
      }
      LoggedCall before = lastCopied;
      if (continued == null && before != null) {
        LoggedSession owner = owners.get(before.key);
        if (owner != null && owner.lastCall() == before) {
          continued = owner;
        }
      }
      LoggedSession known = continued;
      return known != null ? known : sessions.computeIfAbsent(own, LoggedSession::new);
    }

    private LoggedSession side(String parentSession, String id) {
      return sessions.computeIfAbsent(
          id,
          key -> {
            LoggedSession session = new LoggedSession(key);
            LoggedSession continuedHere = continued;
            session.parent = continuedHere == null ? parentSession : continuedHere.id;
            return session;
          });
    }

    /** The first line of a chain. Chains of thousands of lines are walked once per call. */
    private String rootOf(String line) {
      String root = line;
      for (int steps = 0; steps < parents.size(); steps++) {
        String above = parents.get(root);
        if (above == null || above.isEmpty()) {
          return root;
        }
        root = above;
      }
      return root;
    }
  }
}
