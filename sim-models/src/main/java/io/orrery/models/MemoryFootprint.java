package io.orrery.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where the memory of a worker's GPUs goes, and how many tokens its KV cache holds.
 *
 * <p>Per GPU, in bytes: {@code usable = floor(memory × utilization) = weights + activations +
 * reserve + kv}. All GPUs of a stage are alike; stages differ in layers, and the first and last one
 * hold embedding and output projection. A token needs its KV in every stage, so the stage that
 * holds the fewest tokens decides.
 *
 * <p>KV is counted for every layer and every token, sliding-window layers included. That is vLLM
 * with its hybrid KV cache manager off. With the manager on, running sequences need less, but each
 * computed token still takes a block of both kinds of layers through the one free queue, so that
 * under eviction pressure a finished context stays about as long as counted here.
 */
public final class MemoryFootprint {
  private static final double GIB = 1024.0 * 1024 * 1024;

  /** Largest pipeline that is tried when suggesting what would fit. */
  private static final int MAX_SUGGESTED_STAGES = 16;

  private final Deployment deployment;
  private final long usableBytes;
  private final long activationBytes;
  private final long reserveBytes;
  private final List<Stage> stages;

  /**
   * One GPU of a pipeline stage.
   *
   * @param layers layers of the stage
   * @param weightBytes its weights
   * @param kvBytes what is left for the KV cache
   * @param kvBytesPerToken KV bytes of one token in the stage's layers
   */
  public record Stage(int layers, long weightBytes, long kvBytes, double kvBytesPerToken) {
    /** Tokens that the stage's KV cache holds. */
    public long kvTokens() {
      return (long) Math.floor(kvBytes / kvBytesPerToken);
    }
  }

  private MemoryFootprint(
      Deployment deployment, MemoryRules rules, double utilization, int maxBatchedTokens) {
    this.deployment = deployment;
    this.usableBytes = (long) Math.floor(deployment.gpu().memoryBytes() * utilization);
    this.activationBytes = rules.activationBytes(deployment, maxBatchedTokens);
    this.reserveBytes = rules.reserveBytes(deployment);
    this.stages = layOut();
  }

  /**
   * Lays out a worker's memory.
   *
   * @param deployment the worker
   * @param rules what engines keep for themselves
   * @param gpuMemoryUtilization share of the memory that the engine takes, in (0, 1]; see {@link
   *     MemoryRules#gpuMemoryUtilization}
   * @param maxBatchedTokens largest number of new tokens in a pass, at least 1
   * @throws DoesNotFitException if nothing is left for the KV cache
   * @throws IllegalArgumentException if a number is out of range
   */
  public static MemoryFootprint of(
      Deployment deployment, MemoryRules rules, double gpuMemoryUtilization, int maxBatchedTokens) {
    if (!(gpuMemoryUtilization > 0 && gpuMemoryUtilization <= 1)) {
      throw new IllegalArgumentException(
          "gpuMemoryUtilization: found " + gpuMemoryUtilization + ", expected above 0, at most 1");
    }
    if (maxBatchedTokens < 1) {
      throw new IllegalArgumentException(
          "maxBatchedTokens: found " + maxBatchedTokens + ", expected at least 1");
    }
    MemoryFootprint footprint =
        new MemoryFootprint(deployment, rules, gpuMemoryUtilization, maxBatchedTokens);
    long missing = footprint.missingBytes();
    if (missing > 0) {
      String advice = whatFits(deployment, rules, gpuMemoryUtilization, maxBatchedTokens);
      throw new DoesNotFitException(footprint.doesNotFit(missing, advice), missing);
    }
    return footprint;
  }

  private List<Stage> layOut() {
    int[] layers = deployment.layersPerStage();
    List<Stage> list = new ArrayList<>();
    for (int s = 0; s < layers.length; s++) {
      boolean last = s == layers.length - 1;
      double parameters = last ? deployment.model().hiddenSize() : 0; // the final norm
      if (s == 0) {
        parameters += deployment.vocabularyParameters();
      }
      if (last && !(s == 0 && deployment.model().tiedEmbeddings())) {
        parameters += deployment.vocabularyParameters();
      }
      double bytes =
          layers[s] * deployment.layerWeightBytes() + parameters * Precision.BF16.bytesPerElement();
      long weightBytes = (long) Math.ceil(bytes);
      list.add(
          new Stage(
              layers[s],
              weightBytes,
              usableBytes - weightBytes - activationBytes - reserveBytes,
              layers[s] * deployment.kvBytesPerTokenAndLayer()));
    }
    return List.copyOf(list);
  }

