package io.orrery.traces;

import io.orrery.traces.columns.LongColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dynamo request trace v1: {@code request_end} records, bare or wrapped by a sink as {@code
 * {"timestamp": ..., "event": {...}}}. Ends of tools name the tools of the request before them;
 * other events are counted and left out. The older agent trace is the same, its first versions
 * without block hashes; its sessions are trajectories (earlier: programs) of an agent run.
 *
 * <p>Times are Unix ms, the block size stands in each record, hashes are unsigned 64-bit numbers of
 * the chained prefix and belong to a model (and hash key). Records are written when a request ends;
 * they are sorted by the time of its receipt. {@link ConversationGraph} says what waits for what.
 *
 * @see <a href="https://github.com/ai-dynamo/dynamo">lib/llm/src/request_trace in Dynamo</a>
 */
final class DynamoReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "`trace_block_size` in the record",
          "Unix ms",
          "a trailing partial block may be included and is never a hit",
          "the earliest receipt is 0",
          "requests of a session by time of receipt, each after the completion of the one before it plus the recorded gap;"
              + " a child session after the parent's last request that had ended, a parent's next request after a child"
              + " that had ended");

  static final Description AGENT_DESCRIPTION =
      new Description(
          DESCRIPTION.blockSize() + " where there is one, else none: hit rates are unknown",
          DESCRIPTION.timeUnit(),
          DESCRIPTION.partialBlockRule(),
          DESCRIPTION.timeBasis(),
          DESCRIPTION.turnSemantics());

  private static final String SCHEMA = "dynamo.request.trace.v1";
  private static final String AGENT_SCHEMA = "dynamo.agent.trace.v1";

  private final TraceAssembler assembler;
  private final int wantedBlockSize;
  private final boolean agents;
  private final ConversationGraph graph;
  private final LongColumn ends = new LongColumn();
  private final ToolJoin tools;
  private final DynamoRecord record;

  /** What tools say about the sessions that they started. */
  private final List<AgentCall> agentCalls = new ArrayList<>();

  private record AgentCall(
      String child, @Nullable String calledBy, @Nullable String consumedBy, boolean background) {}

  /** Block names by model and hash key. */
  private final Map<String, BlockNames> namespaces = new LinkedHashMap<>();

  DynamoReader(TraceAssembler assembler, TraceOptions options) {
    this(assembler, options, false);
  }

  private DynamoReader(TraceAssembler assembler, TraceOptions options, boolean agents) {
    this.assembler = assembler;
    this.agents = agents;
    wantedBlockSize = options.blockSize();
    record = new DynamoRecord(agents ? AGENT_SCHEMA : SCHEMA);
    graph = new ConversationGraph(assembler);
    tools = new ToolJoin(assembler, ends);
    assembler.turnsByArrival();
    assembler.originAtFirstArrival();
    assembler.sessions.missingParentsAreRoots();
  }

  /** A reader of the older agent trace. */
  static DynamoReader ofAgents(TraceAssembler assembler, TraceOptions options) {
    return new DynamoReader(assembler, options, true);
  }

  static boolean recognises(FirstObject object) {
    String schema = object.schema();
    return !AGENT_SCHEMA.equals(schema)
        && (object.has("event_type")
            || (object.has("event") && object.complete())
            || (schema != null && schema.startsWith("dynamo.request.trace")));
  }

  static boolean recognisesAgent(FirstObject object) {
    return AGENT_SCHEMA.equals(object.schema());
  }

  @Override
  public boolean refusesRepeatedKeys() {
    return true;
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      record.read(rows);
      String type = record.eventType;
      if ("request_end".equals(type)) {
        addRequest(rows);
      } else if (type == null) {
        throw rows.wrong("event_type", "nothing", "request_end or another event of " + SCHEMA);
      } else if (type.equals("tool_end") || type.equals("tool_error")) {
        addTool();
      } else {
        assembler.countNote(type + " events, not replayed");
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
      if (wantedBlockSize == 0 && !agents) {
        throw new TraceException(
            assembler.fileName(0),
            0,
            "trace_block_size",
            "no record that says it",
            "a record with replay.trace_block_size, or trace.blockSize in the scenario");
      }
      assembler.blockSize(wantedBlockSize == 0 ? GrownPrompts.BLOCK_SIZE : wantedBlockSize);
    }
    tools.join();
    agentCalls.forEach(this::connect);
    graph.connect();
  }

  private void connect(AgentCall call) {
    int child = assembler.sessions.find(call.child());
    if (child < 0) {
      return;
    }
    if (call.background()) {
      graph.background(child);
    }
    int calledBy = call.calledBy() == null ? -1 : assembler.requestWithId(call.calledBy());
    int consumedBy = call.consumedBy() == null ? -1 : assembler.requestWithId(call.consumedBy());
    if (calledBy >= 0) {
      graph.called(child, calledBy, consumedBy);
    }
  }

  private void addTool() {
    String child = record.childSession;
    if (child != null) {
      agentCalls.add(new AgentCall(child, record.calledBy, record.consumedBy, record.background));
    }
    String session = record.toolSession();
    String name = record.toolClass;
    if (session != null && name != null && record.toolStart() != Trace.NO_TIME) {
      assembler.countNote(record.eventType + " events, joined to the request before them");
      tools.add(session, record.toolStart(), name);
    } else {
      assembler.count(record.eventType + " events without a session, a tool or a time, not joined");
    }
  }

  private void addRequest(JsonRows rows) {
    require(rows, DynamoRecord.RECEIVED, "request_received_ms");
    require(rows, DynamoRecord.OUTPUT, "output_tokens");
    boolean replay = record.has(DynamoRecord.REPLAY_INPUT);
    if (!replay && !record.has(DynamoRecord.INPUT)) {
      throw rows.wrong("input_length", "nothing", "replay.input_length or input_tokens");
    }
    if (record.received == Trace.NO_TIME) {
      throw rows.wrong("request_received_ms", "null", "a number of ms, at least 0");
    }
    int input = replay ? record.promptTokens : record.inputTokens;
    if (input == 0) {
      throw rows.wrong("input_tokens", "0", "at least one token, or replay.input_length");
    }
    checkBlocks(rows, input);
    int line = rows.rowLine();
    String id = record.session;
    int s = id == null ? assembler.session(line) : assembler.session(id, line);
    if (record.parent != null && id != null) {
      assembler.parent(s, record.parent);
    }
    int r = assembler.request(s, line);
    if (record.requestId != null) {
      assembler.requestId(r, record.requestId);
    }
    assembler.input(r, input);
    assembler.output(r, record.output);
    assembler.arrival(r, record.received);
    addFacts(r);
    addBlocks(r);
    graph.add(r, end());
    ends.add(end());
  }

  private void addFacts(int r) {
    MeasuredFacts.set(assembler, r, record.ttft, record.totalTime, record.cached);
    assembler.model.set(r, record.model);
    assembler.worker.set(r, record.worker());
    assembler.finishReason.set(r, record.finishReason);
    assembler.tools.set(r, record.toolCalls.text());
  }

  /**
   * When the request ended: its record's time, else its receipt and duration; NO_TIME if neither
   * makes sense.
   */
  private long end() {
    if (record.eventTime >= record.received) {
      return record.eventTime;
    }
    return record.totalTime == Trace.NO_TIME ? Trace.NO_TIME : record.received + record.totalTime;
  }

  private void checkBlocks(JsonRows rows, int input) {
    int blockSize = record.blockSize;
    int given = record.promptHashes.size();
    if (blockSize == 0) {
      if (given > 0) {
        throw rows.wrong("trace_block_size", "nothing", "the tokens per block of the hashes");
      }
      return;
    }
    int expected = wantedBlockSize > 0 ? wantedBlockSize : assembler.blockSize();
    if (expected > 0 && blockSize != expected) {
      throw rows.wrong(
          "trace_block_size",
          Integer.toString(blockSize),
          expected + (wantedBlockSize > 0 ? ", as asked for" : ", as in the records before"));
    }
    int most = (int) (((long) input + blockSize - 1) / blockSize);
    if (given > most) {
      throw rows.wrong(
          "input_sequence_hashes",
          given + " hashes",
          "at most " + most + " for " + input + " input tokens in blocks of " + blockSize);
    }
    assembler.blockSize(blockSize);
  }

  private void addBlocks(int r) {
    if (record.eventTime != Trace.NO_TIME && record.eventTime < record.received) {
      assembler.count("records stamped before the receipt of their request");
    }
    int blockSize = record.blockSize;
    if (blockSize == 0) {
      assembler.count(TraceFindings.NO_HASHES);
      return;
    }
    HashRuns hashes = record.promptHashes;
    int input = assembler.input.get(r);
    int full = input / blockSize;
    int given = hashes.size();
    if (given < full) {
      assembler.count(TraceFindings.FEWER_HASHES);
    } else if (given > full) {
      assembler.count("prompts with a hash for their partial last block");
    }
    BlockNames names =
        namespaces.computeIfAbsent(record.model + '\0' + record.hashKey, k -> assembler.newNames());
    BlockIds ids = assembler.blockIds();
    RunColumn runs = assembler.runs;
    runs.startList();
    int known = Math.min(given, full);
    int lastFull = ids.internAll(names, hashes, 0, known, BlockIds.NONE, runs);
    ids.internAll(names, hashes, known, given, lastFull, runs);
    assembler.promptEnd(r, given);
    if (given >= full) {
      addCompletion(names, lastFull, full, input);
    }
  }

  /**
   * Recorded names of the blocks that the output fills; they count from the prompt's first block.
   */
  private void addCompletion(BlockNames names, int lastFull, int full, int input) {
    int named =
        (int)
            Math.min(
                record.completionHashes.size(), ((long) input + record.output) / record.blockSize);
    assembler.runs.startList();
    assembler
        .blockIds()
        .internAll(names, record.completionHashes, full, named, lastFull, assembler.runs);
  }

  private void require(JsonRows rows, int bit, String field) {
    if (!record.has(bit)) {
      throw rows.wrong(field, "nothing", "this field in every request_end record");
    }
  }
}
