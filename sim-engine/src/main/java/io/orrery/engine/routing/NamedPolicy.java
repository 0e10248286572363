package io.orrery.engine.routing;

import io.orrery.engine.policy.PolicyParameter;
import java.util.List;
import java.util.function.Function;

/** A factory from its parts. */
record NamedPolicy(
    String name,
    String summary,
    List<PolicyParameter> parameters,
    Function<RoutingContext, RoutingPolicy> constructor)
    implements RoutingPolicyFactory {

  @Override
  public RoutingPolicy create(RoutingContext context) {
    return constructor.apply(context);
  }
}
