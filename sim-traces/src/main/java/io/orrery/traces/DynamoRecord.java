package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

/** One record of a Dynamo request or agent trace. */
final class DynamoRecord {
  static final int REPLAY_INPUT = 1 << 5;
  static final int INPUT = 1 << 4;
  static final int RECEIVED = 1 << 2;
  static final int OUTPUT = 1 << 3;

  private static final long NANOS_PER_MS = 1_000_000;
  private static final int REQUEST = 1;
  private static final int REPLAY = 1 << 1;
  private static final int ID = 1 << 6;
  private static final int AGENT = 1 << 7;
  private static final int COMPLETION = 1 << 8;
  private static final int EVENT_TIME = 1 << 9;
  private static final int TOTAL = 1 << 10;

  private final String expectedSchema;

  private int seen;
  @Nullable String eventType;
  long eventTime;

  // who asked
  @Nullable String session;
  @Nullable String parent;
  private @Nullable String trajectory;
  private @Nullable String parentTrajectory;

  // the request
  @Nullable String requestId;
  String model = "";
  String hashKey = "";
  long received;
  long totalTime;
  long ttft;
  int cached;
  int blockSize;
  int inputTokens;
  int promptTokens;
  int output;
  @Nullable String finishReason;
  private String prefillWorker = "";
  private String decodeWorker = "";
  final HashRuns promptHashes = new HashRuns();
  final HashRuns completionHashes = new HashRuns();
  final ToolNames toolCalls = new ToolNames();

  // the tool
  private @Nullable String toolSession;
  @Nullable String toolClass;
  private long toolStart;
  private long toolEnd;
  private long toolDuration;

  /** The session that a tool started, and the requests that called it and took its result. */
  @Nullable String childSession;

  @Nullable String calledBy;
  @Nullable String consumedBy;
  boolean background;

  DynamoRecord(String expectedSchema) {
    this.expectedSchema = expectedSchema;
  }

  boolean has(int bit) {
    return (seen & bit) != 0;
  }

  void clear() {
    seen = 0;
    eventType = null;
    eventTime = Trace.NO_TIME;
    session = null;
    parent = null;
    trajectory = null;
    parentTrajectory = null;
    requestId = null;
    model = "";
    hashKey = "";
    received = Trace.NO_TIME;
    totalTime = Trace.NO_TIME;
    ttft = Trace.NO_TIME;
    cached = -1;
    blockSize = 0;
    finishReason = null;
    prefillWorker = "";
    decodeWorker = "";
    promptHashes.clear();
    completionHashes.clear();
    toolCalls.clear();
    toolSession = null;
    toolClass = null;
    toolStart = Trace.NO_TIME;
    toolEnd = Trace.NO_TIME;
    toolDuration = Trace.NO_TIME;
    childSession = null;
    calledBy = null;
    consumedBy = null;
    background = false;
  }

  /** {@code PREFILL>DECODE}, or the one worker that did both; null where neither is named. */
  @Nullable String worker() {
    if (prefillWorker.isEmpty() || prefillWorker.equals(decodeWorker)) {
      return decodeWorker.isEmpty() ? null : decodeWorker;
    }
    return decodeWorker.isEmpty() ? prefillWorker : prefillWorker + ">" + decodeWorker;
  }

  /** The session whose tool this is. */
  @Nullable String toolSession() {
    return session == null ? toolSession : session;
  }

  /**
   * When the tool started, else when it ended less its duration; NO_TIME where no time is known.
   */
  long toolStart() {
    if (toolStart != Trace.NO_TIME) {
      return toolStart;
    }
    long end = toolEnd == Trace.NO_TIME ? eventTime : toolEnd;
    return end == Trace.NO_TIME ? Trace.NO_TIME : Math.max(0, end - Math.max(0, toolDuration));
  }

  /** Reads a record, or a sink's wrapping of one. */
  void read(JsonRows rows) {
    clear();
    readRecord(rows, true);
    parent = parentTrajectory == null ? parent : joined(session, parentTrajectory);
    session = joined(session, trajectory);
  }

  /** The id of a trajectory, which is unique in its agent run only. */
  private static @Nullable String joined(@Nullable String run, @Nullable String member) {
    if (member == null) {
      return run;
    }
    return run == null || member.startsWith(run) ? member : run + "/" + member;
  }

