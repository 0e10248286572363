package io.orrery.traces;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Agentic Mooncake: requests with typed dependencies. Version 2 begins with a header that holds the
 * block size, its rows have {@code dependencies} of dispatches or completions with a delay each,
 * and hashes belong to a play, unless the header says that their scope is global. The older rows
 * have {@code wait_for}, which all must complete, then {@code delay} and {@code tool_wait_ms}.
 *
 * @see <a href="https://github.com/ai-dynamo/dynamo">lib/data-gen and lib/mocker in Dynamo</a>
 */
final class AgenticMooncakeReader implements TraceReader {
  static final Description DESCRIPTION =
      new Description(
          "`block_size` in the header, else 512 or as asked for",
          "ms",
          "a trailing partial block is included and never a hit",
          "the earliest start of a request that waits for nothing is 0",
          "a request starts at the latest of its dependencies (a dispatch or a completion, plus a"
              + " delay), for older rows at the completion of all it waits for plus delay and tool wait");

  /** Keys that only rows of a graph have. */
  private static final Set<String> GRAPH_KEYS =
      Set.of("wait_for", "branches", "dependencies", "tool_wait_ms", "play_id");

  private static final Set<String> VERSIONS = Set.of("1", "2");

  private static final int ROWS_LOOKED_AT = 1_000;

  static final String SCHEMA = "dynamo.agentic_mooncake";

  /** What rows of version 2, which must name a model, say where nobody knows it. */
  static final String NO_MODEL = "unknown";

  private final TraceAssembler assembler;
  private final TraceOptions options;
  private final NamedPrompts prompts;
  private final MooncakeRow row = new MooncakeRow();

  /** Sessions, by id, whose first request was started by a request of another one. */
  private final Map<Integer, String> startedBy = new HashMap<>();

  /** The play in which a session's name was seen first. */
  private final Map<String, String> playOfSession = new HashMap<>();

  /** The earliest start of each play. */
  private final Map<String, Long> playStarts = new HashMap<>();

  private final List<Dependency> dependencies = new ArrayList<>();
  private @Nullable String play;
  private @Nullable String model;
  private long notBefore;
  private long toolWait;
  private long total;
  private @Nullable String schema;
  private @Nullable String version;
  private @Nullable String scope;
  private int headerBlockSize;

  /** Whether a hash names the same block in all plays. */
  private boolean global;

  private int headers;

  private final ToolNames tools = new ToolNames();

  /** What a request waits for. */
  private record Dependency(String request, EdgeTrigger trigger, long delay, boolean spawn) {}

  AgenticMooncakeReader(TraceAssembler assembler, TraceOptions options) {
    this.assembler = assembler;
    this.options = options;
    prompts = new NamedPrompts(assembler, "hash_ids");
    assembler.originAtFirstArrival();
    assembler.turnsByArrival();
  }

  static boolean recognises(FirstObject object) {
    String schema = object.schema();
    boolean rows = object.has("input_length") || object.has("input_tokens");
    return (schema != null && schema.startsWith(SCHEMA))
        || (rows && GRAPH_KEYS.stream().anyMatch(object::has));
  }

  /** Whether rows that begin like Mooncake's go on as a graph: its first rows need not say so. */
  static boolean goOnAsAGraph(JsonRows rows) {
    for (int i = 0; i < ROWS_LOOKED_AT && rows.nextRow(); i++) {
      boolean named = false;
      for (String field; (field = rows.nextField()) != null; ) {
        if (GRAPH_KEYS.contains(field)) {
          return true;
        }
        named |= field.equals("request_id");
        rows.skip();
      }
      if (!named) {
        return false;
      }
    }
    return false;
  }

  @Override
  public void read(JsonRows rows) {
    while (rows.nextRow()) {
      readRow(rows);
      if (schema != null) {
        takeHeader(rows);
      } else {
        addRow(rows);
      }
    }
  }

