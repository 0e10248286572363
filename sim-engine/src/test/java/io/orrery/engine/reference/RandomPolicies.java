package io.orrery.engine.reference;

import io.orrery.engine.AdmissionSettings;
import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.policy.PolicyParameter;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.routing.RoutingPolicyFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Random routing and admission policies with parameters that fit the run. */
final class RandomPolicies {
  private final SplittableRandom random;
  private final long unitNanos;

  /**
   * @param unitNanos what most times are multiples of
   */
  RandomPolicies(SplittableRandom random, long unitNanos) {
    this.random = random;
    this.unitNanos = unitNanos;
  }

  RoutingPolicyFactory routing() {
    List<RoutingPolicyFactory> policies = new ArrayList<>(RoutingPolicies.builtIn());
    for (ProbePolicy.Kind kind : ProbePolicy.Kind.values()) {
      policies.add(ProbePolicy.factory(kind));
    }
    // One that sees everything finds most.
    policies.add(ProbePolicy.factory(ProbePolicy.Kind.EVERYTHING));
    policies.add(ProbePolicy.factory(ProbePolicy.Kind.EVERYTHING));
    return policies.get(random.nextInt(policies.size()));
  }

  /**
   * Mostly one that holds requests back, with times that fit the run's.
   *
   * @param recycle whether sessions start over without end, so that none may be refused at once
   */
  AdmissionSettings admission(boolean recycle) {
    if (random.nextInt(3) == 0) {
      return AdmissionSettings.NONE;
    }
    List<AdmissionPolicyFactory> policies = new ArrayList<>(AdmissionPolicies.builtIn());
    if (!recycle) {
      policies.add(ProbeAdmission.FACTORY);
      policies.add(ProbeAdmission.FACTORY);
    }
    AdmissionPolicyFactory policy = policies.get(random.nextInt(policies.size()));
    Map<String, String> values = new TreeMap<>();
    // Where steps last milliseconds, ticks every few nanoseconds would fill the run.
    long unit = random.nextInt(4) == 0 ? unitNanos : Math.max(unitNanos, 1_000_000);
    for (PolicyParameter parameter : policy.parameters()) {
      String name = parameter.name();
      switch (parameter.kind()) {
        case DURATION -> {
          if (parameter.minimum() < 1e-3) {
            int most = name.equals("schedulerInterval") ? 20 : 200;
            values.put(name, (1 + random.nextInt(most)) * unit + " ns");
          }
        }
        case CHOICE ->
            values.put(name, parameter.choices().get(random.nextInt(parameter.choices().size())));
        default -> admissionNumber(name, values);
      }
    }
    if (recycle) {
      values.remove("maxTrackedRequests");
    }
    if ("0.5".equals(values.get("pauseThreshold"))) {
      values.put("pauseTarget", "0.4");
    }
    return new AdmissionSettings(policy, values);
  }

  private void admissionNumber(String name, Map<String, String> values) {
    switch (name) {
      case "limit" -> values.put(name, Integer.toString(1 + random.nextInt(4)));
      case "rate" -> values.put(name, List.of("2e8", "3e9").get(random.nextInt(2)));
      case "burst" -> values.put(name, Integer.toString(1 + random.nextInt(30)));
      case "bufferPerProgram" -> values.put(name, Integer.toString(random.nextInt(20)));
      case "announcedEnds" -> values.put(name, List.of("0", "0.5", "1").get(random.nextInt(3)));
      case "maxTrackedRequests" ->
          values.put(name, Integer.toString(1 + random.nextInt(random.nextBoolean() ? 4 : 40)));
      case "charactersPerToken" -> values.put(name, List.of("5", "3.7").get(random.nextInt(2)));
      case "actingTokenWeight" -> values.put(name, List.of("1", "0.3").get(random.nextInt(2)));
      case "pauseThreshold" -> values.put(name, List.of("0.95", "0.5").get(random.nextInt(2)));
      case "resumeHysteresis" -> values.put(name, List.of("0.10", "0").get(random.nextInt(2)));
      default -> {}
    }
  }

  /** Sets some of a policy's parameters to values in their range. */
  Map<String, String> parameters(RoutingPolicyFactory policy) {
    Map<String, String> values = new TreeMap<>();
    for (PolicyParameter parameter : policy.parameters()) {
      if (random.nextInt(3) == 0) {
        switch (parameter.kind()) {
          case WHOLE -> values.put(parameter.name(), Integer.toString(1 + random.nextInt(4)));
          case NUMBER -> {
            double value =
                Math.max(
                    parameter.minimum(),
                    List.of(0, 0.5, 1, 7).get(random.nextInt(4)).doubleValue());
            values.put(parameter.name(), Double.toString(Math.min(parameter.maximum(), value)));
          }
          case DURATION ->
              values.put(
                  parameter.name(),
                  Math.max((long) (parameter.minimum() * 1e9), random.nextLong(20 * unitNanos))
                      + " ns");
          case CHOICE ->
              values.put(
                  parameter.name(),
                  parameter.choices().get(random.nextInt(parameter.choices().size())));
        }
      }
    }
    return values;
  }
}
