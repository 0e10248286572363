package io.orrery.models;

import java.util.ArrayList;
import java.util.List;

/**
 * One worker: a model on {@code tensorParallel × pipelineParallel} GPUs of a kind, in given
 * precisions. The parameter counts below are those of one GPU; heads, MLP width, experts and
 * vocabulary are cut into {@code tensorParallel} slices, routers and norms are held by every GPU,
 * and a KV head is held twice where there are fewer of them than slices.
 *
 * @param model the architecture
 * @param gpu the GPU
 * @param tensorParallel GPUs that share every layer, inside one NVLink domain
 * @param pipelineParallel stages that the layers are dealt to
 * @param weights precision of the matrices; embedding, output projection, router and norms stay
 *     16-bit in any case, and with mxfp4 so does everything but the experts
 * @param kv precision of the KV cache
 */
public record Deployment(
    ModelArchitecture model,
    Gpu gpu,
    int tensorParallel,
    int pipelineParallel,
    Precision weights,
    Precision kv) {

  /**
   * Checks that the worker can be built.
   *
   * @throws IllegalArgumentException if the model cannot be cut that way, the NVLink domain is too
   *     small, or a precision does not apply
   */
  public Deployment {
    if (tensorParallel < 1 || pipelineParallel < 1) {
      throw new IllegalArgumentException(
          "tensorParallel "
              + tensorParallel
              + ", pipelineParallel "
              + pipelineParallel
              + ": expected at least 1");
    }
    if (!divides(model, tensorParallel)) {
      throw new IllegalArgumentException(
          model
              + " cannot be cut into tensorParallel "
              + tensorParallel
              + " slices: "
              + model.attentionHeads()
              + " attention heads, "
              + model.kvHeads()
              + " KV heads and width "
              + Math.max(model.denseIntermediate(), model.expertIntermediate())
              + " must come out even");
    }
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
    if (pipelineParallel > model.layers()) {
      throw new IllegalArgumentException(
          "pipelineParallel "
              + pipelineParallel
              + " exceeds the "
              + model.layers()
              + " layers of "
              + model);
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

  /** Whether the model can be cut into that many slices. */
  static boolean divides(ModelArchitecture model, int tensorParallel) {
    boolean kvFits = model.kvHeads() % tensorParallel == 0 || tensorParallel % model.kvHeads() == 0;
    return kvFits
        && model.attentionHeads() % tensorParallel == 0
        && model.denseIntermediate() % tensorParallel == 0
        && model.expertIntermediate() % tensorParallel == 0;
  }

  /** The same worker with another number of slices. */
  public Deployment withTensorParallel(int slices) {
    return new Deployment(model, gpu, slices, pipelineParallel, weights, kv);
  }

  /** GPUs of the worker. */
  public int gpus() {
    return tensorParallel * pipelineParallel;
  }

  /** Query heads on one GPU. */
  public int attentionHeadsPerGpu() {
    return model.attentionHeads() / tensorParallel;
  }

  /** KV heads on one GPU, at least 1. */
  public int kvHeadsPerGpu() {
    return (model.kvHeads() + tensorParallel - 1) / tensorParallel;
  }

  /** Precision of the attention projections and of a dense MLP. */
  public Precision denseWeights() {
    return weights == Precision.MXFP4 ? Precision.BF16 : weights;
  }

  /** One GPU's share of a layer's query, key, value and output projections, in parameters. */
  public long attentionParameters() {
    return (long) model.hiddenSize()
        * model.headDim()
        * (2L * attentionHeadsPerGpu() + 2L * kvHeadsPerGpu());
  }

  /** One GPU's share of a layer's MLP, in parameters. */
  public long denseParameters() {
    return model.denseParametersPerLayer() / tensorParallel;
  }

  /** One GPU's share of one expert, in parameters. */
  public long expertParameters() {
    return model.parametersPerExpert() / tensorParallel;
  }

  /** One GPU's share of the embedding, and of the output projection, in parameters. */
  public long vocabularyParameters() {
    long rows = ((long) model.vocabularySize() + tensorParallel - 1) / tensorParallel;
    return rows * model.hiddenSize();
  }

  /** Bytes of one layer's weights on one GPU, its two norms included. */
  public double layerWeightBytes() {
    double experts = (double) model.experts() * expertParameters();
    return (attentionParameters() + denseParameters()) * denseWeights().bytesPerElement()
        + experts * weights.bytesPerElement()
        + (model.routerParametersPerLayer() + 2.0 * model.hiddenSize())
            * Precision.BF16.bytesPerElement();
  }

  /** Bytes that one token leaves in the KV cache of one layer on one GPU. */
  public double kvBytesPerTokenAndLayer() {
    return 2.0 * kvHeadsPerGpu() * model.headDim() * kv.bytesPerElement();
  }

  /** Bytes that one token leaves in the KV caches of all the worker's GPUs together. */
  public double kvBytesPerToken() {
    return kvBytesPerTokenAndLayer() * model.layers() * tensorParallel;
  }

  /**
   * Layers of each pipeline stage. As vLLM deals them: equal shares, and what is left over goes one
   * each to the stages before the last, nearest first.
   */
  public int[] layersPerStage() {
    int[] stages = new int[pipelineParallel];
    for (int s = 0; s < pipelineParallel; s++) {
      stages[s] = model.layers() / pipelineParallel;
    }
    int rest = model.layers() % pipelineParallel;
    for (int i = 1; i <= rest; i++) {
      stages[pipelineParallel - 1 - i]++;
    }
    return stages;
  }

  /** Bytes per second between two stages: NVLink inside a domain, else the network link. */
  public double stageLinkBytesPerSecond() {
    return gpus() <= gpu.nvlinkDomainGpus() ? gpu.nvlinkBytesPerSecond() : gpu.nicBytesPerSecond();
  }

  /** What the user should know about this choice, in a fixed order; often empty. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(gpu.lowConfidenceNotes());
    notes.addAll(model.lowConfidenceNotes());
    if (weights == Precision.NVFP4 && !gpu.hasFp4()) {
      notes.add("nvfp4 weights on " + gpu + " are stored in 4 bits and computed in 16");
    }
    if (weights == Precision.MXFP4 && !gpu.hasFp4()) {
      notes.add("mxfp4 experts on " + gpu + " are stored in 4 bits and computed in 16");
    }
    if (kv == Precision.NVFP4 && !gpu.hasFp4()) {
      notes.add("an nvfp4 KV cache on " + gpu + " is an assumption: no kernel for it is known");
    }
    if (model.slidingLayers() > 0) {
      notes.add(
          model.slidingLayers()
              + " of "
              + model.layers()
              + " layers of "
              + model
              + " read "
              + model.slidingWindow()
              + " tokens only; their KV is counted for every token");
    }
    return List.copyOf(notes);
  }

  /** A short form for messages, such as {@code minimax-m2 (nvfp4, KV fp8) on b200, TP 2, PP 1}. */
  @Override
  public String toString() {
    return model
        + " ("
        + weights
        + ", KV "
        + kv
        + ") on "
        + gpu
        + ", TP "
        + tensorParallel
        + ", PP "
        + pipelineParallel;
  }
}
