package io.orrery.engine.admission;

import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.policy.PolicyParameters;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A factory from its parts. */
record NamedAdmission(
    String name,
    String summary,
    List<PolicyParameter> parameters,
    boolean namesWorkers,
    Consumer<PolicyParameters> together,
    Function<AdmissionContext, AdmissionPolicy> constructor)
    implements AdmissionPolicyFactory {

  /** A factory of a policy whose parameters all go together. */
  NamedAdmission(
      String name,
      String summary,
      List<PolicyParameter> parameters,
      boolean namesWorkers,
      Function<AdmissionContext, AdmissionPolicy> constructor) {
    this(name, summary, parameters, namesWorkers, given -> {}, constructor);
  }

  @Override
  public void check(PolicyParameters given) {
    together.accept(given);
  }

  @Override
  public AdmissionPolicy create(AdmissionContext context) {
    return constructor.apply(context);
  }
}
