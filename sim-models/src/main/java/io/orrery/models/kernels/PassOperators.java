package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.LatentAttention;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.models.StateSpace;
import io.orrery.models.WeightPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a worker's forward pass, on one of its GPUs. Per part of a layer: a norm, and an
 * all-reduce with TP. Attention: query, key and value projection, attention, output projection; or
 * a block of latent attention as a whole. Mamba2: projections, convolution, scan, gated norm. An
 * MLP: gate and up projection, activation, down projection. Experts: router, routed experts, and as
 * the model has them a shared expert beside them and projections into and out of what experts see;
 * with attention data parallelism an all-gather and a reduce-scatter around them in place of the
 * all-reduce. Once: embedding look-up, output projection (one token per sequence), all-reduce of
 * the embedding, and hand-overs between pipeline stages.
 *
 * <p>Elementwise operators take their bytes at 80 % of the bandwidth and 3 us (the rule of NVIDIA
 * aiconfigurator, {@code perf_database}).
 */
public final class PassOperators {
  private static final double ACTIVATION_BYTES = 2;
  private static final double ELEMENTWISE_EFFICIENCY = 0.8;
  private static final double ELEMENTWISE_MICROS = 3;
  private static final double HAND_OVER_MICROS = 10;

  private final Deployment worker;
  private final ModelArchitecture model;
  private final KernelTimes kernels;
  private final KernelFloor floor;
  private final DenseProducts attention;
  private final boolean skewed;
  private final boolean draftHead;
  private final List<String> notes = new ArrayList<>();

  /**
   * The operators of a worker.
   *
   * @param worker the worker
   * @param kernels durations
   * @param skewed whether some experts are chosen more often
   */
  public PassOperators(Deployment worker, KernelTimes kernels, boolean skewed) {
    this(worker, kernels, skewed, List.of());
  }

  /**
   * The operators of a worker.
   *
   * @param known what is known about these numbers already
   */
  PassOperators(Deployment worker, KernelTimes kernels, boolean skewed, List<String> known) {
    this(worker, kernels, skewed, known, false);
  }

  private PassOperators(
      Deployment worker,
      KernelTimes kernels,
      boolean skewed,
      List<String> known,
      boolean draftHead) {
    notes.addAll(known);
    this.draftHead = draftHead;
    this.worker = worker;
    this.model = worker.model();
    this.kernels = kernels;
    this.floor = new KernelFloor(worker.gpu());
    this.attention = products(WeightPart.ATTENTION);
    this.skewed = skewed;
    if (worker.kv() == Precision.NVFP4) {
      notes.add("nvfp4 KV cache: no measured kernel, as fast as fp8");
    }
    notes.addAll(kernels.notes(use()));
    notes.addAll(attention.notes());
    if (worker.attentionDataParallel() > 1) {
      notes.add(
          "attention DP: sequences are spread evenly over "
              + worker.attentionDataParallel()
              + " groups that wait for one another; 16-bit activations are gathered and scattered"
              + " around the experts");
    }
  }

  /** The operators of one draft layer of a worker, with embedding and output projection. */
  static PassOperators ofDraftHead(Deployment worker, KernelTimes kernels, boolean skewed) {
    return new PassOperators(worker.draftHead(), kernels, skewed, List.of(), true);
  }

  /** What the user should know about these numbers, in a fixed order. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  private KernelUse use() {
    List<AttentionSite> sites = new ArrayList<>();
    if (model.latent() == null && model.fullLayers() > 0) {
      sites.add(attention(0));
    }
    if (model.latent() == null && model.slidingLayers() > 0) {
      sites.add(attention(model.slidingWindow()));
    }
    return new KernelUse(attention.type(), sites, latent(), states(), expertSite());
  }

  private KernelType kvType() {
    return worker.kv() == Precision.BF16 ? KernelType.BF16 : KernelType.FP8;
  }

  /** Attention of a layer with that window, 0 for the layers that see everything. */
  AttentionSite attention(int window) {
    return new AttentionSite(
        worker.attentionHeadsPerGpu(), worker.kvHeadsPerGpu(), model.headDim(), window, kvType());
  }

  /** Latent attention of a layer, null for a model without. */
  @Nullable LatentSite latent() {
    LatentAttention shape = model.latent();
    return shape == null
        ? null
        : new LatentSite(
            worker.attentionHeadsPerGpu(), model.hiddenSize(), shape, attention.type(), kvType());
  }

