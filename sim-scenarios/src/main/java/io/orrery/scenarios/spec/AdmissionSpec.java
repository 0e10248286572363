package io.orrery.scenarios.spec;

import io.orrery.scenarios.text.Value;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether a request may go to a worker now.
 *
 * @param policy the policy's name
 * @param parameters the parameters written for this policy, by name; unchecked, since the policy
 *     declares its own
 */
public record AdmissionSpec(String policy, Map<String, Value> parameters) {
  /** A policy with these parameters, kept in the order of their names. */
  public AdmissionSpec {
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
  }
}
