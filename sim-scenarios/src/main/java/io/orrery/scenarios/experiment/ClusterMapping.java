package io.orrery.scenarios.experiment;

import io.orrery.engine.AdmissionSettings;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.admission.AdmissionPolicies;
import io.orrery.engine.admission.AdmissionPolicyFactory;
import io.orrery.engine.policy.InvalidPolicyException;
import io.orrery.engine.policy.PolicyParameters;
import io.orrery.engine.routing.RoutingPolicies;
import io.orrery.engine.routing.RoutingPolicyFactory;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.StepTimeProfile;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.AdmissionSpec;
import io.orrery.scenarios.spec.PoolSpec;
import io.orrery.scenarios.spec.RoutingSpec;
import io.orrery.scenarios.text.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Builds clusters. Workers that are alike share one step-time model, also between variants. */
final class ClusterMapping {
  private final Catalog catalog = Catalog.bundled();
  private final StepTimes stepTimes;

  ClusterMapping() {
    stepTimes = new StepTimes(catalog, null);
  }

  /** Clusters whose workers all have this profile. */
  ClusterMapping(StepTimeProfile profile) {
    stepTimes = new StepTimes(catalog, profile);
  }

  Cluster cluster(Variant variant) {
    List<PoolSettings> pools = new ArrayList<>();
    List<Deployment> workers = new ArrayList<>();
    SortedMap<String, String> models = new TreeMap<>();
    Set<String> assumptions = new LinkedHashSet<>();
    List<PoolSpec> specs = variant.spec().pools();
    for (int i = 0; i < specs.size(); i++) {
      PoolMapping pool = new PoolMapping(variant, i, catalog, stepTimes);
      pools.add(pool.settings());
      workers.add(pool.worker());
      pool.modelDigest().ifPresent(digest -> models.put(pool.settings().name(), digest));
      assumptions.addAll(pool.assumptions());
    }
    ClusterCost cost = ClusterCost.of(variant.spec().cost(), specs, workers);
    assumptions.addAll(cost.assumptions());
    RoutingSpec routing = variant.spec().routing();
    Map<String, String> parameters = texts(routing.parameters());
    return new Cluster(
        pools,
        policy(variant, parameters),
        parameters,
        RouterMapping.router(variant, pools),
        admission(variant, pools),
        new StepTimeSources(stepTimes.profile(variant), stepTimes.tables(variant, workers), models),
        workers,
        cost,
        new ArrayList<>(assumptions));
  }

  private static AdmissionSettings admission(Variant variant, List<PoolSettings> pools) {
    AdmissionSpec spec = variant.spec().admission();
    Map<String, String> parameters = texts(spec.parameters());
    try {
      AdmissionPolicyFactory policy = AdmissionPolicies.named(spec.policy());
      PolicyParameters.resolve(policy, parameters);
      boolean oneModel = pools.stream().map(PoolSettings::model).distinct().count() == 1;
      if (policy.namesWorkers() && !(oneModel && variant.spec().routing().placement().isEmpty())) {
        throw variant
            .config()
            .refusal(
                "admission.policy",
                policy.name(),
                "a policy that names no workers, as max-concurrency, where there are several models or"
                    + " routing.placement");
      }
      return new AdmissionSettings(policy, parameters);
    } catch (InvalidPolicyException e) {
      throw variant.config().refusal(e.path(), e.found(), e.expected());
    }
  }

  private static Map<String, String> texts(Map<String, Value> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((name, value) -> texts.put(name, value.text()));
    return texts;
  }

  private static RoutingPolicyFactory policy(Variant variant, Map<String, String> parameters) {
    try {
      RoutingPolicyFactory policy = RoutingPolicies.named(variant.spec().routing().policy());
      PolicyParameters.resolve(policy, parameters);
      return policy;
    } catch (InvalidPolicyException e) {
      throw variant.config().refusal(e.path(), e.found(), e.expected());
    }
  }
}