  /** Bytes that the fullest GPU lacks for one token of KV; 0 or less if it fits. */
  private long missingBytes() {
    long missing = Long.MIN_VALUE;
    for (Stage stage : stages) {
      missing = Math.max(missing, (long) Math.ceil(stage.kvBytesPerToken()) - stage.kvBytes());
    }
    return missing;
  }

  private String doesNotFit(long missing, String advice) {
    long weights = stages.stream().mapToLong(Stage::weightBytes).max().orElseThrow();
    return String.format(
        Locale.ROOT,
        "%s does not fit: %.2f GiB missing per GPU "
            + "(weights %.2f + activations %.2f + reserve %.2f GiB, usable %.2f GiB); %s",
        deployment,
        missing / GIB,
        weights / GIB,
        activationBytes / GIB,
        reserveBytes / GIB,
        usableBytes / GIB,
        advice);
  }

  private static String whatFits(
      Deployment deployment, MemoryRules rules, double utilization, int maxBatchedTokens) {
    ModelArchitecture model = deployment.model();
    int domain = deployment.gpu().nvlinkDomainGpus();
    int largest = deployment.tensorParallel();
    for (int slices = largest + 1; slices <= domain; slices++) {
      if (Deployment.divides(model, slices)) {
        largest = slices;
        Deployment wider = deployment.withTensorParallel(slices);
        if (new MemoryFootprint(wider, rules, utilization, maxBatchedTokens).missingBytes() <= 0) {
          return "fits with tensorParallel " + slices;
        }
      }
    }
    int most = Math.min(model.layers(), MAX_SUGGESTED_STAGES);
    for (int depth = deployment.pipelineParallel() + 1; depth <= most; depth++) {
      Deployment deeper =
          new Deployment(
              model, deployment.gpu(), largest, depth, deployment.weights(), deployment.kv());
      if (new MemoryFootprint(deeper, rules, utilization, maxBatchedTokens).missingBytes() <= 0) {
        return "fits with tensorParallel " + largest + ", pipelineParallel " + depth;
      }
    }
    return "no tensorParallel up to " + domain + " fits";
  }

  /** The worker. */
  public Deployment deployment() {
    return deployment;
  }

  /** One GPU of every pipeline stage, in order. */
  public List<Stage> stages() {
    return stages;
  }

  /** The stage that holds the fewest KV tokens, the first of several. */
  public Stage tightestStage() {
    Stage tightest = stages.get(0);
    for (Stage stage : stages) {
      if (stage.kvTokens() < tightest.kvTokens()) {
        tightest = stage;
      }
    }
    return tightest;
  }

  /** Bytes of a GPU that the engine may use. */
  public long usableBytes() {
    return usableBytes;
  }

  /** Bytes that activations take on each GPU at their peak. */
  public long activationBytes() {
    return activationBytes;
  }

  /** Bytes that communication buffers and the runtime take on each GPU. */
  public long reserveBytes() {
    return reserveBytes;
  }

  /** Bytes of the weights on all the worker's GPUs together, copies counted. */
  public long workerWeightBytes() {
    long perSlice = stages.stream().mapToLong(Stage::weightBytes).sum();
    return perSlice * deployment.tensorParallel();
  }

  /** Tokens that the worker's KV cache holds. */
  public long kvTokens() {
    return tightestStage().kvTokens();
  }

  /**
   * KV blocks of the worker.
   *
   * @param blockSize tokens per block, at least 1
   */
  public long kvBlocks(int blockSize) {
    if (blockSize < 1) {
      throw new IllegalArgumentException("blockSize: found " + blockSize + ", expected at least 1");
    }
    return kvTokens() / blockSize;
  }
}