  private void readRecord(JsonRows rows, boolean mayBeWrapped) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "schema" -> checkSchema(rows, field);
        case "event_type" -> eventType = rows.textOrNull(field);
        case "event_time_unix_ms" -> {
          seen = rows.once(seen, EVENT_TIME, field);
          eventTime = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        }
        case "session_id" -> toolSession = rows.idOrNull(field);
        case "agent_context" -> {
          seen = rows.once(seen, AGENT, field);
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readAgent(rows);
          }
        }
        case "request" -> {
          seen = rows.once(seen, REQUEST, field);
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readRequest(rows);
          }
        }
        case "tool" -> {
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readTool(rows);
          }
        }
        case "event" -> {
          if (!mayBeWrapped) {
            rows.skip();
          } else if (rows.enter(field, JsonToken.START_OBJECT)) {
            readRecord(rows, false);
          }
        }
        default -> rows.skip();
      }
    }
  }

  private void checkSchema(JsonRows rows, String field) {
    String schema = rows.textOrNull(field);
    if (!expectedSchema.equals(schema)) {
      throw rows.wrong(
          field, schema == null ? "null" : '"' + schema + '"', '"' + expectedSchema + '"');
    }
  }

  private void readAgent(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "session_id", "workflow_id" -> session = rows.id(field);
        case "parent_session_id" -> parent = rows.textOrNull(field);
        case "trajectory_id", "program_id" -> trajectory = rows.idOrNull(field);
        case "parent_trajectory_id", "parent_program_id" -> parentTrajectory = rows.idOrNull(field);
        default -> rows.skip();
      }
    }
  }

  private void readRequest(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "request_id" -> {
          seen = rows.once(seen, ID, field);
          requestId = rows.id(field);
        }
        case "model" -> {
          String text = rows.textOrNull(field);
          model = text == null ? "" : text;
        }
        case "input_tokens" -> {
          seen = rows.once(seen, INPUT, field);
          inputTokens = (int) rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
        }
        case "output_tokens" -> {
          seen = rows.once(seen, OUTPUT, field);
          output = (int) rows.whole(field, 0, TraceAssembler.MAX_TOKENS);
        }
        case "cached_tokens" ->
            cached = (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, -1);
        case "request_received_ms" -> {
          seen = rows.once(seen, RECEIVED, field);
          received = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        }
        case "total_time_ms" -> {
          seen = rows.once(seen, TOTAL, field);
          totalTime = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        }
        case "ttft_ms" -> ttft = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        case "replay" -> {
          seen = rows.once(seen, REPLAY, field);
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readReplay(rows);
          }
        }
        case "worker" -> {
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readWorker(rows);
          }
        }
        case "finish_reason_metadata" -> {
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readFinish(rows);
          }
        }
        default -> rows.skip();
      }
    }
  }

  private void readReplay(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "trace_block_size" ->
            blockSize = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
        case "input_length" -> {
          seen = rows.once(seen, REPLAY_INPUT, field);
          promptTokens = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
        }
        case "input_sequence_hashes" -> {
          promptHashes.clear();
          rows.hashes(field, promptHashes);
        }
        case "completion_sequence_hashes" -> {
          seen = rows.once(seen, COMPLETION, field);
          rows.hashes(field, completionHashes);
        }
        case "hash_key_id" -> {
          String text = rows.textOrNull(field);
          hashKey = text == null ? "" : text;
        }
        default -> rows.skip();
      }
    }
  }

  private void readWorker(JsonRows rows) {
    String prefillRank = null;
    String decodeRank = null;
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "prefill_worker_id" -> prefillWorker = orEmpty(rows.scalarOrNull(field));
        case "decode_worker_id" -> decodeWorker = orEmpty(rows.scalarOrNull(field));
        case "prefill_dp_rank" -> prefillRank = rows.scalarOrNull(field);
        case "decode_dp_rank" -> decodeRank = rows.scalarOrNull(field);
        default -> rows.skip();
      }
    }
    prefillWorker = ranked(prefillWorker, prefillRank);
    decodeWorker = ranked(decodeWorker, decodeRank);
  }

  private static String ranked(String worker, @Nullable String rank) {
    return worker.isEmpty() || rank == null ? worker : worker + "." + rank;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private void readFinish(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      if (field.equals("finish_reason")) {
        finishReason = rows.scalarOrNull(field);
      } else if (field.equals("tool_calls") && rows.enter(field, JsonToken.START_ARRAY)) {
        while (rows.nextObject(field)) {
          for (String key; (key = rows.nextField()) != null; ) {
            if (key.equals("name")) {
              toolCalls.add(rows.scalarOrNull(field));
            } else {
              rows.skip();
            }
          }
        }
      } else if (!field.equals("tool_calls")) {
        rows.skip();
      }
    }
  }

  private void readTool(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "tool_class" -> toolClass = rows.scalarOrNull(field);
        case "started_at_unix_ms" -> toolStart = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        case "ended_at_unix_ms" -> toolEnd = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        case "duration_ms" -> toolDuration = rows.nanosOrNone(field, NANOS_PER_MS, "ms");
        case "claude" -> {
          if (rows.enter(field, JsonToken.START_OBJECT)) {
            readAgentCall(rows);
          }
        }
        default -> rows.skip();
      }
    }
  }

  private void readAgentCall(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "source_request_id" -> calledBy = rows.idOrNull(field);
        case "consumer_request_id" -> consumedBy = rows.idOrNull(field);
        case "child_session_id" -> childSession = rows.idOrNull(field);
        case "execution_mode" -> background = "background".equals(rows.scalarOrNull(field));
        default -> rows.skip();
      }
    }
  }
}