  @Override
  public void finish() {
    if (assembler.blockSize() == 0) {
      throw new TraceException(
          assembler.fileName(0), 0, null, "a header without rows", "at least one request");
    }
    if (playStarts.size() > 1 && playStarts.values().stream().allMatch(start -> start == 0)) {
      assembler.sharedClock(false);
      assembler.note("Every play begins at 0: plays have no clock in common.");
    }
    startedBy.forEach(
        (session, request) -> {
          int starter = assembler.requestWithId(request);
          int parent = starter < 0 ? -1 : assembler.session.get(starter);
          if (parent >= 0 && parent != session && assembler.sessions.textOf(parent) >= 0) {
            assembler.parent(session, assembler.sessions.id(parent));
          }
        });
  }

  private void readRow(JsonRows rows) {
    row.clear();
    dependencies.clear();
    play = null;
    model = null;
    notBefore = Trace.NO_TIME;
    toolWait = 0;
    total = Trace.NO_TIME;
    schema = null;
    version = null;
    scope = null;
    headerBlockSize = 0;
    tools.clear();
    for (String field; (field = rows.nextField()) != null; ) {
      if (!row.read(rows, field) && !readOwn(rows, field)) {
        rows.skip();
      }
    }
  }

  private boolean readOwn(JsonRows rows, String field) {
    switch (field) {
      case "schema" -> schema = rows.textOrNull(field);
      case "version" -> version = rows.scalarOrNull(field);
      case "hash_id_scope" -> scope = rows.scalarOrNull(field);
      case "block_size" -> headerBlockSize = (int) rows.whole(field, 1, TraceAssembler.MAX_TOKENS);
      case "play_id" -> play = rows.idOrNull(field);
      case "model" -> model = modelOrNull(rows, field);
      case "not_before_ms" -> notBefore = rows.nanosOrNone(field, MooncakeRow.NANOS_PER_MS, "ms");
      case "recorded_api_time_ms" ->
          total = rows.nanosOrNone(field, MooncakeRow.NANOS_PER_MS, "ms");
      case "tool_wait_ms" ->
          toolWait = Math.max(0, rows.nanosOrNone(field, MooncakeRow.NANOS_PER_MS, "ms"));
      case "wait_for" -> readWaitFor(rows, field);
      case "dependencies" -> readDependencies(rows, field);
      case "tool_events" -> readTools(rows, field);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String modelOrNull(JsonRows rows, String field) {
    String name = rows.textOrNull(field);
    return NO_MODEL.equals(name) ? null : name;
  }

  private void takeHeader(JsonRows rows) {
    if (!SCHEMA.equals(schema)) {
      throw rows.wrong("schema", '"' + schema + '"', '"' + SCHEMA + '"');
    }
    if (version != null && !VERSIONS.contains(version)) {
      throw rows.wrong("version", version, "1 or 2");
    }
    boolean ofHeader = "global".equals(scope);
    if (scope != null && !ofHeader && !scope.equals("local")) {
      throw rows.wrong("hash_id_scope", '"' + scope + '"', "\"local\" or \"global\"");
    }
    if (headers > 0 && ofHeader != global) {
      throw rows.wrong("hash_id_scope", '"' + scope + '"', "that of the header before");
    }
    global = ofHeader;
    headers++;
    prompts.blockSize(rows, "block_size", headerBlockSize, options.blockSize());
  }

  private void readWaitFor(JsonRows rows, String field) {
    if (rows.enter(field, JsonToken.START_ARRAY)) {
      while (rows.nextElement() != null) {
        dependencies.add(
            new Dependency(rows.elementId(field), EdgeTrigger.COMPLETION, Trace.NO_TIME, false));
      }
    }
  }

  private void readDependencies(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return;
    }
    while (rows.nextObject(field)) {
      String request = null;
      EdgeTrigger trigger = EdgeTrigger.COMPLETION;
      long delay = 0;
      boolean spawn = false;
      for (String key; (key = rows.nextField()) != null; ) {
        switch (key) {
          case "request_id" -> request = rows.id(key);
          case "trigger" -> trigger = trigger(rows, key);
          case "delay_ms" ->
              delay = Math.max(0, rows.nanosOrNone(key, MooncakeRow.NANOS_PER_MS, "ms"));
          case "relation" -> spawn = "spawn".equals(rows.textOrNull(key));
          default -> rows.skip();
        }
      }
      if (request == null) {
        throw rows.wrong("request_id", "nothing", "the request that is waited for");
      }
      dependencies.add(new Dependency(request, trigger, delay, spawn));
    }
  }

  private static EdgeTrigger trigger(JsonRows rows, String field) {
    String text = rows.textOrNull(field);
    if ("dispatch".equals(text)) {
      return EdgeTrigger.DISPATCH;
    }
    if ("completion".equals(text)) {
      return EdgeTrigger.COMPLETION;
    }
    throw rows.wrong(
        field, text == null ? "null" : '"' + text + '"', "\"dispatch\" or \"completion\"");
  }

  private void readTools(JsonRows rows, String field) {
    if (!rows.enter(field, JsonToken.START_ARRAY)) {
      return;
    }
    while (rows.nextObject(field)) {
      for (String key; (key = rows.nextField()) != null; ) {
        if (key.equals("tool_class")) {
          tools.add(rows.textOrNull(key));
        } else {
          rows.skip();
        }
      }
    }
  }

  private void addRow(JsonRows rows) {
    row.require(rows);
    DraftedRequests.require(rows, row.request != null, "request_id");
    if (assembler.blockSize() == 0) {
      assembler.blockSize(
          options.blockSize() > 0 ? options.blockSize() : MooncakeReader.DEFAULT_BLOCK_SIZE);
    }
    prompts.check(rows, row.input, row.hashes.size());
    long stamp = row.stamp() != Trace.NO_TIME ? row.stamp() : notBefore;
    if (dependencies.isEmpty() && stamp == Trace.NO_TIME) {
      throw rows.wrong(
          "timestamp", "nothing", "a time in ms, or requests to wait for (wait_for, dependencies)");
    }
    long wait = Math.max(0, row.delay) + toolWait;
    if (wait > Decimals.MAX_NANOS) {
      throw rows.wrong("delay", "more than 146 years", "a shorter wait");
    }
    open(rows, stamp, wait);
  }

  private void open(JsonRows rows, long stamp, long wait) {
    RequestDraft draft = new RequestDraft();
    draft.session = sessionKey();
    draft.request = row.request;
    draft.input = row.input;
    draft.output = row.output;
    draft.priority = row.priority;
    draft.total = total;
    draft.model = model;
    draft.tools.add(tools.text());
    int r = DraftedRequests.open(assembler, rows.rowLine(), assembler.lastFile(), draft);
    if (stamp != Trace.NO_TIME) {
      assembler.arrival(r, stamp);
      if (play != null) {
        playStarts.merge(play, stamp, Math::min);
      }
    }
    if (row.hasHashes) {
      prompts.add(r, row.hashes, global ? null : play);
    } else {
      assembler.count(TraceFindings.NO_HASHES);
    }
    boolean first = assembler.previousInSession(r) < 0;
    for (Dependency dependency : dependencies) {
      long delay = dependency.delay() == Trace.NO_TIME ? wait : dependency.delay();
      assembler.edge(r, dependency.request(), dependency.trigger(), delay);
      if (first && (dependency.spawn() || dependency.delay() == Trace.NO_TIME)) {
        startedBy.putIfAbsent(assembler.session.get(r), dependency.request());
      }
    }
    if (first && dependencies.isEmpty() && wait > 0) {
      assembler.count("delays of requests that wait for nothing, without effect");
    }
  }

  /** A session's name as it is, unless another play has a session of that name. */
  private @Nullable String sessionKey() {
    String session = row.session;
    String ofPlay = play;
    if (session == null || ofPlay == null) {
      return session;
    }
    String first = playOfSession.putIfAbsent(session, ofPlay);
    return first == null || first.equals(ofPlay) ? session : ofPlay + "/" + session;
  }
}
