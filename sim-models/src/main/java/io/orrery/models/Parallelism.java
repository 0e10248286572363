package io.orrery.models;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How a worker's GPUs share a model.
 *
 * @param tensor GPUs that share every layer
 * @param pipeline stages that the layers are dealt to
 * @param expert groups of a stage's GPUs that experts are dealt to
 * @param attentionData ranks of a stage's GPUs with sequences of their own
 */
record Parallelism(int tensor, int pipeline, int expert, int attentionData) {

  /** GPUs that cut attention and whatever else is not a routed expert. */
  int attentionSlices() {
    return tensor / attentionData;
  }

  /** GPUs that cut each routed expert that they hold. */
  int expertSlices() {
    return tensor / expert;
  }

  /** The same with other numbers of slices and stages. */
  Parallelism with(int slices, int stages) {
    return new Parallelism(slices, stages, expert, attentionData);
  }

  /**
   * Checks that a model can be cut so.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void require(ModelArchitecture model) {
    if (tensor < 1 || pipeline < 1) {
      throw new IllegalArgumentException(
          "tensorParallel " + tensor + ", pipelineParallel " + pipeline + ": expected at least 1");
    }
    requireDivisor("attentionDataParallel", attentionData);
    requireDivisor("expertParallel", expert);
    if (expert > 1 && (!model.isMixtureOfExperts() || expert > model.experts())) {
      throw new IllegalArgumentException(
          "expertParallel " + expert + ": " + model + " has " + model.experts() + " experts");
    }
    String obstacle = obstacle(model);
    if (obstacle != null) {
      throw new IllegalArgumentException(
          model
              + " cannot be cut into tensorParallel "
              + tensor
              + " slices: "
              + obstacle
              + " must come out even");
    }
    if (pipeline > model.layers()) {
      throw new IllegalArgumentException(
          "pipelineParallel "
              + pipeline
              + " exceeds the "
              + model.layers()
              + " layers of "
              + model);
    }
  }

  private void requireDivisor(String name, int value) {
    if (value < 1 || tensor % value != 0) {
      throw new IllegalArgumentException(
          name + " " + value + ": expected a divisor of tensorParallel " + tensor);
    }
  }

  /** Whether a model's layers can be cut so. */
  boolean divides(ModelArchitecture model) {
    return tensor % expert == 0 && tensor % attentionData == 0 && obstacle(model) == null;
  }

  /** What does not come out even when cut, or null. */
  private @Nullable String obstacle(ModelArchitecture model) {
    int slices = attentionSlices();
    boolean latent = model.latent() != null;
    int kvHeads = model.kvHeads();
    boolean kvFits = latent || kvHeads % slices == 0 || slices % kvHeads == 0;
    if (!kvFits || model.attentionHeads() % slices != 0) {
      return model.attentionHeads() + " attention heads and " + kvHeads + " KV heads";
    }
    if (model.denseIntermediate() % slices != 0) {
      return "width " + model.denseIntermediate();
    }
    if (model.sharedIntermediate() % slices != 0) {
      return "shared experts of width " + model.sharedIntermediate();
    }
    if (model.expertIntermediate() % expertSlices() != 0) {
      return "experts of width " + model.expertIntermediate();
    }
    StateSpace states = model.states();
    if (states != null && !states.divides(slices)) {
      return states.heads() + " state-space heads in " + states.groups() + " groups";
    }
    return null;
  }

  /**
   * Layers of each stage. As vLLM deals them: equal shares, and what is left over goes one each to
   * the stages before the last, nearest first.
   */
  int[] layersPerStage(int layers) {
    int[] stages = new int[pipeline];
    Arrays.fill(stages, layers / pipeline);
    int rest = layers % pipeline;
    for (int i = 1; i <= rest; i++) {
      stages[pipeline - 1 - i]++;
    }
    return stages;
  }
}
