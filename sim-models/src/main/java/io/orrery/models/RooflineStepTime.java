package io.orrery.models;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time that the datasheet allows: every operator takes the longer of its arithmetic at peak
 * rate and its memory traffic at full bandwidth, operators follow one another, and nothing is lost
 * in between. Real kernels reach half of it or less; this is the bound, not a prediction.
 *
 * <p>For {@code T} new tokens in {@code S} sequences, on one GPU of the worker:
 *
 * <pre>
 * step = Σ operators max(2·T·parameters / peak, bytes of weights / bandwidth)
 *      + the same for the output projection with S tokens
 *      + Σ layers max(4·head width·heads·pairs / 16-bit peak, KV bytes / bandwidth)   prefill
 *      + Σ layers max(4·head width·heads·contexts / 16-bit peak, KV bytes / bandwidth) decode
 *      + Σ Mamba2 layers ((1 + q)·decodes + chunks) · bytes of a state / bandwidth
 *      + Σ parts of layers 2·(n−1)/n · 2·T·hidden / NVLink                             n = TP
 *      + (stages−1) · 2·T·hidden / link
 *      + host time                                                      0 unless it is given
 * </pre>
 *
 * With {@code q} tokens per decode, one and those drafted, {@code T} and {@code S} count all of
 * them, and so do pairs; KV is fetched once per sequence, and a state written for each token.
 *
 * <p>{@code docs/step-time.md} derives each term and works an example. Norms, activation functions,
 * embedding look-up, sampling, and activations on their way between operators are not counted. A
 * pass crosses its pipeline stages one after the other, and a worker runs one pass at a time, so
 * pipelining never overlaps: latency is exact, throughput of several stages is a lower estimate.
 *
 * <p>With attention data parallelism, sequences are spread evenly over the groups: a GPU sees its
 * share of all but the experts' tokens, which come and go in a ring over all GPUs of the stage.
 *
 * <p>Terms that depend on the number of tokens alone are tabulated.
 */
public final class RooflineStepTime implements StepTimeModel {
  private static final double NANOS = 1e9;
  private static final double ACTIVATION_BYTES = 2;
  private static final double MAX_HOST_NANOS = 1e15;
  private static final int LARGEST_TABLE = 1 << 16;

  private final Deployment deployment;
  private final RooflineOperators operators;
  private final RooflineAttention attention;
  private final int groups;
  private final double stateNanos;
  private final double bandwidth;
  private final double addedHostNanos;
  private final double leastNanos;
  private final double[] tokenNanos;
  private final @Nullable RooflineStepTime draftHead;

  /**
   * Compiles the model for a worker.
   *
   * @param deployment the worker
   * @param maxBatchedTokens largest number of new tokens in a usual pass, at least 1; larger ones
   *     work, slower
   * @param hostNanosPerStep host and launch time of every pass, at least 0
   * @param hostOverlaps whether the host prepares the next pass while the GPU computes: a pass then
   *     lasts the longer of the two, else their sum
   * @throws IllegalArgumentException if a number is out of range
   */
  public RooflineStepTime(
      Deployment deployment, int maxBatchedTokens, double hostNanosPerStep, boolean hostOverlaps) {
    this(
        deployment,
        maxBatchedTokens,
        hostNanosPerStep,
        hostOverlaps,
        RooflineOperators.of(deployment));
  }

  private RooflineStepTime(
      Deployment deployment,
      int maxBatchedTokens,
      double hostNanosPerStep,
      boolean hostOverlaps,
      RooflineOperators operators) {
    if (maxBatchedTokens < 1 || !(hostNanosPerStep >= 0 && hostNanosPerStep <= MAX_HOST_NANOS)) {
      throw new IllegalArgumentException(
          "maxBatchedTokens "
              + maxBatchedTokens
              + ", host time "
              + hostNanosPerStep
              + " ns: out of range");
    }
    this.deployment = deployment;
    this.operators = operators;
    this.attention = new RooflineAttention(deployment);
    this.groups = deployment.attentionDataParallel();
    this.bandwidth = deployment.gpu().hbmBytesPerSecond();
    this.addedHostNanos = hostOverlaps ? 0 : hostNanosPerStep;
    this.leastNanos = hostOverlaps ? hostNanosPerStep : 0;
    this.stateNanos =
        deployment.model().stateLayers()
            * deployment.stateBytesPerLayer()
            / bandwidth
            * NANOS
            / groups;
    this.tokenNanos = new double[Math.min(maxBatchedTokens, LARGEST_TABLE) + 1];
    for (int tokens = 1; tokens < tokenNanos.length; tokens++) {
      tokenNanos[tokens] = computeTokenNanos(tokens);
    }
    this.draftHead = deployment.draftLayers() == 0 ? null : draftHead(deployment, maxBatchedTokens);
  }

  private static RooflineStepTime draftHead(Deployment worker, int maxBatchedTokens) {
    Deployment head = worker.draftHead();
    return new RooflineStepTime(
        head, maxBatchedTokens, 0, false, RooflineOperators.ofDraftHead(worker, head));
  }

  @Override
  public String name() {
    return "roofline";
  }

