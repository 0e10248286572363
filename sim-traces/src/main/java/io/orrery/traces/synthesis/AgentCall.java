package io.orrery.traces.synthesis;

/**
 * One request of a synthetic session.
 *
 * @param blocks the prompt's full blocks
 * @param inputTokens prompt tokens
 * @param outputTokens generated tokens
 * @param endsTurn whether the answer is for the user; else it calls a tool
 * @param waitMillis from the end of the session's request before to this one's start
 * @param serviceMillis from this one's start to its end, as it would have been recorded
 */
record AgentCall(
    BlockRuns blocks,
    int inputTokens,
    int outputTokens,
    boolean endsTurn,
    long waitMillis,
    long serviceMillis) {
  AgentCall after(long otherWaitMillis) {
    return new AgentCall(
        blocks, inputTokens, outputTokens, endsTurn, otherWaitMillis, serviceMillis);
  }
}
