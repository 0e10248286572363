package io.orrery.engine;

import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which admission policy a run has.
 *
 * @param policy makes it
 * @param parameters given to it, by name, as written
 */
public record AdmissionSettings(AdmissionPolicyFactory policy, Map<String, String> parameters) {
  /** Every request passes at once. */
  public static final AdmissionSettings NONE =
      new AdmissionSettings(AdmissionPolicies.NONE, Collections.emptyMap());

  /** A policy with these parameters, kept in the order of their names. */
  public AdmissionSettings {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }
}
