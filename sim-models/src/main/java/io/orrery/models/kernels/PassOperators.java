package io.orrery.models.kernels;

import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a worker's forward pass, on one of its GPUs. Per layer: query, key and value
 * projection, attention, output projection, then gate and up projection, activation and down
 * projection, or router and routed experts; two norms, and two all-reduces with TP. Once: embedding
 * look-up, output projection (one token per sequence), all-reduce of the embedding, and hand-overs
 * between pipeline stages.
 *
 * <p>Elementwise operators take their bytes at 80 % of the bandwidth and 3 us (the rule of NVIDIA
 * aiconfigurator, {@code perf_database}).
 */
public final class PassOperators {
  private static final double ACTIVATION_BYTES = 2;
  private static final double ELEMENTWISE_EFFICIENCY = 0.8;
  private static final double ELEMENTWISE_MICROS = 3;
  private static final double HAND_OVER_MICROS = 10;
  private static final double WIDENING_CHARGE = 1.1;

  private final Deployment worker;
  private final KernelTimes kernels;
  private final KernelFloor floor;
  private final int expertParallel;
  private final boolean skewed;
  private final List<String> notes = new ArrayList<>();

  /**
   * The operators of a worker.
   *
   * @param worker the worker
   * @param kernels durations
   * @param expertParallel groups that experts are dealt to; divides TP, the rest cuts every expert
   * @param skewed whether some experts are chosen more often
   * @throws IllegalArgumentException if experts cannot be dealt that way
   */
  public PassOperators(Deployment worker, KernelTimes kernels, int expertParallel, boolean skewed) {
    if (expertParallel < 1 || worker.tensorParallel() % expertParallel != 0) {
      throw new IllegalArgumentException(
          "expertParallel: found "
              + expertParallel
              + ", expected a divisor of tensorParallel "
              + worker.tensorParallel());
    }
    this.worker = worker;
    this.kernels = kernels;
    this.floor = new KernelFloor(worker.gpu());
    this.expertParallel = expertParallel;
    this.skewed = skewed;
    if (worker.kv() == Precision.NVFP4) {
      notes.add("nvfp4 KV cache: no measured kernel, as fast as fp8");
    }
    notes.addAll(kernels.notes(denseType(), attention(0), expertSite()));
    if (denseIsWidened()) {
      notes.add(
          "nvfp4 weights on "
              + worker.gpu()
              + ": no measured kernel; the 16-bit one with a quarter of the weight bytes, and 10 %"
              + " more arithmetic for widening them");
    }
  }

  /** What the user should know about these numbers, in a fixed order. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Attention of a layer with that window, 0 for the layers that see everything. */
  AttentionSite attention(int window) {
    KernelType kv = worker.kv() == Precision.BF16 ? KernelType.BF16 : KernelType.FP8;
    return new AttentionSite(
        worker.attentionHeadsPerGpu(),
        worker.kvHeadsPerGpu(),
        worker.model().headDim(),
        window,
        kv);
  }

  private boolean denseIsWidened() {
    return worker.denseWeights() == Precision.NVFP4 && !worker.gpu().hasFp4();
  }

  private KernelType denseType() {
    return switch (worker.denseWeights()) {
      case FP8 -> worker.model().isMixtureOfExperts() ? KernelType.FP8_BLOCK : KernelType.FP8;
      case NVFP4 -> worker.gpu().hasFp4() ? KernelType.NVFP4 : KernelType.BF16;
      default -> KernelType.BF16;
    };
  }

  private KernelType expertType() {
    Gpu gpu = worker.gpu();
    return switch (worker.weights()) {
      case FP8 -> KernelType.FP8_BLOCK;
      case NVFP4 -> gpu.hasFp4() ? KernelType.NVFP4 : KernelType.MXFP4_BF16;
      case MXFP4 -> kernels.narrowExperts() ? KernelType.MXFP4_FP8 : KernelType.MXFP4_BF16;
      default -> KernelType.BF16;
    };
  }

  private @Nullable ExpertSite expertSite() {
    ModelArchitecture model = worker.model();
    if (!model.isMixtureOfExperts()) {
      return null;
    }
    return new ExpertSite(
        model.hiddenSize(),
        model.expertIntermediate(),
        model.expertsPerToken(),
        model.experts(),
        worker.tensorParallel() / expertParallel,
        expertParallel,
        expertType(),
        skewed);
  }

