package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import java.util.List;
import java.util.function.Function;

/** A factory from its parts. */
record NamedAdmission(
    String name,
    String summary,
    List<PolicyParameter> parameters,
    boolean namesWorkers,
    Function<AdmissionContext, AdmissionPolicy> constructor)
    implements AdmissionPolicyFactory {

  @Override
  public AdmissionPolicy create(AdmissionContext context) {
    return constructor.apply(context);
  }
}
