package io.orrery.engine.admission;

import io.orrery.engine.routing.RoutedRequest;
import java.util.List;

/** Lets every request pass at once. */
public final class NoAdmission implements AdmissionPolicy {
  static final AdmissionPolicyFactory FACTORY =
      new NamedAdmission(
          "none",
          "Lets every request pass at once.",
          List.of(),
          false,
          context -> new NoAdmission());

  private NoAdmission() {}

  @Override
  public Verdict arrived(RoutedRequest request) {
    return Verdict.ADMIT;
  }
}
