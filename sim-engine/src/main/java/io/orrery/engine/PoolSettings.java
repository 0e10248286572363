package io.orrery.engine;

import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.StepTimeModel;

/**
 * Workers with one role.
 *
 * @param name the pool's name
 * @param workers how many
 * @param gpusPerWorker GPUs of each (TP × PP)
 * @param scheduler settings of each worker's scheduler; {@code maxModelLength} is what the model
 *     and the pool allow
 * @param stepTime how long a step takes
 */
public record PoolSettings(
    String name,
    int workers,
    int gpusPerWorker,
    SchedulerSettings scheduler,
    StepTimeModel stepTime) {
  public PoolSettings {
    if (workers < 1) {
      throw new IllegalArgumentException("workers: found " + workers + ", expected at least 1");
    }
    if (gpusPerWorker < 1) {
      throw new IllegalArgumentException(
          "gpusPerWorker: found " + gpusPerWorker + ", expected at least 1");
    }
  }
}
