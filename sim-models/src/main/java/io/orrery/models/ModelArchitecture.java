package io.orrery.models;

import java.util.List;
import java.util.Map;

/**
 * Shape of a decoder-only transformer with grouped-query attention and either a dense gated MLP or
 * routed gated experts in every layer.
 *
 * <p>Parameter counts follow from the shape. Counted are the matrices and one norm vector per norm;
 * biases, attention sinks and the norms on query and key heads are left out (together below 0.001 %
 * of any model here).
 *
 * @param name the name in scenarios, such as {@code minimax-m2}
 * @param publishedAs where the weights are published
 * @param layers transformer layers
 * @param hiddenSize width of the residual stream
 * @param attentionHeads query heads
 * @param kvHeads key and value heads
 * @param headDim width of a head
 * @param denseIntermediate width of the MLP of a dense model, 0 with experts
 * @param experts routed experts per layer, 0 for a dense model
 * @param expertsPerToken experts that each token visits, 0 for a dense model
 * @param expertIntermediate width of an expert, 0 for a dense model
 * @param vocabularySize rows of the embedding
 * @param tiedEmbeddings whether the output projection is the embedding
 * @param maxPositions longest context in tokens that the model was made for
 * @param slidingWindow tokens that a sliding-window layer looks back on, itself included; 0 for
 *     none
 * @param slidingLayers layers with that window; the others see everything
 * @param nativeWeights precision in which the weights were published
 * @param lowConfidenceNotes what is assumed rather than known, to be shown to the user
 * @param sources who says so, per field
 */
public record ModelArchitecture(
    String name,
    String publishedAs,
    int layers,
    int hiddenSize,
    int attentionHeads,
    int kvHeads,
    int headDim,
    int denseIntermediate,
    int experts,
    int expertsPerToken,
    int expertIntermediate,
    int vocabularySize,
    boolean tiedEmbeddings,
    int maxPositions,
    int slidingWindow,
    int slidingLayers,
    Precision nativeWeights,
    List<String> lowConfidenceNotes,
    Map<String, String> sources) {

  /**
   * Checks that the shape makes sense.
   *
   * @throws IllegalArgumentException if it does not
   */
  public ModelArchitecture {
    require(layers > 0 && hiddenSize > 0 && headDim > 0 && vocabularySize > 0, name, "no size");
    require(
        kvHeads > 0 && attentionHeads % kvHeads == 0,
        name,
        "attention heads are not a multiple of KV heads");
    require((denseIntermediate > 0) != (experts > 0), name, "needs either an MLP or experts");
    require(
        experts == 0 ? expertsPerToken == 0 && expertIntermediate == 0 : expertIntermediate > 0,
        name,
        "expert width does not match the number of experts");
    require(
        experts == 0 || (expertsPerToken > 0 && expertsPerToken <= experts),
        name,
        "experts per token out of range");
    require(
        (slidingWindow > 0) == (slidingLayers > 0) && slidingLayers <= layers,
        name,
        "sliding window and its layers do not match");
  }

  static ModelArchitecture from(FactSheet sheet) {
    ModelArchitecture model =
        new ModelArchitecture(
            sheet.name(),
            sheet.text("publishedAs"),
            sheet.count("layers"),
            sheet.count("hiddenSize"),
            sheet.count("attentionHeads"),
            sheet.count("kvHeads"),
            sheet.count("headDim"),
            sheet.countOrNone("denseIntermediate"),
            sheet.countOrNone("experts"),
            sheet.countOrNone("expertsPerToken"),
            sheet.countOrNone("expertIntermediate"),
            sheet.count("vocabularySize"),
            sheet.flag("tiedEmbeddings"),
            sheet.count("maxPositions"),
            sheet.countOrNone("slidingWindow"),
            sheet.countOrNone("slidingLayers"),
            Precision.weights(sheet.text("nativeWeights")),
            sheet.lowConfidenceNotes(),
            sheet.sources());
    sheet.finish();
    return model;
  }

  /** Whether the layers hold routed experts. */
  public boolean isMixtureOfExperts() {
    return experts > 0;
  }

  /** Layers that see the whole context. */
  public int fullLayers() {
    return layers - slidingLayers;
  }

  /** Parameters of one layer's query, key, value and output projections. */
  public long attentionParametersPerLayer() {
    return (long) hiddenSize * headDim * (2L * attentionHeads + 2L * kvHeads);
  }

  /** Parameters of one layer's MLP (gate, up, down); 0 with experts. */
  public long denseParametersPerLayer() {
    return 3L * hiddenSize * denseIntermediate;
  }

  /** Parameters of one expert (gate, up, down); 0 for a dense model. */
  public long parametersPerExpert() {
    return 3L * hiddenSize * expertIntermediate;
  }

  /** Parameters of one layer's router; 0 for a dense model. */
  public long routerParametersPerLayer() {
    return (long) hiddenSize * experts;
  }

  /** Parameters of all norms: two per layer and the last one. */
  public long normParameters() {
    return (2L * layers + 1) * hiddenSize;
  }

  /** Parameters of the token embedding; the output projection has as many, or shares them. */
  public long embeddingParameters() {
    return (long) vocabularySize * hiddenSize;
  }

  /** All parameters. */
  public long totalParameters() {
    long perLayer =
        attentionParametersPerLayer()
            + denseParametersPerLayer()
            + experts * parametersPerExpert()
            + routerParametersPerLayer();
    return layers * perLayer + normParameters() + (tiedEmbeddings ? 1 : 2) * embeddingParameters();
  }

  /** Parameters that one token meets, its embedding row counted as the whole table. */
  public long activeParameters() {
    return totalParameters() - (long) layers * (experts - expertsPerToken) * parametersPerExpert();
  }

  /** Elements that one token leaves in the KV cache, over all layers and heads. */
  public long kvElementsPerToken() {
    return 2L * layers * kvHeads * headDim;
  }

  private static void require(boolean holds, String name, String message) {
    if (!holds) {
      throw new IllegalArgumentException("model " + name + ": " + message);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
