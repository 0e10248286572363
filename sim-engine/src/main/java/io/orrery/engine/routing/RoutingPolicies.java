package io.orrery.engine.routing;

import io.orrery.engine.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
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
          SessionAffinity.FACTORY,
          KvAware.FACTORY);

  private RoutingPolicies() {}

  /** The policies that come with Orrery. */
  public static List<RoutingPolicyFactory> builtIn() {
    return BUILT_IN;
  }

  /**
   * All policies: those that come with Orrery, then the others in the order of their names.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public static List<RoutingPolicyFactory> all() {
    List<RoutingPolicyFactory> found = new ArrayList<>();
    ServiceLoader.load(RoutingPolicyFactory.class).forEach(found::add);
    return join(found);
  }

  /**
   * The policy called {@code name}.
   *
   * @throws InvalidRoutingException if there is none; the message names the nearest, and all
   */
  public static RoutingPolicyFactory named(String name) {
    List<RoutingPolicyFactory> all = all();
    for (RoutingPolicyFactory factory : all) {
      if (factory.name().equals(name)) {
        return factory;
      }
    }
    List<String> names = all.stream().map(RoutingPolicyFactory::name).toList();
    throw new InvalidRoutingException(
        "policy",
        "unknown routing policy '" + name + "'",
        "one of " + String.join(", ", names) + NearestName.question(name, names));
  }

  static List<RoutingPolicyFactory> join(List<RoutingPolicyFactory> others) {
    List<RoutingPolicyFactory> all = new ArrayList<>(others);
    all.sort(Comparator.comparing(RoutingPolicyFactory::name));
    all.addAll(0, BUILT_IN);
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (all.get(i).name().equals(all.get(j).name())) {
          throw new IllegalArgumentException(
              "routing policy '"
                  + all.get(i).name()
                  + "' is declared twice, by "
                  + all.get(j).getClass().getName()
                  + " and "
                  + all.get(i).getClass().getName());
        }
      }
    }
    return all;
  }
}
