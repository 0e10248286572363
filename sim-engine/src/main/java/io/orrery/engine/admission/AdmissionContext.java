package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyContext;

/** What an admission policy is built with. */
public interface AdmissionContext extends PolicyContext {
  /** Tokens that the KV cache of {@code worker} holds: usable blocks times block size. */
  long capacityTokens(int worker);

  /** Output tokens that {@code request} has got so far: 0 unless it is on a worker. */
  int outputTokens(int request);

  /** Where held requests are released, and where a policy says what it does with sessions. */
  Gate gate();
}
