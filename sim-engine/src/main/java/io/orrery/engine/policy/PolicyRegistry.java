package io.orrery.engine.policy;

import io.orrery.models.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The policies of one kind by name: those that come with Orrery, then the others in the order of
 * their names.
 *
 * @param <F> how the policies are made
 */
public final class PolicyRegistry<F extends PolicyFactory> {
  private final PolicyKind kind;
  private final List<F> all;

  /**
   * @param others what is added to the built-in policies, in any order
   * @throws IllegalArgumentException if two have one name
   */
  public PolicyRegistry(PolicyKind kind, List<F> builtIn, List<F> others) {
    this.kind = kind;
    List<F> joined = new ArrayList<>(others);
    joined.sort(Comparator.comparing(PolicyFactory::name));
    joined.addAll(0, builtIn);
    for (int i = 0; i < joined.size(); i++) {
      for (int j = 0; j < i; j++) {
        refuseTwins(joined.get(j), joined.get(i));
      }
    }
    all = List.copyOf(joined);
  }

  private void refuseTwins(F first, F second) {
    if (first.name().equals(second.name())) {
      throw new IllegalArgumentException(
          kind.key()
              + " policy '"
              + first.name()
              + "' is declared twice, by "
              + first.getClass().getName()
              + " and "
              + second.getClass().getName());
    }
  }

  /** All policies. */
  public List<F> all() {
    return all;
  }

  /**
   * The policy called {@code name}.
   *
   * @throws InvalidPolicyException if there is none; the message names the nearest, and all
   */
  public F named(String name) {
    for (F factory : all) {
      if (factory.name().equals(name)) {
        return factory;
      }
    }
    List<String> names = all.stream().map(PolicyFactory::name).toList();
    throw new InvalidPolicyException(
        kind,
        "policy",
        "unknown " + kind.key() + " policy '" + name + "'",
        "one of " + String.join(", ", names) + Names.didYouMean(name, names));
  }
}
