package io.orrery.scenarios.spec;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A pool of equal workers.
 *
 * @param gpu the GPU's name in the catalogue
 * @param model the model's name in the catalogue, or the path of its config.json as it was written
 * @param expertParallel groups of a worker's GPUs that routed experts are dealt to
 * @param attentionDataParallel ranks of a worker with sequences of their own
 * @param weightPrecision the name of the weights' precision
 * @param kvPrecision the name of the KV cache's precision
 * @param gpuMemoryUtilization share of a GPU's memory that the engine may use, above 0 and up to 1;
 *     empty is the engine preset's
 * @param weight of a worker for policies that share out load by weight
 * @param labels what placement rules can ask for
 */
public record PoolSpec(
    String name,
    PoolRole role,
    int workers,
    String gpu,
    String model,
    int tensorParallel,
    int pipelineParallel,
    int expertParallel,
    int attentionDataParallel,
    String weightPrecision,
    String kvPrecision,
    OptionalDouble gpuMemoryUtilization,
    double weight,
    List<String> labels) {
  /** A pool with these labels. */
  public PoolSpec {
    labels = List.copyOf(labels);
  }

  /** GPUs of one worker. */
  public int gpusPerWorker() {
    return Math.multiplyExact(tensorParallel, pipelineParallel);
  }

  /** GPUs of the pool. */
  public long gpus() {
    return (long) workers * gpusPerWorker();
  }
}
