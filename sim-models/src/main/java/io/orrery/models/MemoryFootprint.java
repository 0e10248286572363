package io.orrery.models;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Where the memory of a worker's GPUs goes, and how much its KV cache holds.
 *
 * <p>Per GPU, in bytes: {@code memory = weights + activations + reserve + kv + unused}, where the
 * engine's rules say how much of the rest becomes KV cache. All GPUs of a stage are alike; stages
 * differ in layers, and the first and last one hold embedding and output projection, the last one
 * draft layers. A token needs its KV in every stage, so the stage that holds the fewest decides.
 *
 * <p>{@link #kvTokens()} is what a pool of blocks holds: KV is counted for every attention layer
 * and every token, sliding-window layers included. That is vLLM with its hybrid KV cache manager
 * off. With the manager on, running sequences need less ({@link #sequences}), but each computed
 * token still takes a block of both kinds of layers through the one free queue, so that under
 * eviction pressure a finished context stays about as long as counted here. State-space layers are
 * counted by their snapshots, one at every {@link Deployment#stateBoundaryTokens}, padded to an
 * attention page.
 */
public final class MemoryFootprint {
  private final Deployment deployment;
  private final EngineMemory engine;
  private final double share;
  private final int maxBatchedTokens;
  private final int maxSequences;
  private final long activationBytes;
  private final long reserveBytes;
  private final List<Stage> stages;

  /**
   * One GPU of a pipeline stage.
   *
   * @param layers layers of the stage, draft layers left out
   * @param fullLayers layers whose KV grows with the context, draft layers included
   * @param windowLayers layers whose KV stops growing at the window
   * @param stateLayers state-space layers
   * @param weightBytes its weights
   * @param kvBytes what is left for the KV cache
   * @param kvBytesPerToken KV bytes of one token in the stage's attention layers
   */
  public record Stage(
      int layers,
      int fullLayers,
      int windowLayers,
      int stateLayers,
      long weightBytes,
      long kvBytes,
      double kvBytesPerToken) {}

  private MemoryFootprint(
      Deployment deployment,
      EngineMemory engine,
      double share,
      int maxBatchedTokens,
      int maxSequences) {
    this.deployment = deployment;
    this.engine = engine;
    this.share = share;
    this.maxBatchedTokens = maxBatchedTokens;
    this.maxSequences = maxSequences;
    this.activationBytes = engine.activationBytes(deployment, maxBatchedTokens, maxSequences);
    this.reserveBytes = engine.reserveBytes(deployment);
    this.stages = layOut();
  }

  /**
   * Lays out a worker's memory.
   *
   * @param deployment the worker
   * @param engine what the engine keeps for itself
   * @param share the engine's memory share, in (0, 1]; empty for its default
   * @param maxBatchedTokens largest number of new tokens in a pass, at least 1
   * @param maxSequences largest number of sequences in a pass, at least 1
   * @throws DoesNotFitException if nothing is left for the KV cache
   * @throws IllegalArgumentException if a number is out of range
   */
  public static MemoryFootprint of(
      Deployment deployment,
      EngineMemory engine,
      OptionalDouble share,
      int maxBatchedTokens,
      int maxSequences) {
    MemoryFootprint footprint = layOut(deployment, engine, share, maxBatchedTokens, maxSequences);
    if (!footprint.fits()) {
      throw new DoesNotFitException(
          new MemoryShortage(footprint).message(), footprint.missingBytes());
    }
    return footprint;
  }

  /**
   * The same whether or not it fits; see {@link #fits()}.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public static MemoryFootprint layOut(
      Deployment deployment,
      EngineMemory engine,
      OptionalDouble share,
      int maxBatchedTokens,
      int maxSequences) {
    if (maxBatchedTokens < 1 || maxSequences < 1) {
      throw new IllegalArgumentException(
          "maxBatchedTokens "
              + maxBatchedTokens
              + ", maxSequences "
              + maxSequences
              + ": expected at least 1");
    }
    double taken = share.orElseGet(() -> engine.defaultShare(deployment, maxBatchedTokens));
    if (!(taken > 0 && taken <= 1)) {
      throw new IllegalArgumentException(
          "memory share: found " + taken + ", expected above 0, at most 1");
    }
    return new MemoryFootprint(deployment, engine, taken, maxBatchedTokens, maxSequences);
  }

  private List<Stage> layOut() {
    int[] counts = deployment.layersPerStage();
    List<Layer> plan = deployment.model().plan();
    List<Stage> list = new ArrayList<>();
    int from = 0;
    for (int s = 0; s < counts.length; s++) {
      list.add(stage(s, plan.subList(from, from + counts[s])));
      from += counts[s];
    }
    return List.copyOf(list);
  }

  private Stage stage(int number, List<Layer> layers) {
    boolean last = number == deployment.pipelineParallel() - 1;
    ModelArchitecture model = deployment.model();
    int full = 0;
    int window = 0;
    int state = 0;
    double bytes = 0;
    for (Layer layer : layers) {
      bytes += deployment.weightShare().layerBytes(layer);
      full += layer.mixer() == Layer.Mixer.FULL ? 1 : 0;
      window += layer.mixer() == Layer.Mixer.WINDOW ? 1 : 0;
      state += layer.mixer() == Layer.Mixer.STATE ? 1 : 0;
    }
    double parameters = last ? model.hiddenSize() : 0; // the final norm
    if (number == 0) {
      parameters += deployment.weightShare().vocabulary();
    }
    if (last && !(number == 0 && model.tiedEmbeddings())) {
      parameters += deployment.weightShare().vocabulary();
    }
    bytes += parameters * Precision.BF16.bytesPerElement();
    if (last) {
      bytes += deployment.draftLayers() * deployment.weightShare().draftLayerBytes();
      full += deployment.draftLayers();
    }
    long weights = (long) Math.ceil(bytes);
    long kv =
        engine.kvBytes(
            deployment.gpu().memoryBytes(), share, weights, activationBytes, reserveBytes);
    double perToken = (full + window) * deployment.kvBytesPerTokenAndLayer();
    return new Stage(layers.size(), full, window, state, weights, kv, perToken);
  }

  /** Whether every GPU has room for at least one token of KV, or for one sequence's state. */
  public boolean fits() {
    return missingBytes() <= 0;
  }

  /** Bytes that the fullest GPU lacks for one token of KV; 0 or less if it fits. */
  public long missingBytes() {
    long missing = Long.MIN_VALUE;
    for (Stage stage : stages) {
      double least = stage.kvBytesPerToken() + stateBytes(stage);
      missing = Math.max(missing, (long) Math.ceil(least) - stage.kvBytes());
    }
    return missing;
  }

  /** One sequence's state in the layers of a stage, each padded to a page of attention. */
  private double stateBytes(Stage stage) {
    return stage.stateLayers() == 0 ? 0 : stage.stateLayers() * pageBytes();
  }

  private double pageBytes() {
    return deployment.stateBoundaryTokens() * deployment.kvBytesPerTokenAndLayer();
  }

  /**
   * What would fit, as {@code fits with tensorParallel 4}; to be called where this one does not.
   */
  public String whatFits() {
    return new MemoryShortage(this).whatFits();
  }

  /** The same worker, engine and load on other numbers of slices and stages. */
  MemoryFootprint with(int slices, int depth) {
    return new MemoryFootprint(
        deployment.with(slices, depth), engine, share, maxBatchedTokens, maxSequences);
  }

  /** The worker. */
  public Deployment deployment() {
    return deployment;
  }

  /** What the engine keeps for itself. */
  EngineMemory engine() {
    return engine;
  }

  /** The memory share that was taken, given or the engine's default. */
  public double share() {
    return share;
  }

  /** One GPU of every pipeline stage, in order. */
  public List<Stage> stages() {
    return stages;
  }

  /** The stage that holds the fewest KV tokens, the first of several. */
  public Stage tightestStage() {
    Stage tightest = stages.get(0);
    for (Stage stage : stages) {
      if (kvTokens(stage, true) < kvTokens(tightest, true)) {
        tightest = stage;
      }
    }
    return tightest;
  }

  /** Bytes of a stage's GPU that nobody uses. */
  public long unusedBytes(Stage stage) {
    return deployment.gpu().memoryBytes()
        - stage.weightBytes()
        - activationBytes
        - reserveBytes
        - stage.kvBytes();
  }

  /** Bytes that activations take on each GPU at their peak. */
  public long activationBytes() {
    return activationBytes;
  }

  /** Bytes that communication buffers and the runtime take on each GPU. */
  public long reserveBytes() {
    return reserveBytes;
  }

  /** Bytes of the weights on the fullest GPU. */
  long largestWeightBytes() {
    return stages.stream().mapToLong(Stage::weightBytes).max().orElseThrow();
  }

  /** Bytes of the weights on all the worker's GPUs together, copies counted. */
  public long workerWeightBytes() {
    long perSlice = stages.stream().mapToLong(Stage::weightBytes).sum();
    return perSlice * deployment.tensorParallel();
  }

  /**
   * Tokens that the KV cache of one attention rank holds, all kept for reuse: every attention layer
   * counts for every token, and state-space layers keep a snapshot at every boundary.
   */
  public long kvTokens() {
    return kvTokens(true);
  }

  /**
   * The same, with or without snapshots of states.
   *
   * @param prefixCaching whether state-space layers keep snapshots
   */
  public long kvTokens(boolean prefixCaching) {
    return kvTokens(tightestStage(), prefixCaching);
  }

  /** Tokens that a stage's KV cache holds; without attention layers as many as you like. */
  private long kvTokens(Stage stage, boolean prefixCaching) {
    double perToken = prefixCaching ? cachedBytesPerToken(stage) : stage.kvBytesPerToken();
    return perToken == 0 ? Long.MAX_VALUE : (long) Math.floor(stage.kvBytes() / perToken);
  }

  /** What a token that is kept for reuse costs a stage, its share of a snapshot included. */
  public double cachedBytesPerToken(Stage stage) {
    return stage.kvBytesPerToken() + stateBytes(stage) / deployment.stateBoundaryTokens();
  }

  /**
   * What one sequence of a context takes in a stage's KV cache: whole contexts in full layers, at
   * most the window in window layers, and in state-space layers the running state and, where
   * prefixes are to be reused, a snapshot at every boundary that the context has passed. Hybrids
   * hold whole pages.
   *
   * @param context tokens, at least 1
   * @param prefixCaching whether snapshots are kept
   */
  public double sequenceBytes(Stage stage, long context, boolean prefixCaching) {
    double perLayer = deployment.kvBytesPerTokenAndLayer();
    int boundary = deployment.stateBoundaryTokens();
    long held = (context + boundary - 1) / boundary * boundary;
    long windowed = Math.min(held, deployment.model().slidingWindow());
    double keysAndValues = perLayer * (stage.fullLayers() * held + stage.windowLayers() * windowed);
    long snapshots = prefixCaching ? context / boundary : 0;
    return keysAndValues + stateBytes(stage) * (1 + snapshots);
  }

  /**
   * Sequences of a context that one attention rank's KV cache holds at once.
   *
   * @param context tokens of each, at least 1
   * @param prefixCaching whether state-space layers keep snapshots
   */
  public long sequences(long context, boolean prefixCaching) {
    if (context < 1) {
      throw new IllegalArgumentException("context: found " + context + ", expected at least 1");
    }
    long least = Long.MAX_VALUE;
    for (Stage stage : stages) {
      double each = sequenceBytes(stage, context, prefixCaching);
      if (each > 0) {
        least = Math.min(least, Math.max(0, (long) Math.floor(stage.kvBytes() / each)));
      }
    }
    return least;
  }

  /**
   * KV blocks of one attention rank, snapshots of states included.
   *
   * @param blockSize tokens per block, at least 1
   */
  public long kvBlocks(int blockSize) {
    return kvBlocks(blockSize, true);
  }

  /**
   * KV blocks of one attention rank.
   *
   * @param blockSize tokens per block, at least 1
   * @param prefixCaching whether state-space layers keep snapshots
   */
  public long kvBlocks(int blockSize, boolean prefixCaching) {
    if (blockSize < 1) {
      throw new IllegalArgumentException("blockSize: found " + blockSize + ", expected at least 1");
    }
    return kvTokens(prefixCaching) / blockSize;
  }

  /**
   * Blocks that the state of one running sequence takes out of the pool, whatever its length; 0
   * without state-space layers.
   *
   * @param blockSize tokens per block, at least 1
   * @param prefixCaching whether a block's share of the snapshots is counted in its size
   */
  public int stateBlocksPerSequence(int blockSize, boolean prefixCaching) {
    double page = deployment.stateBoundaryTokens(blockSize) * deployment.kvBytesPerTokenAndLayer();
    double most = 0;
    for (Stage stage : stages) {
      double perToken = prefixCaching ? cachedBytesPerToken(stage) : stage.kvBytesPerToken();
      if (stage.stateLayers() > 0 && perToken > 0) {
        most = Math.max(most, stage.stateLayers() * page / (perToken * blockSize));
      }
    }
    return (int) Math.ceil(most);
  }
}