  /** The products of attention's weights, which latent attention consists of in part. */
  DenseProducts attentionProducts() {
    return attention;
  }

  private DenseProducts products(WeightPart part) {
    return new DenseProducts(worker, part, kernels);
  }

  /** A Mamba2 layer, null for a model without. */
  @Nullable StateSite states() {
    StateSpace layer = model.states();
    return layer == null ? null : new StateSite(layer, worker.attentionSlices());
  }

  private KernelType expertType() {
    Gpu gpu = worker.gpu();
    return switch (worker.weights()) {
      case FP8 -> kernels.hasBlockExperts() ? KernelType.FP8_BLOCK : KernelType.FP8;
      case NVFP4 -> gpu.hasFp4() ? KernelType.NVFP4 : KernelType.MXFP4_BF16;
      case MXFP4 -> kernels.narrowExperts() ? KernelType.MXFP4_FP8 : KernelType.MXFP4_BF16;
      default -> KernelType.BF16;
    };
  }

  private @Nullable ExpertSite expertSite() {
    if (!model.isMixtureOfExperts()) {
      return null;
    }
    return new ExpertSite(
        model.expertInputSize(),
        model.expertIntermediate(),
        model.expertsPerToken(),
        model.experts(),
        worker.expertSlices(),
        worker.expertParallel(),
        model.gated() ? 3 : 2,
        expertType(),
        skewed);
  }

  /**
   * Operators whose time follows from the number of new tokens of one group of attention, in the
   * order of the pass.
   */
  public List<TokenOperator> tokenOperators() {
    int hidden = model.hiddenSize();
    List<TokenOperator> list = new ArrayList<>();
    list.add(elementwise("embedding", 1, 2L * hidden));
    list.add(elementwise("norms", model.norms(), 4L * hidden));
    if (draftHead) {
      list.add(attention.sixteenBit("draft join", 1, hidden, 2 * hidden));
    }
    addMixers(list);
    int slices = worker.attentionSlices();
    if (model.denseLayers() > 0) {
      DenseProducts products = products(WeightPart.DENSE);
      addMlp(list, products, "", model.denseLayers(), model.denseIntermediate() / slices);
    }
    int expertLayers = model.expertLayers();
    if (expertLayers > 0) {
      list.add(attention.sixteenBit("router", expertLayers, model.experts(), hidden));
      DenseProducts shared = products(WeightPart.SHARED);
      int narrow = model.expertLatentSize();
      if (narrow > 0) {
        list.add(shared.product("expert latent in", expertLayers, narrow, hidden));
        list.add(shared.product("expert latent out", expertLayers, hidden, narrow));
      }
    }
    if (slices > 1) {
      int reduced = model.norms() + 1 - (worker.attentionDataParallel() > 1 ? expertLayers : 0);
      list.add(collective("all-reduce", reduced, Collective.ALL_REDUCE, slices, hidden));
    }
    if (kernels.layerGap() > 0) {
      list.add(new TokenOperator("gaps", model.layers(), t -> kernels.layerGap(), t -> 0));
    }
    addHandOvers(list);
    return List.copyOf(list);
  }

  private void addMixers(List<TokenOperator> list) {
    int hidden = model.hiddenSize();
    int layers = model.attentionLayers();
    if (layers > 0 && model.latent() == null) {
      int queries = worker.attentionHeadsPerGpu() * model.headDim();
      int keysAndValues = 2 * worker.kvHeadsPerGpu() * model.headDim();
      list.add(attention.product("qkv", layers, queries + keysAndValues, hidden));
      list.add(attention.product("attention out", layers, hidden, queries));
    }
    StateSpace states = worker.statesPerGpu();
    if (states != null) {
      int stateLayers = model.stateLayers();
      DenseProducts products = products(WeightPart.STATE_SPACE);
      int inner = states.innerSize();
      int in = inner + states.convolutionChannels() + states.heads();
      list.add(products.product("state in", stateLayers, in, hidden));
      list.add(elementwise("state norm", stateLayers, 3L * inner));
      list.add(products.product("state out", stateLayers, hidden, inner));
    }
  }

