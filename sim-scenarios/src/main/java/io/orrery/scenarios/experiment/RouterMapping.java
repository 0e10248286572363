package io.orrery.scenarios.experiment;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.RouterSettings;
import io.orrery.engine.routing.PlacementRule;
import io.orrery.scenarios.Variant;
import java.util.ArrayList;
import java.util.List;

/** Gives the router its placement rules, checked against the pools. */
final class RouterMapping {
  private static final String PLACEMENT = "routing.placement";

  private RouterMapping() {}

  static RouterSettings router(Variant variant, List<PoolSettings> pools) {
    List<PlacementRule> rules = new ArrayList<>();
    for (String text : variant.spec().routing().placement()) {
      try {
        rules.add(PlacementRule.parse(text));
      } catch (IllegalArgumentException e) {
        throw variant.config().refusal(PLACEMENT, "\"" + text + "\"", PlacementRule.expected());
      }
    }
    for (PlacementRule rule : rules) {
      requireOneModel(variant, rule, pools);
    }
    for (int i = 1; i < pools.size(); i++) {
      requireReachable(variant, i, rules, pools);
    }
    return variant.spec().routing().router().withPlacement(rules);
  }

  private static List<PoolSettings> meeting(PlacementRule rule, List<PoolSettings> pools) {
    List<PoolSettings> met = new ArrayList<>();
    int first = 0;
    for (PoolSettings pool : pools) {
      for (int w = first; w < first + pool.workers(); w++) {
        if (rule.meets(w, pool.name(), pool.labels())) {
          met.add(pool);
          break;
        }
      }
      first += pool.workers();
    }
    return met;
  }

  private static void requireOneModel(
      Variant variant, PlacementRule rule, List<PoolSettings> pools) {
    List<PoolSettings> met = meeting(rule, pools);
    long models = met.stream().map(PoolSettings::model).distinct().count();
    boolean demand = rule.target() != PlacementRule.Target.PREFER;
    if (met.isEmpty()) {
      throw variant
          .config()
          .refusal(PLACEMENT, "\"" + rule + "\"", "a pool, label or worker that there is");
    }
    if (demand && models > 1) {
      throw variant
          .config()
          .refusal(PLACEMENT, "\"" + rule + "\"", "workers that all serve one model");
    }
  }

  /** Requests that no rule names go to the first pool's model. */
  private static void requireReachable(
      Variant variant, int index, List<PlacementRule> rules, List<PoolSettings> pools) {
    PoolSettings pool = pools.get(index);
    boolean reachable =
        pool.model().equals(pools.get(0).model())
            || rules.stream().anyMatch(rule -> meeting(rule, pools).contains(pool));
    if (!reachable) {
      throw variant
          .config()
          .refusal(
              PoolMapping.path(index, "model"),
              pools.get(0).model()
                  + " as in pool "
                  + pools.get(0).name()
                  + ", or a rule of routing.placement that sends requests here");
    }
  }
}
