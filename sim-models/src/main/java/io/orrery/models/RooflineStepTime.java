package io.orrery.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
  private final List<Operator> operators;
  private final List<Operator> routed;
  private final int groups;
  private final double stateNanos;
  private final Operator logits;
  private final double bandwidth;
  private final double addedHostNanos;
  private final double leastNanos;

  private final double attentionFlopsPerPair;
  private final double attentionPeak;
  private final double kvBytes;
  private final int fullLayers;
  private final int slidingLayers;
  private final int window;
  private final double fullNanosPerKvToken;
  private final double windowNanosPerKvToken;

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
    this(deployment, maxBatchedTokens, hostNanosPerStep, hostOverlaps, operators(deployment));
  }

  private RooflineStepTime(
      Deployment deployment,
      int maxBatchedTokens,
      double hostNanosPerStep,
      boolean hostOverlaps,
      List<Operator> operators) {
    if (maxBatchedTokens < 1 || !(hostNanosPerStep >= 0 && hostNanosPerStep <= MAX_HOST_NANOS)) {
      throw new IllegalArgumentException(
          "maxBatchedTokens "
              + maxBatchedTokens
              + ", host time "
              + hostNanosPerStep
              + " ns: out of range");
    }
    ModelArchitecture model = deployment.model();
    Gpu gpu = deployment.gpu();
    this.deployment = deployment;
    this.groups = deployment.attentionDataParallel();
    this.operators = List.copyOf(operators);
    this.routed = List.copyOf(routed(deployment));
    this.logits =
        Operator.dense("logits", 1, deployment.weightShare().vocabulary(), Precision.BF16, gpu);
    this.bandwidth = gpu.hbmBytesPerSecond();
    this.addedHostNanos = hostOverlaps ? 0 : hostNanosPerStep;
    this.leastNanos = hostOverlaps ? hostNanosPerStep : 0;

    LatentAttention latent = model.latent();
    double widths =
        latent != null ? latent.headDim() + latent.valueHeadDim() : 2.0 * model.headDim();
    this.attentionFlopsPerPair = 2 * widths * deployment.attentionHeadsPerGpu();
    this.stateNanos =
        model.stateLayers() * deployment.stateBytesPerLayer() / bandwidth * NANOS / groups;
    this.attentionPeak = Precision.BF16.flopsPerSecond(gpu);
    this.kvBytes = deployment.kvBytesPerTokenAndLayer();
    this.fullLayers = model.fullLayers();
    this.slidingLayers = model.slidingLayers();
    this.window = model.slidingWindow();
    // in decode a query meets as many keys as it fetches, so both sides grow alike
    double secondsPerKvToken = Math.max(attentionFlopsPerPair / attentionPeak, kvBytes / bandwidth);
    this.fullNanosPerKvToken = fullLayers * secondsPerKvToken * NANOS / groups;
    this.windowNanosPerKvToken = slidingLayers * secondsPerKvToken * NANOS / groups;

    this.tokenNanos = new double[Math.min(maxBatchedTokens, LARGEST_TABLE) + 1];
    for (int tokens = 1; tokens < tokenNanos.length; tokens++) {
      tokenNanos[tokens] = computeTokenNanos(tokens);
    }
    this.draftHead = deployment.draftLayers() == 0 ? null : draftHead(deployment, maxBatchedTokens);
  }

  private static RooflineStepTime draftHead(Deployment worker, int maxBatchedTokens) {
    Deployment head = worker.draftHead();
    List<Operator> operators = operators(head);
    long join = worker.model().parameters().draftJoin();
    operators.add(Operator.dense("draft join", 1, join, Precision.BF16, worker.gpu()));
    return new RooflineStepTime(head, maxBatchedTokens, 0, false, operators);
  }

  /** What the tokens of a GPU's own sequences meet. */
  private static List<Operator> operators(Deployment worker) {
    ModelArchitecture model = worker.model();
    Gpu gpu = worker.gpu();
    List<Operator> list = new ArrayList<>();
    if (model.attentionLayers() > 0) {
      list.add(
          Operator.dense(
              "attention",
              model.attentionLayers(),
              worker.weightShare().attention(),
              worker.precisionOf(WeightPart.ATTENTION),
              gpu));
    }
    if (model.stateLayers() > 0) {
      list.add(
          Operator.dense(
              "state space",
              model.stateLayers(),
              worker.weightShare().state(),
              worker.precisionOf(WeightPart.STATE_SPACE),
              gpu));
    }
    if (model.denseLayers() > 0) {
      list.add(
          Operator.dense(
              "mlp",
              model.denseLayers(),
              worker.weightShare().dense(),
              worker.precisionOf(WeightPart.DENSE),
              gpu));
    }
    int layers = model.expertLayers();
    if (layers > 0) {
      list.add(
          Operator.dense(
              "router", layers, model.parameters().routerPerLayer(), Precision.BF16, gpu));
      Precision shared = worker.precisionOf(WeightPart.SHARED);
      if (model.sharedIntermediate() > 0) {
        list.add(
            Operator.dense("shared expert", layers, worker.weightShare().shared(), shared, gpu));
      }
      if (model.expertLatentSize() > 0) {
        list.add(
            Operator.dense(
                "expert latent", layers, model.parameters().expertLatentPerLayer(), shared, gpu));
      }
    }
    return list;
  }

  /** What the tokens of all groups meet: the routed experts of one GPU. */
  private static List<Operator> routed(Deployment worker) {
    ModelArchitecture model = worker.model();
    if (model.expertLayers() == 0) {
      return List.of();
    }
    double expert = (double) worker.weightShare().expert() / worker.expertParallel();
    return List.of(
        new Operator(
            "experts",
            model.expertLayers(),
            expert * model.expertsPerToken(),
            worker.weights().flopsPerSecond(worker.gpu()),
            expert * worker.weights().bytesPerElement(),
            model.experts(),
            model.expertsPerToken()));
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
    return Stream.concat(operators.stream(), routed.stream()).toList();
  }

  /** Tokens or sequences of the busiest group, if they are spread evenly. */
  private int share(int all) {
    return (all + groups - 1) / groups;
  }

  /** The output projection: one token per sequence. */
  public Operator logits() {
    return logits;
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
      nanos += prefillSeconds(shape) * NANOS / groups + shape.prefillCount * stateNanos;
    }
    nanos +=
        shape.tokensPerDecode == 1
            ? decodeNanos(shape.decodeContextSum, windowedContexts(shape))
            : verificationSeconds(shape) * NANOS / groups;
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
    while (written < steps && (batch == 0 || shape.decodeContextMin < window)) {
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
    long windowed = windowedContexts(shape);
    long contexts = shape.decodeContextSum;
    for (int i = written; i < steps; i++) {
      double nanos = fixed + decodeNanos(contexts, windowed) + states;
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
    double seconds = logits.computeSeconds(share(shape.sampledTokens()));
    for (Operator operator : operators) {
      seconds += operator.computeSeconds(share(tokens));
    }
    for (Operator operator : routed) {
      seconds += operator.computeSeconds(tokens);
    }
    double pairs = (double) fullLayers * decodePairs(shape, Integer.MAX_VALUE);
    pairs += slidingLayers == 0 ? 0 : (double) slidingLayers * decodePairs(shape, window);
    for (int i = 0; i < shape.prefillCount; i++) {
      int fresh = shape.prefillNew[i];
      int prefix = shape.prefillPrefix[i];
      pairs += (double) fullLayers * CausalPairs.count(fresh, prefix, Integer.MAX_VALUE);
      pairs += (double) slidingLayers * CausalPairs.count(fresh, prefix, window);
    }
    return seconds + pairs * attentionFlopsPerPair / attentionPeak / groups;
  }

  private double memorySeconds(StepShape shape) {
    int tokens = shape.newTokens();
    if (tokens == 0) {
      return 0;
    }
    double bytes = logits.fetchedBytes(1);
    for (Operator operator : operators) {
      bytes += operator.fetchedBytes(share(tokens));
    }
    for (Operator operator : routed) {
      bytes += operator.fetchedBytes(tokens);
    }
    double kvTokens = (double) fullLayers * decodeKvTokens(shape, Integer.MAX_VALUE);
    kvTokens += slidingLayers == 0 ? 0 : (double) slidingLayers * decodeKvTokens(shape, window);
    for (int i = 0; i < shape.prefillCount; i++) {
      int fresh = shape.prefillNew[i];
      int prefix = shape.prefillPrefix[i];
      kvTokens += (double) fullLayers * CausalPairs.kvTokens(fresh, prefix, Integer.MAX_VALUE);
      kvTokens += (double) slidingLayers * CausalPairs.kvTokens(fresh, prefix, window);
    }
    double states = (statesMoved(shape) + shape.prefillCount) * stateNanos / NANOS;
    return (bytes + kvTokens * kvBytes / groups) / bandwidth + states;
  }

  /** What depends on the number of tokens and sequences only. */
  private double fixedNanos(int tokens, int sequences) {
    double perToken = tokens < tokenNanos.length ? tokenNanos[tokens] : computeTokenNanos(tokens);
    return perToken + logits.seconds(share(sequences), bandwidth) * NANOS + addedHostNanos;
  }

  private double computeTokenNanos(int tokens) {
    int own = share(tokens);
    double seconds = 0;
    for (Operator operator : operators) {
      seconds += operator.seconds(own, bandwidth);
    }
    for (Operator operator : routed) {
      seconds += operator.seconds(tokens, bandwidth);
    }
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

  private double prefillSeconds(StepShape shape) {
    long fullPairs = 0;
    long fullKv = 0;
    long windowPairs = 0;
    long windowKv = 0;
    for (int i = 0; i < shape.prefillCount; i++) {
      int fresh = shape.prefillNew[i];
      int prefix = shape.prefillPrefix[i];
      fullPairs += CausalPairs.count(fresh, prefix, Integer.MAX_VALUE);
      fullKv += CausalPairs.kvTokens(fresh, prefix, Integer.MAX_VALUE);
      if (slidingLayers > 0) {
        windowPairs += CausalPairs.count(fresh, prefix, window);
        windowKv += CausalPairs.kvTokens(fresh, prefix, window);
      }
    }
    return fullLayers * attentionSeconds(fullPairs, fullKv)
        + slidingLayers * attentionSeconds(windowPairs, windowKv);
  }

  private double attentionSeconds(long pairs, long kvTokens) {
    return Math.max(pairs * attentionFlopsPerPair / attentionPeak, kvTokens * kvBytes / bandwidth);
  }

  private double decodeNanos(long contexts, long windowed) {
    return fullNanosPerKvToken * contexts + windowNanosPerKvToken * windowed;
  }

  /** Attention of decodes with drafted tokens, which share what they fetch. */
  private double verificationSeconds(StepShape shape) {
    return fullLayers
            * attentionSeconds(
                decodePairs(shape, Integer.MAX_VALUE), decodeKvTokens(shape, Integer.MAX_VALUE))
        + (slidingLayers == 0
            ? 0
            : slidingLayers
                * attentionSeconds(decodePairs(shape, window), decodeKvTokens(shape, window)));
  }

  /** Query-key pairs of the decodes in one layer, those of drafted tokens among them. */
  private static long decodePairs(StepShape shape, int window) {
    long pairs = 0;
    for (int i = 0; i < shape.decodeCount; i++) {
      int context = shape.decodeContext(i);
      int fresh = Math.min(shape.tokensPerDecode, context);
      pairs += CausalPairs.count(fresh, context - fresh, window);
    }
    return pairs;
  }

  /** KV tokens that the decodes fetch in one layer, once for all tokens of a decode. */
  private static long decodeKvTokens(StepShape shape, int window) {
    long tokens = 0;
    for (int i = 0; i < shape.decodeCount; i++) {
      int context = shape.decodeContext(i);
      int fresh = Math.min(shape.tokensPerDecode, context);
      tokens += CausalPairs.kvTokens(fresh, context - fresh, window);
    }
    return tokens;
  }

  /** States read and written: one is read by every decode, and one written for each new token. */
  private static double statesMoved(StepShape shape) {
    return (1.0 + shape.tokensPerDecode) * shape.decodeCount;
  }

  /** Sum of the decode contexts, each cut at the window; 0 without sliding-window layers. */
  private long windowedContexts(StepShape shape) {
    if (slidingLayers == 0) {
      return 0;
    }
    if (shape.decodeContextMin >= window) {
      return (long) window * shape.decodeCount;
    }
    long sum = 0;
    for (int i = 0; i < shape.decodeCount; i++) {
      sum += Math.min(shape.decodeContext(i), window);
    }
    return sum;
  }
}
