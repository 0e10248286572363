package io.orrery.traces;

/**
 * Recorded times and cached tokens of requests. What cannot have been measured is left out and
 * counted, so that it is compared with nothing.
 */
final class MeasuredFacts {
  private MeasuredFacts() {}

  /**
   * Sets the facts of a request whose prompt's length is known.
   *
   * @param ttftNanos time to first token, {@link Trace#NO_TIME} if unknown
   * @param totalNanos time to the last token, {@link Trace#NO_TIME} if unknown
   * @param cachedTokens prompt tokens out of a cache, below 0 if unknown
   */
  static void set(
      TraceAssembler assembler, int request, long ttftNanos, long totalNanos, int cachedTokens) {
    boolean late = totalNanos != Trace.NO_TIME && ttftNanos > totalNanos;
    if (late) {
      assembler.countAt("recorded first tokens after the recorded last ones, left out", request);
    }
    boolean more = cachedTokens > assembler.input.get(request);
    if (more) {
      assembler.countAt("recorded cached tokens beyond the prompt's, left out", request);
    }
    assembler.ttft.set(request, late ? Trace.NO_TIME : ttftNanos);
    assembler.total.set(request, totalNanos);
    assembler.cached.set(request, more ? RequestDraft.NONE : cachedTokens);
  }
}
