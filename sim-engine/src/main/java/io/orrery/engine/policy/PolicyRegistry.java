package io.orrery.engine.policy;

import io.orrery.models.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The policies of one kind by name: those that come with Orrery, then the others in the order of
 * their names.
 *
 * @param <F> how the policies are made
 */
public final class PolicyRegistry<F extends PolicyFactory> {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]+([-.][a-z0-9]+)*");

  private final PolicyKind kind;
  private final List<F> all;

  /**
   * @param others what is added to the built-in policies, in any order
   * @throws InvalidPluginException if two have one name, or one has no proper name, summary or
   *     parameters
   */
  public PolicyRegistry(PolicyKind kind, List<F> builtIn, List<F> others) {
    this.kind = kind;
    others.forEach(PolicyRegistry::requireDescribed);
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

  private static void requireDescribed(PolicyFactory policy) {
    String fault = null;
    String name = policy.name();
    if (name == null || !NAME.matcher(name).matches()) {
      fault = "found the name " + name + ", expected one as my-policy";
    } else if (policy.summary() == null || policy.summary().isBlank()) {
      fault = "found no summary, expected a sentence";
    } else if (policy.parameters() == null) {
      fault = "found null, expected a list of parameters";
    } else {
      try {
        PolicyParameters.resolve(policy, Collections.emptyMap());
      } catch (InvalidPolicyException e) {
        fault = "found a default that it does not take: " + e.getMessage();
      }
    }
    if (fault != null) {
      throw new InvalidPluginException(
          policy.kind().key() + " policy " + policy.getClass().getName() + ": " + fault);
    }
  }

  private void refuseTwins(F first, F second) {
    if (first.name().equals(second.name())) {
      throw new InvalidPluginException(
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
