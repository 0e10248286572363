package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * Captured requests of agent sessions: immutable, a struct of arrays. Requests and sessions are
 * dense ints.
 *
 * <p><b>Order.</b> With a {@linkplain #sharedClock shared clock}, requests are sorted by arrival
 * (equal stamps keep file order) and sessions by their first request; without one, sessions stand
 * in file order, children right after their parent, each session's requests in turn order.
 *
 * <p><b>Blocks.</b> A request's full prompt blocks have ids in [0, {@link #blockCount}), coded as
 * runs of consecutive ids. Ids are chained: one id is one block behind one prefix, so having seen
 * an id means having seen the whole prefix. After the prompt's runs come those of the completion
 * blocks whose names are known, in position order.
 *
 * <p><b>Dispatch.</b> A request without edges starts at its recorded arrival. Any other one starts,
 * in a closed loop, at the latest of its edges: the trigger's time in the other request plus the
 * edge's delay. The graph has no cycle.
 */
public final class Trace {
  /** A time that was not recorded. */
  public static final long NO_TIME = -1;

  private final TraceColumns columns;

  Trace(TraceColumns columns) {
    this.columns = columns;
  }

  /** A builder for a trace with the given tokens per block. */
  public static TraceBuilder builder(int blockSize) {
    return new TraceBuilder(blockSize);
  }

  /** Number of requests. */
  public int requestCount() {
    return columns.session.size();
  }

  /** Number of sessions; each has at least one request. */
  public int sessionCount() {
    return columns.parent.size();
  }

  /** Tokens per trace block. */
  public int blockSize() {
    return columns.blockSize;
  }

  /** Number of distinct block ids; ids are 0 .. blockCount − 1. */
  public long blockCount() {
    return columns.blockCount;
  }

  /** Whether recorded times of different sessions may be compared. */
  public boolean sharedClock() {
    return columns.sharedClock;
  }

  /** The request's id in the file, else {@code SESSION#TURN}. */
  public String requestId(int r) {
    int text = columns.requestText == null ? -1 : columns.requestText.get(r);
    return text >= 0 ? columns.requestIds.get(text) : sessionId(session(r)) + "#" + turn(r);
  }

  /** The session's id in the file, else {@code session-S}. */
  public String sessionId(int s) {
    int text = columns.sessionText == null ? -1 : columns.sessionText.get(s);
    return text >= 0 ? columns.sessionIds.get(text) : "session-" + s;
  }

  /** The request's session. */
  public int session(int r) {
    return columns.session.get(r);
  }

  /** The request's 0-based place in its session. */
  public int turn(int r) {
    return columns.turn.get(r);
  }

  /** The session that started this one, -1 for a root session. */
  public int parentSession(int s) {
    return columns.parent.get(s);
  }

  /** The root of the session's tree; itself for a root session. */
  public int rootSession(int s) {
    return columns.root.get(s);
  }

  /** The session's turn 0. */
  public int firstRequest(int s) {
    return request(s, 0);
  }

  /** Number of requests in the session, at least one. */
  public int requestCount(int s) {
    return columns.sessionStart.get(s + 1) - columns.sessionStart.get(s);
  }

  /** The session's request at a 0-based turn below {@link #requestCount(int)}. */
  public int request(int s, int turn) {
    return columns.sessionRequests.get(columns.sessionStart.get(s) + turn);
  }

  /**
   * Recorded start in ns from the origin (the trace's, or without a shared clock the root
   * session's), or NO_TIME.
   */
  public long arrivalNanos(int r) {
    return columns.arrival.get(r);
  }

  /** Prompt tokens, at least one. */
  public int inputTokens(int r) {
    return columns.input.get(r);
  }

  /** Generated tokens, at least one: a recorded zero is replayed as one and counted. */
  public int outputTokens(int r) {
    return columns.output.get(r);
  }

  /** Priority as recorded, 0 where none is. */
  public int priority(int r) {
    return columns.priority == null ? 0 : columns.priority.get(r);
  }

  /**
   * Full prompt blocks with an identity: at most ⌊input / blockSize⌋, a trailing partial block has
   * none.
   */
  public int identifiedBlocks(int r) {
    return columns.identified.get(r);
  }

  /** Prompt and completion blocks whose names are known, at least {@link #identifiedBlocks}. */
  public int namedBlocks(int r) {
    return columns.named.get(r);
  }

  /** First of the request's runs. */
  public int runStart(int r) {
    return columns.runStart.get(r);
  }

  /** End (exclusive) of the request's prompt runs; those of its completion follow. */
  public int promptRunEnd(int r) {
    return columns.promptRunEnd.get(r);
  }

  /** End (exclusive) of the request's runs, which cover {@link #namedBlocks} blocks. */
  public int runEnd(int r) {
    return columns.runStart.get(r + 1);
  }

  /** The run's first block id. */
  public int runFirst(int run) {
    return columns.runFirst.get(run);
  }

  /** Number of consecutive ids in the run. */
  public int runLength(int run) {
    return columns.runLength.get(run);
  }

  /** Number of runs of all requests. */
  public int runCount() {
    return columns.runFirst.size();
  }

  /**
   * Id of the prompt's trailing partial block where the file names it, else -1. It is no part of
   * the runs: it serves statistics only and can never be a hit.
   */
  public int partialBlock(int r) {
    return columns.partial == null ? -1 : columns.partial.get(r);
  }

  /** First of the request's edges; none means that it starts at its recorded arrival. */
  public int edgeStart(int r) {
    return columns.edgeStart.get(r);
  }

  /** End (exclusive) of the request's edges. */
  public int edgeEnd(int r) {
    return columns.edgeStart.get(r + 1);
  }

  /** The request that an edge waits for. */
  public int edgeFrom(int edge) {
    return columns.edgeFrom.get(edge);
  }

  /** What the edge waits for in that request. */
  public EdgeTrigger edgeTrigger(int edge) {
    return columns.edgeDelay.get(edge) < 0 ? EdgeTrigger.DISPATCH : EdgeTrigger.COMPLETION;
  }

  /** Nanoseconds from the trigger to the dispatch, at least 0. */
  public long edgeDelayNanos(int edge) {
    long coded = columns.edgeDelay.get(edge);
    return coded < 0 ? ~coded : coded;
  }

  /** Recorded time to first token, or NO_TIME. */
  public long recordedTtftNanos(int r) {
    return columns.ttft == null ? NO_TIME : columns.ttft.get(r);
  }

  /** Recorded time from arrival to last token, or NO_TIME. */
  public long recordedTotalNanos(int r) {
    return columns.total == null ? NO_TIME : columns.total.get(r);
  }

  /** Recorded prompt tokens that came from a cache, or -1. */
  public int recordedCachedTokens(int r) {
    return columns.cached == null ? -1 : columns.cached.get(r);
  }

  /**
   * Whether the identity of prompt blocks is known for any request. Where it is not, what a cache
   * would hit is unknown, not nothing.
   */
  public boolean blocksKnown() {
    return columns.blocksKnown;
  }

  /**
   * Prompt tokens of which nobody knows whether a cache would hold them: all behind the last block
   * with an identity, if that leaves out a whole block; 0 if only a trailing partial block has
   * none.
   */
  public int unidentifiedTokens(int r) {
    int known = identifiedBlocks(r);
    return known < inputTokens(r) / blockSize() ? inputTokens(r) - known * blockSize() : 0;
  }

  /** Model that the request named, null where the file does not say. */
  public @Nullable String model(int r) {
    return columns.model.get(r);
  }

  /** Adapter (LoRA) that the request named, null where the file does not say. */
  public @Nullable String adapter(int r) {
    return columns.adapter.get(r);
  }

  /** Recorded worker, {@code PREFILL>DECODE} where two served it; null where there is none. */
  public @Nullable String recordedWorker(int r) {
    return columns.worker.get(r);
  }

  /** Recorded reason why the output ended, in the file's words; null where there is none. */
  public @Nullable String recordedFinishReason(int r) {
    return columns.finishReason.get(r);
  }

  /**
   * Recorded names or classes of the tools that the output called, separated by commas; null where
   * there is none.
   */
  public @Nullable String recordedTools(int r) {
    return columns.tools.get(r);
  }

  /** Where the trace comes from and how it was understood. */
  public TraceProvenance provenance() {
    return columns.provenance;
  }

  /**
   * SHA-256 of the trace's content in hexadecimal digits: equal traces have equal digests, whatever
   * file or compression they come from. Computed anew at each call.
   */
  public String digest() {
    return TraceDigest.of(this);
  }

  TraceColumns columns() {
    return columns;
  }
}