  private void addMlp(
      List<TokenOperator> list, DenseProducts products, String name, int layers, int width) {
    int hidden = model.hiddenSize();
    int inputs = model.gated() ? 2 : 1;
    list.add(
        products.product(
            name + (model.gated() ? "gate and up" : "up"), layers, inputs * width, hidden));
    list.add(elementwise(name + "activation", layers, (inputs + 1L) * width));
    list.add(products.product(name + "down", layers, hidden, width));
  }

  private void addHandOvers(List<TokenOperator> list) {
    int handOvers = worker.pipelineParallel() - 1;
    if (handOvers > 0) {
      double microsPerToken =
          ACTIVATION_BYTES
              * model.hiddenSize()
              / worker.stageLinkBytesPerSecond()
              * KernelFloor.MICROS;
      list.add(
          new TokenOperator(
              "hand-over",
              handOvers,
              t -> HAND_OVER_MICROS + t * microsPerToken,
              t -> t * microsPerToken));
    }
  }

  /** Operators whose time follows from the new tokens of all groups of attention together. */
  public List<TokenOperator> sharedOperators() {
    ExpertSite site = expertSite();
    if (site == null) {
      return List.of();
    }
    int layers = model.expertLayers();
    List<TokenOperator> list = new ArrayList<>();
    TokenOperator routed =
        new TokenOperator(
            "experts", layers, t -> kernels.experts(site, t), t -> expertFloor(site, t));
    list.add(model.sharedIntermediate() == 0 ? routed : besideShared(routed));
    if (worker.attentionDataParallel() > 1) {
      int width = model.expertInputSize();
      int gpus = worker.tensorParallel();
      list.add(collective("all-gather", layers, Collective.ALL_GATHER, gpus, width));
      list.add(collective("reduce-scatter", layers, Collective.REDUCE_SCATTER, gpus, width));
    }
    return List.copyOf(list);
  }

  /**
   * Routed experts and, on a stream of its own beside them, the shared expert of the tokens of one
   * group: the shorter fills the rates that the longer leaves idle.
   */
  private TokenOperator besideShared(TokenOperator routed) {
    List<TokenOperator> shared = new ArrayList<>();
    int width = model.sharedIntermediate() / worker.attentionSlices();
    addMlp(shared, products(WeightPart.SHARED), "shared ", 1, width);
    int groups = worker.attentionDataParallel();
    IntToDoubleFunction micros =
        t ->
            shared.stream()
                .mapToDouble(o -> o.micros().applyAsDouble((t + groups - 1) / groups))
                .sum();
    IntToDoubleFunction least =
        t ->
            shared.stream()
                .mapToDouble(o -> o.floorMicros().applyAsDouble((t + groups - 1) / groups))
                .sum();
    return new TokenOperator(
        routed.name(),
        routed.count(),
        t ->
            beside(
                routed.micros().applyAsDouble(t),
                routed.floorMicros().applyAsDouble(t),
                micros.applyAsDouble(t),
                least.applyAsDouble(t)),
        t -> routed.floorMicros().applyAsDouble(t) + least.applyAsDouble(t));
  }

  /** The longer of two times, and of the shorter the share that the longer uses of the hardware. */
  static double beside(double one, double leastOfOne, double other, double leastOfOther) {
    return one >= other
        ? one + other * Math.min(1, leastOfOne / one)
        : other + one * Math.min(1, leastOfOther / other);
  }

  private TokenOperator collective(
      String name, int count, Collective collective, int gpus, int width) {
    return new TokenOperator(
        name, count, t -> kernels.collective(collective, gpus, (long) t * width), t -> 0);
  }

  private double expertFloor(ExpertSite site, int tokens) {
    double peak = worker.weights().flopsPerSecond(worker.gpu()) / KernelFloor.MICROS;
    return floor.experts(site, tokens, worker.weights().bytesPerElement(), peak);
  }

  /** The output projection; its tokens are the sequences of the pass. */
  public TokenOperator logits() {
    int hidden = model.hiddenSize();
    return attention.sixteenBit(
        "logits", 1, (int) (worker.weightShare().vocabulary() / hidden), hidden);
  }

  private TokenOperator elementwise(String name, int count, long elementsPerToken) {
    double microsPerToken =
        elementsPerToken * ACTIVATION_BYTES / (floor.bandwidth() * ELEMENTWISE_EFFICIENCY);
    return new TokenOperator(name, count, t -> ELEMENTWISE_MICROS + t * microsPerToken, t -> 0);
  }
}
