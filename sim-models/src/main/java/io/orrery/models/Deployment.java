package io.orrery.models;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One worker: a model on {@code tensorParallel × pipelineParallel} GPUs of a kind, in given
 * precisions.
 *
 * <p>Tensor parallelism cuts heads, MLP width, experts and vocabulary into slices; routers and
 * norms are held by every GPU, and so are latent attention's projections down and the projections
 * around narrow experts. A KV head is held twice where there are fewer of them than slices, and a
 * latent KV cache is held whole by every slice. With attention data parallelism the GPUs form that
 * many ranks, each with sequences of its own: all but routed experts is cut into {@code
 * tensorParallel / attentionDataParallel} slices only, experts are still shared by all GPUs.
 *
 * @param model the architecture
 * @param gpu the GPU
 * @param tensorParallel GPUs that share every layer, inside one NVLink domain
 * @param pipelineParallel stages that the layers are dealt to
 * @param expertParallel groups of GPUs that experts are dealt to, a divisor of {@code
 *     tensorParallel}; the GPUs of a group cut every expert
 * @param attentionDataParallel ranks with sequences of their own, a divisor of {@code
 *     tensorParallel}; 1 for none
 * @param draftLayers layers for multi-token prediction that are held besides the model's own, as
 *     many as it was published with or others of their shape
 * @param weights precision of the matrices; embedding, output projection, router and norms stay
 *     16-bit in any case, and with mxfp4 so does everything but the experts
 * @param kv precision of the KV cache
 */