  /** The worker that this model was compiled for. */
  public Deployment deployment() {
    return deployment;
  }

  /** The matrix products that every new token takes part in, those of experts last. */
  public List<Operator> operators() {
    return operators.perToken();
  }

  /** Tokens or sequences of the busiest group, if they are spread evenly. */
  private int share(int all) {
    return (all + groups - 1) / groups;
  }

  /** The output projection: one token per sequence. */
  public Operator logits() {
    return operators.logits();
  }

  @Override
  public Optional<StepTimeModel> draftHead() {
    return Optional.ofNullable(draftHead);
  }

  @Override
  public long stepNanos(StepShape shape) {
    int tokens = shape.newTokens();
    if (tokens == 0) {
      return 0;
    }
    double nanos = fixedNanos(tokens, shape.sampledTokens());
    if (shape.prefillCount > 0) {
      nanos += attention.prefillNanos(shape) + shape.prefillCount * stateNanos;
    }
    nanos +=
        shape.tokensPerDecode == 1
            ? attention.decodeNanos(shape.decodeContextSum, attention.windowedContexts(shape))
            : attention.verificationNanos(shape);
    nanos += statesMoved(shape) * stateNanos;
    return StepTimeModel.wholeNanos(atLeastHost(nanos));
  }

  /** A comparison: Math.max costs more for NaN and -0. */
  private double atLeastHost(double nanos) {
    return nanos > leastNanos ? nanos : leastNanos;
  }

  @Override
  public void decodeRun(StepShape shape, int steps, long startNanos, long[] ends, int from) {
    StepTimeModel.requireDecodeOnly(shape);
    int batch = shape.decodeCount;
    int written = 0;
    long now = startNanos;
    // short contexts still grow inside the window, sequence by sequence
    while (written < steps && (batch == 0 || attention.growInsideWindow(shape))) {
      now += stepNanos(shape);
      ends[from + written] = now;
      written++;
      shape.advanceDecodes();
    }
    if (written == steps) {
      return;
    }
    double fixed = fixedNanos(batch, batch);
    double states = 2.0 * batch * stateNanos;
    long windowed = attention.windowedContexts(shape);
    long contexts = shape.decodeContextSum;
    for (int i = written; i < steps; i++) {
      double nanos = fixed + attention.decodeNanos(contexts, windowed) + states;
      now += StepTimeModel.wholeNanos(atLeastHost(nanos));
      ends[from + i] = now;
      contexts += batch;
    }
    shape.advanceDecodes(steps - written);
  }

  /**
   * The weaker bound that holds however operators overlap: all arithmetic of the pass at peak rate,
   * or all its memory traffic at full bandwidth, whichever is longer; in nanoseconds. No model of a
   * worker may be faster.
   */
  public double boundNanos(StepShape shape) {
    return Math.max(computeSeconds(shape), memorySeconds(shape)) * NANOS;
  }

  private double computeSeconds(StepShape shape) {
    int tokens = shape.newTokens();
    return operators.computeSeconds(share(tokens), tokens, share(shape.sampledTokens()))
        + attention.computeSeconds(shape);
  }

  private double memorySeconds(StepShape shape) {
    int tokens = shape.newTokens();
    if (tokens == 0) {
      return 0;
    }
    double bytes = operators.fetchedBytes(share(tokens), tokens) + attention.fetchedBytes(shape);
    double states = (statesMoved(shape) + shape.prefillCount) * stateNanos / NANOS;
    return bytes / bandwidth + states;
  }

  /** What depends on the number of tokens and sequences only. */
  private double fixedNanos(int tokens, int sequences) {
    double perToken = tokens < tokenNanos.length ? tokenNanos[tokens] : computeTokenNanos(tokens);
    return perToken
        + operators.logits().seconds(share(sequences), bandwidth) * NANOS
        + addedHostNanos;
  }

  private double computeTokenNanos(int tokens) {
    int own = share(tokens);
    double seconds = operators.seconds(own, tokens, bandwidth);
    ModelArchitecture model = deployment.model();
    double hiddenBytes = ACTIVATION_BYTES * own * model.hiddenSize();
    int exchanges = model.expertLayers();
    seconds += (model.norms() - exchanges) * ringSeconds(deployment.attentionSlices(), own);
    seconds += exchanges * ringSeconds(deployment.tensorParallel(), tokens);
    int handOvers = deployment.pipelineParallel() - 1;
    seconds += handOvers * (hiddenBytes / deployment.stageLinkBytesPerSecond());
    return seconds * NANOS;
  }

  /** A ring over some GPUs, round twice: an all-reduce, or an all-gather and a reduce-scatter. */
  private double ringSeconds(int gpus, int tokens) {
    double bytes = ACTIVATION_BYTES * tokens * deployment.model().hiddenSize();
    return 2.0 * (gpus - 1) / gpus * bytes / deployment.gpu().nvlinkBytesPerSecond();
  }

  /** States read and written: one is read by every decode, and one written for each new token. */
  private static double statesMoved(StepShape shape) {
    return (1.0 + shape.tokensPerDecode) * shape.decodeCount;
  }
}
