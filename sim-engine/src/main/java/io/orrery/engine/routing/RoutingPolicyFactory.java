package io.orrery.engine.routing;

import java.util.List;

/**
 * Describes a policy and makes it. {@link RoutingPolicies} lists the ones that come with Orrery;
 * others are found with {@link java.util.ServiceLoader}.
 */
public interface RoutingPolicyFactory {
  /** The name in scenarios, in kebab case. */
  String name();

  /** One sentence: what it does. */
  String summary();

  /** The parameters it takes. */
  List<RoutingParameter> parameters();

  /** Makes the policy of one run. */
  RoutingPolicy create(RoutingContext context);
}
