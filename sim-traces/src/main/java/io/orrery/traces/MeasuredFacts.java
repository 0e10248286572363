package io.orrery.traces;

import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Recorded times and cached tokens of requests. What cannot have been measured is left out and
 * counted, so that it is compared with nothing.
 */
final class MeasuredFacts {
  private static final String FIRST_AFTER_LAST =
      "recorded first tokens after the recorded last ones, left out";
  private static final String BEYOND_PROMPT =
      "recorded cached tokens beyond the prompt's, left out";

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
    boolean late = isLate(ttftNanos, totalNanos);
    if (late) {
      assembler.countAt(FIRST_AFTER_LAST, request);
    }
    boolean more = cachedTokens > assembler.input.get(request);
    if (more) {
      assembler.countAt(BEYOND_PROMPT, request);
    }
    assembler.ttft.set(request, late ? Trace.NO_TIME : ttftNanos);
    assembler.total.set(request, totalNanos);
    assembler.cached.set(request, more ? RequestDraft.NONE : cachedTokens);
  }

  /** Leaves out of columns what cannot have been measured; returns how often it did, by reason. */
  static Map<String, Long> leaveOut(TraceColumns c) {
    Map<String, Long> counts = new LinkedHashMap<>();
    IntColumn cached = c.cached;
    LongColumn ttft = c.ttft;
    LongColumn total = c.total;
    for (int r = 0; r < c.input.size(); r++) {
      if (ttft != null && total != null && isLate(ttft.get(r), total.get(r))) {
        ttft.set(r, Trace.NO_TIME);
        counts.merge(FIRST_AFTER_LAST, 1L, Long::sum);
      }
      if (cached != null && cached.get(r) > c.input.get(r)) {
        cached.set(r, RequestDraft.NONE);
        counts.merge(BEYOND_PROMPT, 1L, Long::sum);
      }
    }
    return counts;
  }

  /**
   * Refuses what cannot have been measured, of requests that a program describes.
   *
   * @throws TraceException naming the first
   */
  static void require(TraceAssembler assembler) {
    for (int r = 0; r < assembler.requestCount(); r++) {
      long ttft = assembler.ttft.get(r);
      long total = assembler.total.get(r);
      if (isLate(ttft, total)) {
        throw assembler.wrong(
            r, "recordedTimes", ttft + " ns to the first token", "at most the total " + total);
      }
      long cached = assembler.cached.get(r);
      if (cached > assembler.input.get(r)) {
        throw assembler.wrong(
            r,
            "recordedCachedTokens",
            Long.toString(cached),
            "at most the prompt's " + assembler.input.get(r));
      }
    }
  }

  private static boolean isLate(long ttftNanos, long totalNanos) {
    return totalNanos != Trace.NO_TIME && ttftNanos > totalNanos;
  }
}
