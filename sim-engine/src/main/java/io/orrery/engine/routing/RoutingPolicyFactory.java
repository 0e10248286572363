package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyFactory;
import io.orrery.engine.policy.PolicyKind;

/**
 * Describes a routing policy and makes it. {@link RoutingPolicies} lists the ones that come with
 * Orrery; others are found with {@link java.util.ServiceLoader}.
 */
public interface RoutingPolicyFactory extends PolicyFactory {
  @Override
  default PolicyKind kind() {
    return PolicyKind.ROUTING;
  }

  /** Makes the policy of one run. */
  RoutingPolicy create(RoutingContext context);
}
