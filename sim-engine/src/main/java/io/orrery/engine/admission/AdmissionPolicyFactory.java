package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyFactory;
import io.orrery.engine.policy.PolicyKind;

/**
 * Describes an admission policy and makes it. {@link AdmissionPolicies} lists the ones that come
 * with Orrery; others are found with {@link java.util.ServiceLoader}.
 */
public interface AdmissionPolicyFactory extends PolicyFactory {
  @Override
  default PolicyKind kind() {
    return PolicyKind.ADMISSION;
  }

  /**
   * Whether the policy may name workers. One that does knows nothing of placement rules and models,
   * and cannot be used where these matter.
   */
  default boolean namesWorkers() {
    return true;
  }

  /** Makes the policy of one run. */
  AdmissionPolicy create(AdmissionContext context);
}
