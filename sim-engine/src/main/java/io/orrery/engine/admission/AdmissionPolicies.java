package io.orrery.engine.admission;

import io.orrery.engine.policy.InvalidPolicyException;
import io.orrery.engine.policy.PolicyKind;
import io.orrery.engine.policy.PolicyRegistry;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The admission policies by name: those that come with Orrery, one line each, and those that {@link
 * ServiceLoader} finds.
 */
public final class AdmissionPolicies {
  /** Lets every request pass at once; the default. */
  public static final AdmissionPolicyFactory NONE = NoAdmission.FACTORY;

  private static final List<AdmissionPolicyFactory> BUILT_IN =
      List.of(
          NONE,
          MaxConcurrency.FACTORY,
          TokenBucket.FACTORY,
          ThunderAgentUpstream.FACTORY,
          DynamoPython.FIRST_VERSION,
          DynamoPython.FACTORY,
          DynamoNative.FACTORY);

  private AdmissionPolicies() {}

  /** The policies that come with Orrery. */
  public static List<AdmissionPolicyFactory> builtIn() {
    return BUILT_IN;
  }

  /**
   * The built-in policies with {@code others}.
   *
   * @throws io.orrery.engine.policy.InvalidPluginException if two have one name
   */
  public static PolicyRegistry<AdmissionPolicyFactory> with(List<AdmissionPolicyFactory> others) {
    return new PolicyRegistry<>(PolicyKind.ADMISSION, BUILT_IN, others);
  }

  /**
   * All policies on the class path: those that come with Orrery, then the others in the order of
   * their names.
   *
   * @throws io.orrery.engine.policy.InvalidPluginException if two have one name
   */
  public static List<AdmissionPolicyFactory> all() {
    return onClassPath().all();
  }

  /**
   * The policy on the class path called {@code name}.
   *
   * @throws InvalidPolicyException if there is none; the message names the nearest, and all
   */
  public static AdmissionPolicyFactory named(String name) {
    return onClassPath().named(name);
  }

  private static PolicyRegistry<AdmissionPolicyFactory> onClassPath() {
    return with(
        ServiceLoader.load(AdmissionPolicyFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }
}
