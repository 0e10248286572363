package io.orrery.engine;

import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.StepTimeModel;
import java.util.List;

/**
 * Workers with one role.
 *
 * @param name the pool's name
 * @param workers how many
 * @param gpusPerWorker GPUs of each (TP × PP)
 * @param scheduler settings of each worker's scheduler; {@code maxModelLength} is what the model
 *     and the pool allow
 * @param stepTime how long a step takes
 * @param model name of the model that is served; blocks of different models are different blocks
 * @param weight the worker's weight for policies that share out load by weight, above 0
 * @param labels what placement rules can ask for
 */
public record PoolSettings(
    String name,
    int workers,
    int gpusPerWorker,
    SchedulerSettings scheduler,
    StepTimeModel stepTime,
    String model,
    double weight,
    List<String> labels) {
  public PoolSettings {
    labels = List.copyOf(labels);
    if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("weight: found " + weight + ", expected above 0");
    }
    if (workers < 1) {
      throw new IllegalArgumentException("workers: found " + workers + ", expected at least 1");
    }
    if (scheduler.speculation().draftNanos().isEmpty() && stepTime.draftHead().isEmpty()) {
      throw new IllegalArgumentException(
          "stepTime: found "
              + stepTime.name()
              + " without a draft head, expected one, or the time of drafting a token");
    }
    if (gpusPerWorker < 1) {
      throw new IllegalArgumentException(
          "gpusPerWorker: found " + gpusPerWorker + ", expected at least 1");
    }
  }

  /** A pool of weight 1 without labels, in a cluster of one model. */
  public PoolSettings(
      String name,
      int workers,
      int gpusPerWorker,
      SchedulerSettings scheduler,
      StepTimeModel stepTime) {
    this(name, workers, gpusPerWorker, scheduler, stepTime, "", 1, List.of());
  }
}
