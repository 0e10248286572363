package io.orrery.engine.admission;

/**
 * What a policy believes about the KV caches, for one that keeps account of sessions. The engine
 * writes it down beside the true use after every {@linkplain AdmissionPolicy#tick tick}.
 */
public interface SessionLedger {
  /** Tokens that the policy counts as in use on {@code worker}, by sessions in whatever state. */
  long usedTokens(int worker);

  /** Of these, the tokens of sessions with a request on its way. */
  long reasoningTokens(int worker);
}
