package io.orrery.traces;

/**
 * Opens requests that are described by a record each, and connects those of a session by {@link
 * ConversationGraph}.
 */
final class DraftedRequests {
  /** Tokens per block where no block has an identity, so that it does not matter. */
  private static final int ANY_BLOCK_SIZE = 16;

  private final TraceAssembler assembler;
  private final ConversationGraph graph;
  private long latest;

  /** For a format whose prompts have no block identities. */
  static DraftedRequests withoutBlocks(TraceAssembler assembler, TraceOptions options) {
    assembler.blockSize(options.blockSize() > 0 ? options.blockSize() : ANY_BLOCK_SIZE);
    return new DraftedRequests(assembler);
  }

  DraftedRequests(TraceAssembler assembler) {
    this.assembler = assembler;
    graph = new ConversationGraph(assembler);
    assembler.turnsByArrival();
    assembler.originAtFirstArrival();
    assembler.sessions.missingParentsAreRoots();
  }

  ConversationGraph graph() {
    return graph;
  }

  /**
   * Opens the request.
   *
   * @param time the field that its start is in, for messages
   */
  int add(JsonRows rows, RequestDraft draft, String input, String output, String time) {
    require(rows, draft.input != RequestDraft.NONE, input);
    require(rows, draft.output != RequestDraft.NONE, output);
    require(rows, draft.arrival != Trace.NO_TIME, time);
    return add(rows.rowLine(), assembler.lastFile(), draft);
  }

  /** Opens a request of a line of a file, whose lengths and start are there. */
  int add(int line, int file, RequestDraft draft) {
    if (draft.arrival < latest) {
      assembler.count("rows out of time order, sorted");
    }
    latest = Math.max(latest, draft.arrival);
    int r = open(assembler, line, file, draft);
    assembler.arrival(r, draft.arrival);
    graph.add(r, draft.knownEnd());
    if (draft.wait != Trace.NO_TIME) {
      graph.waitBefore(r, draft.wait);
    }
    return r;
  }

  void finish() {
    graph.connect();
  }

  /** Opens a request and its session, with everything but its arrival, blocks and edges. */
  static int open(TraceAssembler assembler, int line, int file, RequestDraft draft) {
    String id = draft.session;
    int s = id == null ? assembler.session(line, file) : assembler.session(id, line, file);
    if (id != null && draft.parent != null) {
      assembler.parent(s, draft.parent);
    }
    int r = assembler.request(s, line, file);
    if (draft.request != null) {
      assembler.requestId(r, draft.request);
    }
    facts(assembler, r, draft);
    return r;
  }

  /** Tokens and recorded facts of a request that has been opened. */
  static void facts(TraceAssembler assembler, int r, RequestDraft draft) {
    assembler.input(r, draft.input);
    assembler.output(r, draft.output);
    assembler.priority(r, draft.priority);
    MeasuredFacts.set(assembler, r, draft.ttft, draft.total, draft.cached);
    assembler.model.set(r, draft.model);
    assembler.adapter.set(r, draft.adapter);
    assembler.worker.set(r, draft.worker);
    assembler.finishReason.set(r, draft.finishReason);
    assembler.tools.set(r, draft.tools.text());
  }

  static void require(JsonRows rows, boolean there, String field) {
    if (!there) {
      throw rows.wrong(field, "nothing", "this field in every row");
    }
  }

  /** A prompt's token count. */
  static int input(JsonRows rows, String field) {
    return (int) rows.wholeOr(field, 1, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
  }

  /** An output's token count. */
  static int output(JsonRows rows, String field) {
    return (int) rows.wholeOr(field, 0, TraceAssembler.MAX_TOKENS, RequestDraft.NONE);
  }
}
