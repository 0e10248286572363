package io.orrery.engine.policy;

import java.util.List;

/** Describes a policy: its name, what it does, and what it can be told. */
public interface PolicyFactory {
  /** What the policy decides. */
  PolicyKind kind();

  /** The name in scenarios, in kebab case. */
  String name();

  /** One sentence: what it does. */
  String summary();

  /** The parameters it takes. */
  List<PolicyParameter> parameters();

  /**
   * Checks what no parameter's own range says: values that do not go together.
   *
   * @param parameters all of them, each in its range
   * @throws InvalidPolicyException if they do not
   */
  default void check(PolicyParameters parameters) {}
}
