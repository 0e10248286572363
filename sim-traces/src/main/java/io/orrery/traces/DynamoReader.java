package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dynamo request trace v1: {@code request_end} records, bare or wrapped by a sink as {@code
 * {"timestamp": ..., "event": {...}}}; other events are counted and left out.
 *
 * <p>Times are Unix ms, the block size stands in each record, hashes are unsigned 64-bit numbers of
 * the chained prefix and belong to a model (and hash key). Records are written when a request ends;
 * they are sorted by the time of its receipt. {@link DynamoGraph} says what waits for what.
 *
 * @see <a href="https://github.com/ai-dynamo/dynamo">lib/llm/src/request_trace in Dynamo</a>
 */
final class DynamoReader implements TraceReader {
  private static final String SCHEMA = "dynamo.request.trace.v1";
  private static final long NANOS_PER_MS = 1_000_000;
  private static final int REQUEST = 1;
  private static final int REPLAY = 1 << 1;
  private static final int RECEIVED = 1 << 2;
  private static final int OUTPUT = 1 << 3;
  private static final int INPUT = 1 << 4;
  private static final int PROMPT = 1 << 5;
  private static final int ID = 1 << 6;
  private static final int AGENT = 1 << 7;
  private static final int COMPLETION = 1 << 8;
  private static final int EVENT_TIME = 1 << 9;
  private static final int TOTAL = 1 << 10;

  private final TraceAssembler assembler;
  private final int wantedBlockSize;
  private final DynamoGraph graph;

  /** Block names by model and hash key. */
  private final Map<String, LongIntMap> namespaces = new LinkedHashMap<>();

  // the current record
  private int seen;
  private @Nullable String eventType;
  private long eventTime;
  private @Nullable String session;
  private @Nullable String parent;
  private @Nullable String requestId;
  private String model = "";
  private String hashKey = "";
  private long received;
  private long totalTime;
  private long ttft;
  private int cached;
  private int blockSize;
  private int inputTokens;
  private int promptTokens;
  private int output;
  private final LongColumn promptHashes = new LongColumn();
  private final LongColumn completionHashes = new LongColumn();

  DynamoReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    wantedBlockSize = options.blockSize();
    graph = new DynamoGraph(assembler);
    assembler.turnsByArrival();
    assembler.originAtFirstArrival();
    assembler.sessions.missingParentsAreRoots();
  }

  static boolean recognises(FirstObject object) {
    String schema = object.schema();
    return object.has("event")
        || object.has("event_type")
        || (schema != null && schema.startsWith("dynamo.request.trace"));
  }

  @Override
  public Description description() {
    return new Description(
        "Unix ms",
        "a trailing partial block may be included and is never a hit",
        "the earliest receipt is 0",
        "requests of a session by time of receipt, each after the completion of the one before it plus the recorded gap;"
            + " a child session after the parent's last request that had ended, a parent's next request after a child"
            + " that had ended");
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      clear();
      readRecord(rows, true);
      if ("request_end".equals(eventType)) {
        addRequest(rows);
      } else if (eventType == null) {
        throw rows.wrong("event_type", "nothing", "request_end or another event of " + SCHEMA);
      } else {
        assembler.count(eventType + " events, not replayed");
      }
    }
  }

  @Override
  public void finish() {
    if (assembler.requestCount() == 0) {
      throw new TraceException(
          assembler.fileName(0),
          0,
          "event_type",
          "no request_end record",
          "at least one request besides other events");
    }
    if (assembler.blockSize() == 0) {
      if (wantedBlockSize == 0) {
        throw new TraceException(
            assembler.fileName(0),
            0,
            "trace_block_size",
            "no record that says it",
            "a record with replay.trace_block_size, or trace.blockSize in the scenario");
      }
      assembler.blockSize(wantedBlockSize);
    }
    graph.connect();
  }

  private void clear() {
    seen = 0;
    eventType = null;
    eventTime = Trace.NO_TIME;
    session = null;
    parent = null;
    requestId = null;
    model = "";
    hashKey = "";
    received = Trace.NO_TIME;
    totalTime = Trace.NO_TIME;
    ttft = Trace.NO_TIME;
    cached = -1;
    blockSize = 0;
    promptHashes.clear();
    completionHashes.clear();
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

  private static void checkSchema(JsonRows rows, String field) {
    String schema = rows.textOrNull(field);
    if (!SCHEMA.equals(schema)) {
      throw rows.wrong(field, schema == null ? "null" : '"' + schema + '"', '"' + SCHEMA + '"');
    }
  }

  private void readAgent(JsonRows rows) {
    for (String field; (field = rows.nextField()) != null; ) {
      switch (field) {
        case "session_id" -> session = rows.id(field);
        case "parent_session_id" -> parent = rows.textOrNull(field);
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
          inputTokens = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
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
          seen = rows.once(seen, PROMPT, field);
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

  private void addRequest(JsonRows rows) {
    require(rows, RECEIVED, "request_received_ms");
    require(rows, OUTPUT, "output_tokens");
    if ((seen & (PROMPT | INPUT)) == 0) {
      throw rows.wrong("input_length", "nothing", "replay.input_length or input_tokens");
    }
    if (received == Trace.NO_TIME) {
      throw rows.wrong("request_received_ms", "null", "a number of ms, at least 0");
    }
    int line = rows.rowLine();
    String id = session;
    int s = id == null ? assembler.session(line) : assembler.session(id, line);
    if (parent != null && id != null) {
      assembler.parent(s, parent);
    }
    int r = assembler.request(s, line);
    if (requestId != null) {
      assembler.requestId(r, requestId);
    }
    assembler.input(r, (seen & PROMPT) != 0 ? promptTokens : inputTokens);
    assembler.output(r, output);
    assembler.arrival(r, received);
    assembler.ttft.set(r, ttft);
    assembler.total.set(r, totalTime);
    assembler.cached.set(r, cached);
    addBlocks(rows, r);
    graph.add(r, end());
  }

  /**
   * When the request ended: its record's time, else its receipt and duration; NO_TIME if neither
   * makes sense.
   */
  private long end() {
    if (eventTime >= received) {
      return eventTime;
    }
    if (eventTime != Trace.NO_TIME) {
      assembler.count("records stamped before the receipt of their request");
    }
    return totalTime == Trace.NO_TIME ? Trace.NO_TIME : received + totalTime;
  }

  private void addBlocks(JsonRows rows, int r) {
    if (blockSize == 0) {
      if (promptHashes.size() > 0) {
        throw rows.wrong("trace_block_size", "nothing", "the tokens per block of the hashes");
      }
      assembler.count("requests without block hashes");
      return;
    }
    checkBlockSize(rows);
    int input = assembler.input.get(r);
    int full = input / blockSize;
    int most = (int) (((long) input + blockSize - 1) / blockSize);
    int given = promptHashes.size();
    if (given > most) {
      throw rows.wrong(
          "input_sequence_hashes",
          given + " hashes",
          "at most " + most + " for " + input + " input tokens in blocks of " + blockSize);
    }
    if (given < full) {
      assembler.count("prompts with fewer hashes than full blocks, the rest unidentified");
    } else if (given > full) {
      assembler.count("prompts with a hash for their partial last block");
    }
    LongIntMap names = namespaces.computeIfAbsent(model + '\0' + hashKey, k -> new LongIntMap());
    RunColumn runs = assembler.runs;
    runs.startList();
    int block = BlockIds.NONE;
    int lastFull = BlockIds.NONE;
    for (int i = 0; i < given; i++) {
      lastFull = i < full ? lastFull : block;
      block = assembler.blockIds().intern(names, promptHashes.get(i), block);
      runs.add(block);
    }
    assembler.promptEnd(r, given);
    if (given >= full) {
      addCompletion(names, given > full ? lastFull : block, full, input);
    }
  }

  /**
   * Recorded names of the blocks that the output fills; they count from the prompt's first block.
   */
  private void addCompletion(LongIntMap names, int lastFull, int full, int input) {
    int named = (int) Math.min(completionHashes.size(), ((long) input + output) / blockSize);
    assembler.runs.startList();
    int block = lastFull;
    for (int i = full; i < named; i++) {
      block = assembler.blockIds().intern(names, completionHashes.get(i), block);
      assembler.runs.add(block);
    }
  }

  private void checkBlockSize(JsonRows rows) {
    int expected = wantedBlockSize > 0 ? wantedBlockSize : assembler.blockSize();
    if (expected > 0 && blockSize != expected) {
      throw rows.wrong(
          "trace_block_size",
          Integer.toString(blockSize),
          expected + (wantedBlockSize > 0 ? ", as asked for" : ", as in the records before"));
    }
    assembler.blockSize(blockSize);
  }

  private void require(JsonRows rows, int bit, String field) {
    if ((seen & bit) == 0) {
      throw rows.wrong(field, "nothing", "this field in every request_end record");
    }
  }
}
