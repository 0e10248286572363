package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyContext;

/** What a routing policy is built with. */
public interface RoutingContext extends PolicyContext {
  /** The router's index. It is kept up only if some policy asks for it here. */
  PrefixBeliefs beliefs();

  /**
   * What the workers' caches hold in truth at the moment of the decision: what no router knows. For
   * references that others are measured by.
   */
  PrefixBeliefs truth();

  /** The router's ledger of what it knows to be in flight. */
  LoadLedger load();
}