  /** Operators whose time follows from the number of new tokens, in the order of the pass. */
  public List<TokenOperator> tokenOperators() {
    ModelArchitecture model = worker.model();
    int layers = model.layers();
    int hidden = model.hiddenSize();
    int slices = worker.tensorParallel();
    int queries = worker.attentionHeadsPerGpu() * model.headDim();
    int keysAndValues = 2 * worker.kvHeadsPerGpu() * model.headDim();
    List<TokenOperator> list = new ArrayList<>();
    list.add(elementwise("embedding", 1, 2L * hidden));
    list.add(elementwise("norms", 2 * layers, 4L * hidden));
    list.add(gemm("qkv", layers, queries + keysAndValues, hidden));
    list.add(gemm("attention out", layers, hidden, queries));
    ExpertSite site = expertSite();
    if (site == null) {
      int width = model.denseIntermediate() / slices;
      list.add(gemm("gate and up", layers, 2 * width, hidden));
      list.add(elementwise("activation", layers, 3L * width));
      list.add(gemm("down", layers, hidden, width));
    } else {
      list.add(
          new TokenOperator(
              "router",
              layers,
              t -> kernels.gemm(KernelType.BF16, t, model.experts(), hidden),
              t -> floor.gemm(KernelType.BF16, t, model.experts(), hidden)));
      list.add(
          new TokenOperator(
              "experts", layers, t -> kernels.experts(site, t), t -> expertFloor(site, t)));
    }
    if (slices > 1) {
      list.add(
          new TokenOperator(
              "all-reduce",
              2 * layers + 1,
              t -> kernels.allReduce(slices, (long) t * hidden),
              t -> 0));
    }
    if (kernels.layerGap() > 0) {
      list.add(new TokenOperator("gaps", layers, t -> kernels.layerGap(), t -> 0));
    }
    int handOvers = worker.pipelineParallel() - 1;
    if (handOvers > 0) {
      double microsPerToken =
          ACTIVATION_BYTES * hidden / worker.stageLinkBytesPerSecond() * KernelFloor.MICROS;
      list.add(
          new TokenOperator(
              "hand-over",
              handOvers,
              t -> HAND_OVER_MICROS + t * microsPerToken,
              t -> t * microsPerToken));
    }
    return List.copyOf(list);
  }

  private double expertFloor(ExpertSite site, int tokens) {
    double peak = worker.weights().flopsPerSecond(worker.gpu()) / KernelFloor.MICROS;
    return floor.experts(site, tokens, worker.weights().bytesPerElement(), peak);
  }

  /** The output projection; its tokens are the sequences of the pass. */
  public TokenOperator logits() {
    int hidden = worker.model().hiddenSize();
    int rows = (int) (worker.vocabularyParameters() / hidden);
    return new TokenOperator(
        "logits",
        1,
        s -> kernels.gemm(KernelType.BF16, s, rows, hidden),
        s -> floor.gemm(KernelType.BF16, s, rows, hidden));
  }

  private TokenOperator elementwise(String name, int count, long elementsPerToken) {
    double microsPerToken =
        elementsPerToken * ACTIVATION_BYTES / (floor.bandwidth() * ELEMENTWISE_EFFICIENCY);
    return new TokenOperator(name, count, t -> ELEMENTWISE_MICROS + t * microsPerToken, t -> 0);
  }

  private TokenOperator gemm(String name, int count, int n, int k) {
    KernelType type = denseType();
    if (!denseIsWidened()) {
      return new TokenOperator(
          name, count, t -> kernels.gemm(type, t, n, k), t -> floor.gemm(type, t, n, k));
    }
    return new TokenOperator(name, count, t -> widened(t, n, k), t -> widenedFloor(t, n, k, 1));
  }

  /** 4-bit weights in 16-bit arithmetic: as far from its floor as the 16-bit kernel is from its. */
  private double widened(int tokens, int n, int k) {
    double distance =
        kernels.gemm(KernelType.BF16, tokens, n, k) / floor.gemm(KernelType.BF16, tokens, n, k);
    return distance * widenedFloor(tokens, n, k, WIDENING_CHARGE);
  }

  private double widenedFloor(int tokens, int n, int k, double charge) {
    double compute = 2.0 * tokens * n * k / floor.peak(KernelType.BF16);
    double memory = (double) n * k * Precision.NVFP4.bytesPerElement() / floor.bandwidth();
    return Math.max(charge * compute, memory);
  }
}
