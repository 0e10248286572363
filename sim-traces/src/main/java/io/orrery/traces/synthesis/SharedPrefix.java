package io.orrery.traces.synthesis;

/**
 * What every prompt of a session starts with. Sessions with equal model and counts share it.
 *
 * @param model name of the model
 * @param toolTokens tokens of the tool definitions, first in the prompt
 * @param systemTokens tokens of the system prompt, behind them
 * @param share of the sessions that have it
 */
record SharedPrefix(String model, int toolTokens, int systemTokens, double share) {
  int tokens() {
    return toolTokens + systemTokens;
  }
}
