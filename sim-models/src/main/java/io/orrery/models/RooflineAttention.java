package io.orrery.models;

/**
 * Attention of a pass on one GPU: in every layer the longer of its arithmetic at 16-bit peak rate
 * and fetching keys and values at full bandwidth. With attention data parallelism a GPU has its
 * share of the pass's sequences.
 */
final class RooflineAttention {
  private static final double NANOS = 1e9;
  private static final int NO_WINDOW = Integer.MAX_VALUE;

  private final int groups;
  private final double flopsPerPair;
  private final double flopsPerSecond;
  private final double kvBytes;
  private final double bytesPerSecond;
  private final int fullLayers;
  private final int slidingLayers;
  private final int window;
  private final double fullNanosPerKvToken;
  private final double windowNanosPerKvToken;

  RooflineAttention(Deployment worker) {
    ModelArchitecture model = worker.model();
    Gpu gpu = worker.gpu();
    LatentAttention latent = model.latent();
    double widths =
        latent != null ? latent.headDim() + latent.valueHeadDim() : 2.0 * model.headDim();
    this.groups = worker.attentionDataParallel();
    this.flopsPerPair = 2 * widths * worker.attentionHeadsPerGpu();
    this.flopsPerSecond = Precision.BF16.flopsPerSecond(gpu);
    this.kvBytes = worker.kvBytesPerTokenAndLayer();
    this.bytesPerSecond = gpu.hbmBytesPerSecond();
    this.fullLayers = model.fullLayers();
    this.slidingLayers = model.slidingLayers();
    this.window = model.slidingWindow();
    // in decode a query meets as many keys as it fetches, so both sides grow alike
    double secondsPerKvToken = Math.max(flopsPerPair / flopsPerSecond, kvBytes / bytesPerSecond);
    this.fullNanosPerKvToken = fullLayers * secondsPerKvToken * NANOS / groups;
    this.windowNanosPerKvToken = slidingLayers * secondsPerKvToken * NANOS / groups;
  }

  /** Whether the contexts of some decodes still grow inside the window. */
  boolean growInsideWindow(StepShape shape) {
    return shape.decodeContextMin < window;
  }

  /** Nanoseconds of the prefill chunks. */
  double prefillNanos(StepShape shape) {
    long fullPairs = 0;
    long fullKv = 0;
    long windowPairs = 0;
    long windowKv = 0;
    for (int i = 0; i < shape.prefillCount; i++) {
      int fresh = shape.prefillNew[i];
      int prefix = shape.prefillPrefix[i];
      fullPairs += CausalPairs.count(fresh, prefix, NO_WINDOW);
      fullKv += CausalPairs.kvTokens(fresh, prefix, NO_WINDOW);
      if (slidingLayers > 0) {
        windowPairs += CausalPairs.count(fresh, prefix, window);
        windowKv += CausalPairs.kvTokens(fresh, prefix, window);
      }
    }
    double seconds =
        fullLayers * layerSeconds(fullPairs, fullKv)
            + slidingLayers * layerSeconds(windowPairs, windowKv);
    return seconds * NANOS / groups;
  }

  private double layerSeconds(long pairs, long kvTokens) {
    return Math.max(pairs * flopsPerPair / flopsPerSecond, kvTokens * kvBytes / bytesPerSecond);
  }

  /**
   * Nanoseconds of decodes of one token each.
   *
   * @param contexts sum of their contexts
   * @param windowed the same, each cut at the window
   */
  double decodeNanos(long contexts, long windowed) {
    return fullNanosPerKvToken * contexts + windowNanosPerKvToken * windowed;
  }

  /** Sum of the decode contexts, each cut at the window; 0 without sliding-window layers. */
  long windowedContexts(StepShape shape) {
    if (slidingLayers == 0) {
      return 0;
    }
    if (!growInsideWindow(shape)) {
      return (long) window * shape.decodeCount;
    }
    long sum = 0;
    for (int i = 0; i < shape.decodeCount; i++) {
      sum += Math.min(shape.decodeContext(i), window);
    }
    return sum;
  }

  /** Nanoseconds of decodes with drafted tokens, which share what they fetch. */
  double verificationNanos(StepShape shape) {
    double seconds =
        fullLayers * layerSeconds(decodePairs(shape, NO_WINDOW), decodeKv(shape, NO_WINDOW));
    seconds +=
        slidingLayers == 0
            ? 0
            : slidingLayers * layerSeconds(decodePairs(shape, window), decodeKv(shape, window));
    return seconds * NANOS / groups;
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
  private static long decodeKv(StepShape shape, int window) {
    long tokens = 0;
    for (int i = 0; i < shape.decodeCount; i++) {
      int context = shape.decodeContext(i);
      int fresh = Math.min(shape.tokensPerDecode, context);
      tokens += CausalPairs.kvTokens(fresh, context - fresh, window);
    }
    return tokens;
  }

  /** Seconds that all attention of a pass computes at peak rate. */
  double computeSeconds(StepShape shape) {
    double pairs = (double) fullLayers * pairs(shape, NO_WINDOW);
    pairs += slidingLayers == 0 ? 0 : (double) slidingLayers * pairs(shape, window);
    return pairs * flopsPerPair / flopsPerSecond / groups;
  }

  private static long pairs(StepShape shape, int window) {
    long pairs = decodePairs(shape, window);
    for (int i = 0; i < shape.prefillCount; i++) {
      pairs += CausalPairs.count(shape.prefillNew[i], shape.prefillPrefix[i], window);
    }
    return pairs;
  }

  /** Bytes of keys and values that all attention of a pass fetches. */
  double fetchedBytes(StepShape shape) {
    double tokens = (double) fullLayers * kvTokens(shape, NO_WINDOW);
    tokens += slidingLayers == 0 ? 0 : (double) slidingLayers * kvTokens(shape, window);
    return tokens * kvBytes / groups;
  }

  private static long kvTokens(StepShape shape, int window) {
    long tokens = decodeKv(shape, window);
    for (int i = 0; i < shape.prefillCount; i++) {
      tokens += CausalPairs.kvTokens(shape.prefillNew[i], shape.prefillPrefix[i], window);
    }
    return tokens;
  }
}
