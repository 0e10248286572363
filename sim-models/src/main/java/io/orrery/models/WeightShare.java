package io.orrery.models;

/**
 * One GPU's share of a worker's weights.
 *
 * @param worker the worker, whose GPUs of a stage are alike
 */
public record WeightShare(Deployment worker) {
  private static final double SIXTEEN_BITS = Precision.BF16.bytesPerElement();

  /** A layer's attention projections, in parameters. */
  public long attention() {
    ModelArchitecture model = worker.model();
    int hidden = model.hiddenSize();
    int heads = worker.attentionHeadsPerGpu();
    LatentAttention latent = model.latent();
    if (latent != null) {
      return latent.sharedParameters(hidden) + heads * latent.parametersPerHead(hidden);
    }
    return (long) hidden * model.headDim() * (2L * heads + 2L * worker.kvHeadsPerGpu());
  }

  /** A layer's MLP, in parameters. */
  public long dense() {
    return parameters().densePerLayer() / worker.attentionSlices();
  }

  /** One routed expert that the GPU holds, in parameters. */
  public long expert() {
    return parameters().perExpert() / worker.expertSlices();
  }

  /** A layer's shared experts, in parameters. */
  public long shared() {
    return parameters().sharedPerLayer() / worker.attentionSlices();
  }

  /** The embedding, or the output projection, in parameters. */
  public long vocabulary() {
    int slices = worker.attentionSlices();
    long rows = ((long) worker.model().vocabularySize() + slices - 1) / slices;
    return rows * worker.model().hiddenSize();
  }

  /** A state-space layer's projections, in parameters; 0 without any. */
  public long state() {
    StateSpace slice = worker.statesPerGpu();
    return slice == null ? 0 : slice.projectionParameters(worker.model().hiddenSize());
  }

  private ModelParameters parameters() {
    return worker.model().parameters();
  }

  /** A layer, its norms included, in bytes. */
  public double layerBytes(Layer layer) {
    return mixerBytes(layer) + feedForwardBytes(layer) + normBytes(layer.norms());
  }

  private double mixerBytes(Layer layer) {
    if (layer.hasAttention()) {
      return attention() * bytes(WeightPart.ATTENTION);
    }
    StateSpace slice = worker.statesPerGpu();
    return layer.mixer() == Layer.Mixer.STATE && slice != null
        ? state() * bytes(WeightPart.STATE_SPACE) + slice.smallParameters() * SIXTEEN_BITS
        : 0;
  }

  private double feedForwardBytes(Layer layer) {
    return switch (layer.feedForward()) {
      case NONE -> 0;
      case DENSE -> dense() * bytes(WeightPart.DENSE);
      case EXPERTS ->
          (double) worker.expertsPerGpu() * expert() * bytes(WeightPart.EXPERTS)
              + (shared() + parameters().expertLatentPerLayer()) * bytes(WeightPart.SHARED)
              + parameters().routerPerLayer() * SIXTEEN_BITS;
    };
  }

  private double normBytes(int count) {
    return SIXTEEN_BITS * count * worker.model().hiddenSize();
  }

  private double bytes(WeightPart part) {
    return worker.precisionOf(part).bytesPerElement();
  }

  /**
   * One draft layer, in bytes: a layer, the projection that joins it to the model and three norms
   * more. Embedding and output projection are the model's.
   */
  public double draftLayerBytes() {
    return layerBytes(worker.model().draftLayer())
        + SIXTEEN_BITS * parameters().draftJoin()
        + normBytes(3);
  }
}
