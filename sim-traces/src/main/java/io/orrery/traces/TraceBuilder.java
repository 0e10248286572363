package io.orrery.traces;

import org.jspecify.annotations.Nullable;

/**
 * Builds a trace by hand. {@link #session(String, String)} and {@link #request} open a session or a
 * request, the other methods describe the request opened last:
 *
 * <pre>{@code
 * Trace trace = Trace.builder(64)
 *     .session("a")
 *     .request("a1").input(128).output(10).blocks(1, 2).arrival(0)
 *     .request("a2").input(256).output(10).blocks(1, 2, 3, 4).afterPrevious(5_000_000)
 *     .session("b", "a")
 *     .request("b1").input(64).output(1).after("a1", EdgeTrigger.DISPATCH, 0)
 *     .build();
 * }</pre>
 *
 * Block hashes share one namespace. What is wrong with the whole shows in {@link #build}, as a
 * {@link TraceException}.
 */
public final class TraceBuilder {
  private final TraceAssembler assembler;
  private int session = -1;
  private int request = -1;

  TraceBuilder(int blockSize) {
    assembler = new TraceAssembler(blockSize);
  }

  /** Whether times of different sessions may be compared; true unless set. */
  public TraceBuilder sharedClock(boolean shared) {
    assembler.sharedClock(shared);
    return this;
  }

  /** Opens (or opens again) a root session. */
  public TraceBuilder session(String id) {
    return session(id, null);
  }

  /** Opens (or opens again) a session that another one started; that one may follow later. */
  public TraceBuilder session(String id, @Nullable String parentId) {
    session = assembler.session(id, 0);
    if (parentId != null) {
      assembler.parent(session, parentId);
    }
    return this;
  }

  /** Opens a request in the session opened last. Input and output are one token each until set. */
  public TraceBuilder request(String id) {
    if (session < 0) {
      throw new TraceException(null, 0, "request", id, "a session before it");
    }
    request = assembler.request(session, 0);
    assembler.requestId(request, id);
    return this;
  }

  /** Prompt tokens, at least one. */
  public TraceBuilder input(int tokens) {
    assembler.input(opened("input"), tokens);
    return this;
  }

  /** Generated tokens; 0 is replayed as one and counted. */
  public TraceBuilder output(int tokens) {
    assembler.output(opened("output"), tokens);
    return this;
  }

  /**
   * Hashes of the prompt's blocks; those beyond the full blocks of the prompt are dropped at the
   * end.
   */
  public TraceBuilder blocks(long... hashes) {
    assembler.prompt(opened("blocks"), hashes);
    return this;
  }

  /** Recorded start in ns. */
  public TraceBuilder arrival(long nanos) {
    assembler.arrival(opened("arrival"), nanos);
    return this;
  }

  /** Priority as the engine should see it. */
  public TraceBuilder priority(int priority) {
    assembler.priority(opened("priority"), priority);
    return this;
  }

  /**
   * Recorded times to the first and to the last token in ns, each {@link Trace#NO_TIME} if unknown,
   * the first not above the last.
   */
  public TraceBuilder recordedTimes(long ttftNanos, long totalNanos) {
    assembler.ttft.set(opened("recordedTimes"), ttftNanos);
    assembler.total.set(request, totalNanos);
    return this;
  }

  /** Recorded model, reason for the end of the output, and tools by commas; null if unknown. */
  public TraceBuilder recordedNames(
      @Nullable String model, @Nullable String finishReason, @Nullable String tools) {
    assembler.model.set(opened("recordedNames"), model);
    assembler.finishReason.set(request, finishReason);
    assembler.tools.set(request, tools);
    return this;
  }

  /** Recorded prompt tokens that came from a cache, at most as many as the prompt has. */
  public TraceBuilder recordedCachedTokens(int tokens) {
    assembler.cached.set(opened("recordedCachedTokens"), tokens);
    return this;
  }

  /**
   * Lets the request wait for another one, which may follow later. Several edges: the latest
   * decides.
   */
  public TraceBuilder after(String requestId, EdgeTrigger trigger, long delayNanos) {
    assembler.edge(opened("after"), requestId, trigger, delayNanos);
    return this;
  }

  /** Lets the request wait for the completion of the one opened before it in its session. */
  public TraceBuilder afterPrevious(long delayNanos) {
    int previous = assembler.previousInSession(opened("afterPrevious"));
    if (previous < 0) {
      throw new TraceException(
          null, 0, "afterPrevious", "the session's first request", "a request before it");
    }
    assembler.edge(request, previous, EdgeTrigger.COMPLETION, delayNanos);
    return this;
  }

  /**
   * The trace.
   *
   * @throws TraceException on an unknown parent or predecessor, a cycle, a duplicate id, a count
   *     out of range, a session without requests, a request without arrival and edges, recorded
   *     facts that cannot be
   */
  public Trace build() {
    return build(TraceProvenance.handBuilt(assembler.blockSize()));
  }

  /**
   * The trace, with what is to be said about where it comes from. Its block size and counters are
   * those that were found while building.
   */
  public Trace build(TraceProvenance provenance) {
    provenance.notes().forEach(assembler::note);
    provenance.counters().forEach(assembler::count);
    MeasuredFacts.require(assembler);
    return assembler.assembled(provenance).trace();
  }

  private int opened(String what) {
    if (request < 0) {
      throw new TraceException(null, 0, what, "no request", "a request before it");
    }
    return request;
  }
}
