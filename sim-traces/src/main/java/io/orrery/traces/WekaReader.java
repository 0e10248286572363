package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Claude Code sessions of kv-cache-tester ("Weka"): one JSON object per session, as a file of its
 * own or as a line.
 *
 * <p>Times are in s (durations of sub-agents in ms), the block size stands in the file, only full
 * blocks have ids, ids are local to a session unless {@code hash_id_scope} is {@code global}.
 * Sub-agents are nested and become child sessions. Here the text is read; {@link WekaTimes} and
 * {@link WekaBlocks} say what it means.
 *
 * @see <a href="https://github.com/callanjfox/kv-cache-tester">kv-cache-tester</a>
 */
final class WekaReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "`block_size` in the file",
          "s",
          "only full blocks have an identity",
          "each root session starts at 0; sessions have no clock in common",
          "after the turn before them and the blocking sub-agents that they waited for, plus the recorded think time if it fits between the starts, else"
              + " the gap from the recorded end, else as long after its start as recorded but not before its completion");

  private static final long NANOS_PER_S = 1_000_000_000;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final int BLOCK_SIZE = 1;
  private static final int REQUESTS = 1 << 1;
  private static final int ID = 1 << 2;
  private static final int T = 1 << 3;
  private static final int TYPE = 1 << 4;
  private static final int INPUT = 1 << 5;
  private static final int OUTPUT = 1 << 6;
  private static final int HASHES = 1 << 7;
  private static final int API = 1 << 8;
  private static final int THINK = 1 << 9;
  private static final int TTFT = 1 << 10;
  private static final int DURATION = 1 << 11;

  private final TraceAssembler assembler;
  private final int wantedBlockSize;
  private final WekaLowering lowering;
  private final RunColumn fileIds = new RunColumn();

  WekaReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    wantedBlockSize = options.blockSize();
    assembler.sharedClock(false);
    lowering = new WekaLowering(assembler, options.sharedSystemPrefix());
  }

  static boolean recognises(FirstObject object) {
    return object.has("requests") && (object.has("block_size") || object.has("hash_id_scope"));
  }

  @Override
  public boolean foldsRuns() {
    return true;
  }

  @Override
  public boolean refusesRepeatedKeys() {
    return true;
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      fileIds.clear();
      WekaSession session = new WekaSession(fileIds);
      session.line = rows.rowLine();
      readSession(rows, session);
      lowering.add(session, rows);
    }
  }

  @Override
  public void finish() {
    lowering.finish();
  }

  private void readSession(JsonRows rows, WekaSession session) {
    int seen = 0;
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "id" -> {
          seen = rows.once(seen, ID, field);
          session.id = rows.id(field);
        }
        case "block_size" -> {
          seen = rows.once(seen, BLOCK_SIZE, field);
          session.blockSize = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
          checkBlockSize(rows, session.blockSize);
        }
        case "hash_id_scope" -> session.globalIds = isGlobal(rows, field);
        case "requests" -> {
          seen = rows.once(seen, REQUESTS, field);
          readEntries(rows, session);
        }
        default -> readPromptParts(rows, session, field);
      }
    }
    require(rows, seen, ID, "id");
    require(rows, seen, BLOCK_SIZE, "block_size");
    require(rows, seen, REQUESTS, "requests");
  }

  private static void readPromptParts(JsonRows rows, WekaSession session, String field) {
    switch (field) {
      case "tool_tokens" ->
          session.toolTokens = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0);
      case "system_tokens" ->
          session.systemTokens = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, 0);
      default -> rows.skip();
    }
  }

  private void checkBlockSize(JsonRows rows, int blockSize) {
    int expected = wantedBlockSize > 0 ? wantedBlockSize : assembler.blockSize();
    if (expected > 0 && blockSize != expected) {
      throw rows.wrong(
          "block_size",
          Integer.toString(blockSize),
          expected + (wantedBlockSize > 0 ? ", as asked for" : ", as in the sessions before"));
    }
    assembler.blockSize(blockSize);
  }

  private static boolean isGlobal(JsonRows rows, String field) {
    String scope = rows.textOrNull(field);
    if (scope == null || scope.equals("local")) {
      return false;
    }
    if (scope.equals("global")) {
      return true;
    }
    throw rows.wrong(field, '"' + scope + '"', "\"local\" or \"global\"");
  }

  private void readEntries(JsonRows rows, WekaSession session) {
    if (!rows.enter("requests", JsonToken.START_ARRAY)) {
      return;
    }
    while (rows.nextObject("requests")) {
      readEntry(rows, session);
    }
  }

  /**
   * A request or a sub-agent; which one is known for sure at its end only, keys come in any order.
   */
  private void readEntry(JsonRows rows, WekaSession session) {
    WekaSession.Request request = new WekaSession.Request();
    WekaSession.SubAgent agent = new WekaSession.SubAgent(new WekaSession(fileIds));
    request.line = rows.line();
    agent.inside.line = request.line;
    String type = null;
    int seen = 0;
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "type" -> {
          seen = rows.once(seen, TYPE, field);
          type = rows.textOrNull(field);
        }
        case "t" -> {
          seen = rows.once(seen, T, field);
          request.t = rows.nanosOrNone(field, NANOS_PER_S, "s");
        }
        case "in" -> {
          seen = rows.once(seen, INPUT, field);
          request.input = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
        }
        case "out" -> {
          seen = rows.once(seen, OUTPUT, field);
          request.output = (int) rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
        }
        case "hash_ids" -> {
          seen = rows.once(seen, HASHES, field);
          request.idRun = fileIds.size();
          request.idCount = rows.intRuns(field, fileIds);
          request.hasIds = true;
        }
        case "model" -> request.model = rows.textOrNull(field);
        case "stop" -> request.stop = rows.textOrNull(field);
        case "api_time" -> {
          seen = rows.once(seen, API, field);
          request.apiTime = rows.nanosOrNone(field, NANOS_PER_S, "s");
        }
        case "think_time" -> {
          seen = rows.once(seen, THINK, field);
          request.thinkTime = rows.nanosOrNone(field, NANOS_PER_S, "s");
        }
        case "ttft" -> {
          seen = rows.once(seen, TTFT, field);
          request.ttft = rows.nanosOrNone(field, NANOS_PER_S, "s");
        }
        case "duration_ms" -> {
          seen = rows.once(seen, DURATION, field);
          agent.duration = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        }
        case "requests" -> {
          seen = rows.once(seen, REQUESTS, field);
          readEntries(rows, agent.inside);
        }
        case "agent_id" -> agent.agentId = rows.textOrNull(field);
        case "status" -> agent.background = isBackground(rows.textOrNull(field));
        default -> readPromptParts(rows, agent.inside, field);
      }
    }
    addEntry(rows, session, request, agent, type, seen);
  }

  private static void addEntry(
      JsonRows rows,
      WekaSession session,
      WekaSession.Request request,
      WekaSession.SubAgent agent,
      @Nullable String type,
      int seen) {
    if (request.t == Trace.NO_TIME) {
      throw rows.wrong("t", (seen & T) == 0 ? "nothing" : "null", "a number of s, at least 0");
    }
    if ("subagent".equals(type)) {
      require(rows, seen, REQUESTS, "requests");
      agent.t = request.t;
      agent.position = session.requests.size();
      session.subAgents.add(agent);
    } else if ("n".equals(type) || "s".equals(type)) {
      require(rows, seen, INPUT, "in");
      require(rows, seen, OUTPUT, "out");
      session.requests.add(request);
    } else {
      throw rows.wrong("type", type == null ? "nothing" : '"' + type + '"', "n, s or subagent");
    }
  }

  private static boolean isBackground(@Nullable String status) {
    return status != null
        && (status.toLowerCase(Locale.ROOT).startsWith("async")
            || status.toLowerCase(Locale.ROOT).startsWith("background"));
  }

  private static void require(JsonRows rows, int seen, int bit, String field) {
    if ((seen & bit) == 0) {
      throw rows.wrong(field, "nothing", "this field");
    }
  }
}