public record Deployment(
    ModelArchitecture model,
    Gpu gpu,
    int tensorParallel,
    int pipelineParallel,
    int expertParallel,
    int attentionDataParallel,
    int draftLayers,
    Precision weights,
    Precision kv) {

  private static final int STATE_ALIGNMENT = 16;

  /**
   * Checks that the worker can be built.
   *
   * @throws IllegalArgumentException if the model cannot be cut that way, the NVLink domain is too
   *     small, or a precision does not apply
   */
  public Deployment {
    new Parallelism(tensorParallel, pipelineParallel, expertParallel, attentionDataParallel)
        .require(model);
    if (tensorParallel > gpu.nvlinkDomainGpus()) {
      throw new IllegalArgumentException(
          "tensorParallel "
              + tensorParallel
              + " exceeds the NVLink domain of "
              + gpu
              + ", "
              + gpu.nvlinkDomainGpus()
              + " GPUs");
    }
    if (draftLayers < 0) {
      throw new IllegalArgumentException("draftLayers " + draftLayers + ": expected 0 or more");
    }
    if (weights == Precision.MXFP4 && model.nativeWeights() != Precision.MXFP4) {
      throw new IllegalArgumentException(
          "mxfp4 weights need a model published in them, and "
              + model
              + " is published in "
              + model.nativeWeights());
    }
    if (!kv.forKv()) {
      throw new IllegalArgumentException("a KV cache cannot be " + kv);
    }
  }

  /** A worker without expert and attention data parallelism and without draft layers. */
  public Deployment(
      ModelArchitecture model,
      Gpu gpu,
      int tensorParallel,
      int pipelineParallel,
      Precision weights,
      Precision kv) {
    this(model, gpu, tensorParallel, pipelineParallel, 1, 1, 0, weights, kv);
  }

  private Parallelism parallelism() {
    return new Parallelism(tensorParallel, pipelineParallel, expertParallel, attentionDataParallel);
  }

  /** Whether the model can be cut into that many slices, other things unchanged. */
  boolean divides(int slices) {
    return parallelism().with(slices, pipelineParallel).divides(model);
  }

  /** The same worker with other numbers of slices and stages. */
  public Deployment with(int slices, int stages) {
    return new Deployment(
        model,
        gpu,
        slices,
        stages,
        expertParallel,
        attentionDataParallel,
        draftLayers,
        weights,
        kv);
  }

  /** GPUs of the worker. */
  public int gpus() {
    return tensorParallel * pipelineParallel;
  }

  /** GPUs that cut attention and whatever else is not a routed expert. */
  public int attentionSlices() {
    return parallelism().attentionSlices();
  }

  /** Query heads on one GPU. */
  public int attentionHeadsPerGpu() {
    return model.attentionHeads() / attentionSlices();
  }

  /** KV heads on one GPU, at least 1; 1 with latent attention. */
  public int kvHeadsPerGpu() {
    int slices = attentionSlices();
    return model.latent() != null ? 1 : (model.kvHeads() + slices - 1) / slices;
  }

  /** Precision of a part of the weights. */
  public Precision precisionOf(WeightPart part) {
    boolean quantised =
        switch (part) {
          case EMBEDDING, SMALL -> false;
          case EXPERTS -> true;
          default -> weights != Precision.MXFP4;
        };
    boolean kept = weights == model.nativeWeights() && model.keptInSixteenBits().contains(part);
    return quantised && !kept ? weights : Precision.BF16;
  }

  /** One GPU's share of the weights. */
  public WeightShare weightShare() {
    return new WeightShare(this);
  }

  /** Routed experts of a layer on one GPU. */
  public int expertsPerGpu() {
    return (model.experts() + expertParallel - 1) / expertParallel;
  }

  /** One GPU's slice of the state-space layers, or null without any. */
  public @Nullable StateSpace statesPerGpu() {
    StateSpace states = model.states();
    return states == null ? null : states.slice(attentionSlices());
  }

  /** Slices that a routed expert is cut into. */
  public int expertSlices() {
    return parallelism().expertSlices();
  }

  /**
   * The worker that a pass of one draft layer amounts to: that layer, embedding and output
   * projection, on the GPUs of one stage.
   */
  public Deployment draftHead() {
    return new Deployment(
        model.draftHead(),
        gpu,
        tensorParallel,
        1,
        expertParallel,
        attentionDataParallel,
        0,
        weights,
        kv);
  }

  /** Bytes that one token leaves in the KV cache of one attention layer on one GPU. */
  public double kvBytesPerTokenAndLayer() {
    LatentAttention latent = model.latent();
    double elements =
        latent != null ? latent.cachedElements() : 2.0 * kvHeadsPerGpu() * model.headDim();
    return elements * kv.bytesPerElement();
  }

  /**
   * Bytes that one token leaves in the KV caches of all GPUs that hold it together, copies counted:
   * with latent attention every slice has one.
   */
  public double kvBytesPerToken() {
    int layers = model.attentionLayers() + draftLayers;
    return kvBytesPerTokenAndLayer() * layers * attentionSlices();
  }

  /** Bytes of one sequence's state in one state-space layer on one GPU; 0 without such layers. */
  public long stateBytesPerLayer() {
    StateSpace slice = statesPerGpu();
    return slice == null ? 0 : slice.stateBytes();
  }

  /**
   * Tokens between places where a sequence can resume: 1 without state-space layers. With them a
   * page of attention is made as large as a state, in multiples of 16 tokens, so that both come out
   * of one pool, and states are saved at the ends of pages (vLLM, {@code
   * Platform._align_hybrid_block_size}; github.com/vllm-project/vllm/issues/41037 works it out for
   * Nemotron 3 Nano).
   */
  public int stateBoundaryTokens() {
    return stateBoundaryTokens(STATE_ALIGNMENT);
  }

  /**
   * The same for blocks of that many tokens, of which a page is a multiple where they are larger
   * than 16.
   */
  public int stateBoundaryTokens(int blockSize) {
    long state = stateBytesPerLayer();
    if (state == 0) {
      return 1;
    }
    int alignment = Math.max(STATE_ALIGNMENT, blockSize);
    double tokens = Math.ceil(state / kvBytesPerTokenAndLayer());
    return (int) (Math.ceil(tokens / alignment) * alignment);
  }

  /**
   * Layers of each pipeline stage. As vLLM deals them: equal shares, and what is left over goes one
   * each to the stages before the last, nearest first.
   */
  public int[] layersPerStage() {
    return parallelism().layersPerStage(model.layers());
  }

  /** Bytes per second between two stages: NVLink inside a domain, else the network link. */
  public double stageLinkBytesPerSecond() {
    return gpus() <= gpu.nvlinkDomainGpus() ? gpu.nvlinkBytesPerSecond() : gpu.nicBytesPerSecond();
  }

  /** What the user should know about this choice, in a fixed order; often empty. */
  public List<String> notes() {
    return DeploymentNotes.of(this);
  }

  /** A short form for messages, such as {@code minimax-m2 (nvfp4, KV fp8) on b200, TP 2, PP 1}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(model).append(" (").append(weights).append(", KV ").append(kv).append(") on ");
    text.append(gpu)
        .append(", TP ")
        .append(tensorParallel)
        .append(", PP ")
        .append(pipelineParallel);
    if (expertParallel > 1) {
      text.append(", EP ").append(expertParallel);
    }
    if (attentionDataParallel > 1) {
      text.append(", attention DP ").append(attentionDataParallel);
    }
    if (draftLayers > 0) {
      text.append(", ").append(draftLayers).append(" draft layers");
    }
    return text.toString();
  }
}
