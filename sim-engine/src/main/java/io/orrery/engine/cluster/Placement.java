package io.orrery.engine.cluster;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.record.RunColumns;
import io.orrery.engine.routing.PlacementRule;
import io.orrery.engine.routing.PlacementRule.Target;
import io.orrery.traces.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where requests may go by the placement rules. In a cluster of several models a request that no
 * rule names goes to the model of the first pool.
 */
final class Placement {
  private final Trace trace;
  private final RunColumns columns;
  private final List<PlacementRule> demands = new ArrayList<>();
  private final List<PlacementRule> preferences = new ArrayList<>();
  private final List<PoolSettings> poolOfWorker = new ArrayList<>();
  private final List<String> models;

  /** By demand, then for requests that meet none: the workers allowed, by id; null for all. */
  private final List<int @Nullable []> allowed = new ArrayList<>();

  Placement(Trace trace, RunColumns columns, List<PoolSettings> pools, List<PlacementRule> rules) {
    this.trace = trace;
    this.columns = columns;
    models = pools.stream().map(PoolSettings::model).distinct().toList();
    for (PoolSettings pool : pools) {
      for (int i = 0; i < pool.workers(); i++) {
        poolOfWorker.add(pool);
      }
    }
    for (PlacementRule rule : rules) {
      if (rule.target() == Target.PREFER) {
        preferences.add(rule);
      } else {
        demands.add(rule);
        allowed.add(workersThatMeet(rule));
      }
    }
    allowed.add(models.size() == 1 ? null : workersOf(pools.get(0).model()));
  }

  private int[] workersThatMeet(PlacementRule rule) {
    List<Integer> met = new ArrayList<>();
    for (int w = 0; w < poolOfWorker.size(); w++) {
      PoolSettings pool = poolOfWorker.get(w);
      if (rule.meets(w, pool.name(), pool.labels())) {
        met.add(w);
      }
    }
    if (met.isEmpty()) {
      throw new IllegalArgumentException(
          "placement: found \"" + rule + "\", expected a rule that some worker meets");
    }
    if (met.stream().map(w -> poolOfWorker.get(w).model()).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "placement: found \"" + rule + "\", expected workers that serve one model");
    }
    return met.stream().mapToInt(Integer::intValue).toArray();
  }

  private int[] workersOf(String model) {
    List<Integer> serving = new ArrayList<>();
    for (int w = 0; w < poolOfWorker.size(); w++) {
      if (poolOfWorker.get(w).model().equals(model)) {
        serving.add(w);
      }
    }
    return serving.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The workers that the request of {@code row} may go to, by id; null for all. */
  int @Nullable [] allowed(int row) {
    return allowed.get(demand(row));
  }

  /** Whether the request of {@code row} may go to {@code worker}. */
  boolean allows(int row, int worker) {
    int[] workers = allowed(row);
    return workers == null || Arrays.stream(workers).anyMatch(w -> w == worker);
  }

  /** The number of the model that serves the request of {@code row}. */
  int model(int row) {
    if (models.size() == 1) {
      return 0;
    }
    int[] workers = allowed(row);
    return workers == null ? 0 : models.indexOf(poolOfWorker.get(workers[0]).model());
  }

  /** Models of the cluster. */
  int models() {
    return models.size();
  }

  boolean hasPreferences() {
    return !preferences.isEmpty();
  }

  /** The sum of the preferences of the request of {@code row} for {@code worker}. */
  double preference(int row, int worker) {
    double sum = 0;
    PoolSettings pool = poolOfWorker.get(worker);
    for (PlacementRule rule : preferences) {
      if (rule.meets(worker, pool.name(), pool.labels()) && holds(rule, row)) {
        sum += rule.weight();
      }
    }
    return sum;
  }

  private int demand(int row) {
    for (int i = 0; i < demands.size(); i++) {
      if (holds(demands.get(i), row)) {
        return i;
      }
    }
    return demands.size();
  }

  private boolean holds(PlacementRule rule, int row) {
    int r = columns.request(row);
    int session = trace.session(r);
    return rule.holds(
        trace.sessionId(session), trace.parentSession(session) >= 0, trace.inputTokens(r));
  }
}
