package io.orrery.reports.decisions;

import io.orrery.engine.RequestState;
import io.orrery.engine.record.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A decision with what came before and after it. Times are nanoseconds.
 *
 * @param request the request's id in the trace
 * @param session its session's id
 * @param copy which recycling of the trace it belongs to, from 0
 * @param inputTokens prompt length
 * @param blockSize tokens in a block
 * @param arrivalNanos when the client sent it
 * @param pauseReason why admission held it, or null
 * @param pausedNanos how long
 * @param waitReason why it waited at the router, {@code work} or {@code queue}, or null
 * @param waitedNanos how long
 * @param decision the decision
 * @param foundTokens prompt tokens that the engine found cached; -1 if it never looked
 * @param outcome how it ended; null if it had not by the end of the run
 */
public record DecisionRow(
    String request,
    String session,
    int copy,
    int inputTokens,
    int blockSize,
    long arrivalNanos,
    @Nullable String pauseReason,
    long pausedNanos,
    @Nullable String waitReason,
    long waitedNanos,
    Decision decision,
    int foundTokens,
    @Nullable RequestState outcome) {

  /** Prompt tokens that the router believed the worker to hold; -1 if nobody had a belief. */
  public int believedTokens() {
    for (int i = 0; i < decision.workers().length; i++) {
      if (decision.workers()[i] == decision.worker()) {
        int blocks = decision.believedBlocks()[i];
        return blocks < 0 ? -1 : Math.min(blocks * blockSize, inputTokens);
      }
    }
    return -1;
  }
}
