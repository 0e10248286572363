package io.orrery.engine.scheduler;

/**
 * What one prefill pass of SGLang may still take ({@code PrefillAdder} of {@code
 * schedule_policy.py}, Apache-2.0): tokens of memory, of the pass, and of its chunk.
 */
final class PrefillBudget {
  /** What a request's admission says of the next one. */
  enum Verdict {
    GOES_ON,
    /** Memory is short. */
    NO_TOKEN,
    /** The pass is full. */
    STOP
  }

  private final EngineRules.Sglang rules;
  private final PagedMemory memory;
  private final int pageTokens;
  private double reserved;
  private long taken;
  private int inputLeft;
  private int chunkLeft;

  PrefillBudget(EngineRules.Sglang rules, PagedMemory memory, int pageTokens) {
    this.rules = rules;
    this.memory = memory;
    this.pageTokens = pageTokens;
  }

  /**
   * Begins a pass.
   *
   * @param ratio share of their possible output that is reserved for running requests
   */
  void begin(RunningList running, double ratio) {
    reserved = 0;
    for (int i = 0; i < running.size(); i++) {
      Sequence sequence = running.get(i);
      reserved += clipped(sequence.maxOutputTokens - sequence.outputs) * ratio;
    }
    taken = 0;
    inputLeft = rules.maxPrefillTokens();
    chunkLeft =
        rules.chunkedPrefillTokens() == 0 ? Integer.MAX_VALUE : rules.chunkedPrefillTokens();
  }

  private int clipped(int tokens) {
    return Math.min(Math.max(tokens, 0), rules.clipMaxNewTokens());
  }

  private double memoryLeft() {
    return memory.availableTokens() + memory.evictableTokens() - reserved;
  }

  /**
   * How many of {@code remaining} tokens the chunked request computes in this pass; 0 if there are
   * no pages for them.
   */
  int nextChunk(Sequence sequence, int remaining) {
    int most = (int) Math.min(chunkLeft, memoryLeft());
    int tokens = Math.min(remaining, most > 0 ? most : chunkLeft);
    int pages = memory.pages(sequence.computed + tokens) - memory.pages(sequence.computed);
    long there = memory.availableTokens() + memory.evictableTokens();
    if ((long) pages * pageTokens + pageTokens > there) {
      return 0;
    }
    charge(tokens, tokens < remaining ? 0 : clipped(sequence.maxOutputTokens), 0);
    return tokens;
  }

  /** Whether a request's tokens fit into memory beside what is reserved. */
  boolean fitsMemory(PagedRequest request, int newTokens) {
    Sequence sequence = request.sequence;
    long total =
        (long) newTokens
            + clipped(sequence.maxOutputTokens - sequence.outputs)
            + pageTokens
            + memory.stateTokens(request);
    return total < memoryLeft();
  }

  /** Whether the pass takes so many more tokens; it takes at least one request. */
  boolean fitsPass(int newTokens, boolean first) {
    return first || wholePages(newTokens) < inputLeft;
  }

  /**
   * How many of a new request's tokens are computed in this pass: all, a chunk of whole pages, or
   * none.
   *
   * @param mayChunk whether no other request is being computed in chunks
   */
  int firstPart(int newTokens, boolean mayChunk) {
    if (wholePages(newTokens) <= chunkLeft) {
      return newTokens;
    }
    return mayChunk ? chunkLeft / pageTokens * pageTokens : 0;
  }

  /** Charges an admitted request and says whether another may follow. */
  Verdict admit(PagedRequest request, int tokens, boolean whole) {
    int output = whole ? clipped(request.sequence.maxOutputTokens) : 0;
    charge(tokens, output, memory.stateTokens(request));
    if (memoryLeft() <= 0 || memory.availableTokens() + memory.evictableTokens() <= taken) {
      return Verdict.NO_TOKEN;
    }
    return inputLeft <= 0 || chunkLeft <= 0 ? Verdict.STOP : Verdict.GOES_ON;
  }

  private long wholePages(int tokens) {
    return (long) (tokens + pageTokens - 1) / pageTokens * pageTokens;
  }

  private void charge(int tokens, int outputTokens, int stateTokens) {
    long whole = wholePages(tokens);
    reserved += whole + outputTokens + pageTokens + stateTokens;
    taken += whole + pageTokens + stateTokens;
    inputLeft -= (int) whole;
    chunkLeft -= (int) whole;
  }
}
