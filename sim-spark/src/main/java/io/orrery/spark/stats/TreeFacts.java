package io.orrery.spark.stats;

import io.orrery.reports.traces.TraceNumber;
import io.orrery.traces.TraceStatistics;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What a tree of sessions says, apart from what is between trees.
 *
 * @param counts of the tree alone; what it says of blocks seen before is of no use
 * @param samples of the numbers that are one for each request or session
 * @param rootStart of its root session's first request, ns
 * @param firstStart the earliest, ns
 * @param lastStart the latest, ns
 * @param end the latest recorded end, or start, ns
 * @param from when the requests started of which it is recorded how long they took, ns
 * @param to when they ended, ns
 * @param touches of blocks
 */
record TreeFacts(
    Counts counts,
    Map<TraceNumber, long[]> samples,
    long rootStart,
    long firstStart,
    long lastStart,
    long end,
    long[] from,
    long[] to,
    List<Touch> touches)
    implements Serializable {
  /** What adds up over trees. */
  record Counts(
      long requests,
      long sessions,
      long topLevelRequests,
      long input,
      long topLevelInput,
      long output,
      long promptBlocks,
      long sessionReused,
      long topLevelSessionReused,
      long unidentified,
      long unidentifiedRequests,
      long trees,
      long timed)
      implements Serializable {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static Counts of(TraceStatistics tree, long partialBlocks, long timed) {
      return new Counts(
          tree.requests(),
          tree.sessions(),
          tree.topLevelRequests(),
          tree.inputTokens(),
          tree.topLevelInputTokens(),
          tree.outputTokens(),
          tree.promptBlocks() + partialBlocks,
          tree.sessionReusedTokens(),
          tree.topLevelSessionReusedTokens(),
          tree.unidentifiedTokens(),
          tree.unidentifiedRequests(),
          1,
          timed);
    }

    Counts and(Counts other) {
      return new Counts(
          requests + other.requests,
          sessions + other.sessions,
          topLevelRequests + other.topLevelRequests,
          input + other.input,
          topLevelInput + other.topLevelInput,
          output + other.output,
          promptBlocks + other.promptBlocks,
          sessionReused + other.sessionReused,
          topLevelSessionReused + other.topLevelSessionReused,
          unidentified + other.unidentified,
          unidentifiedRequests + other.unidentifiedRequests,
          trees + other.trees,
          timed + other.timed);
    }
  }
}
