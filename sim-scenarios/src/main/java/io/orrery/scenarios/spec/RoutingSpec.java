package io.orrery.scenarios.spec;

import io.orrery.engine.RouterSettings;
import io.orrery.scenarios.text.Value;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which worker gets a request.
 *
 * @param policy the policy's name
 * @param parameters the parameters written for this policy, by name; unchecked, since the policy
 *     declares its own
 * @param router how the router works, without its placement rules
 * @param placement placement rules as written, unchecked
 */
public record RoutingSpec(
    String policy, Map<String, Value> parameters, RouterSettings router, List<String> placement) {
  /** A policy with these parameters, kept in the order of their names. */
  public RoutingSpec {
    placement = List.copyOf(placement);
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
  }
}
