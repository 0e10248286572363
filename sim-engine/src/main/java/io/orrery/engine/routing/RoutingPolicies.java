package io.orrery.engine.routing;

import io.orrery.engine.policy.InvalidPolicyException;
import io.orrery.engine.policy.PolicyKind;
import io.orrery.engine.policy.PolicyRegistry;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The routing policies by name: those that come with Orrery, one line each, and those that {@link
 * ServiceLoader} finds.
 */
public final class RoutingPolicies {
  private static final List<RoutingPolicyFactory> BUILT_IN =
      List.of(
          RoundRobin.FACTORY,
          UniformRandom.FACTORY,
          LeastLoaded.FACTORY,
          PowerOfTwo.FACTORY,
          Weighted.FACTORY,
          SessionAffinity.FACTORY,
          ConsistentHash.FACTORY,
          Rendezvous.FACTORY,
          GlobalLoadBalancer.FACTORY,
          KvOnly.FACTORY,
          KvAware.FACTORY,
          KvAware.APPROXIMATE,
          KvAware.PREDICTED,
          KvAware.DYNAMO_2026_07,
          KvAware.DYNAMO_LOAD_AWARE_2026_07,
          KvAware.DYNAMO_AGENTIC_2026_07,
          KvAware.DYNAMO_LMETRIC_2026_07,
          CacheAware.FACTORY,
          CacheAware.SGLANG_2024_12,
          Scorers.FACTORY,
          Scorers.LLM_D_PRECISE,
          OracleRouting.FACTORY);

  private RoutingPolicies() {}

  /** The policies that come with Orrery. */
  public static List<RoutingPolicyFactory> builtIn() {
    return BUILT_IN;
  }

  /**
   * The built-in policies with {@code others}.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public static PolicyRegistry<RoutingPolicyFactory> with(List<RoutingPolicyFactory> others) {
    return new PolicyRegistry<>(PolicyKind.ROUTING, BUILT_IN, others);
  }

  /**
   * All policies on the class path: those that come with Orrery, then the others in the order of
   * their names.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public static List<RoutingPolicyFactory> all() {
    return onClassPath().all();
  }

  /**
   * The policy on the class path called {@code name}.
   *
   * @throws InvalidPolicyException if there is none; the message names the nearest, and all
   */
  public static RoutingPolicyFactory named(String name) {
    return onClassPath().named(name);
  }

  private static PolicyRegistry<RoutingPolicyFactory> onClassPath() {
    return with(
        ServiceLoader.load(RoutingPolicyFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }
}
