package io.orrery.models;

import io.orrery.models.Layer.FeedForward;
import io.orrery.models.Layer.Mixer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shape of a decoder-only language model: layers with attention (grouped-query or latent, over the
 * whole context or a window) or a state space, and with an MLP or experts.
 *
 * @param name the name in scenarios, such as {@code minimax-m2}
 * @param publishedAs where the weights are published
 * @param plan what each layer does, in order
 * @param hiddenSize width of the residual stream
 * @param attentionHeads query heads
 * @param kvHeads key and value heads; with latent attention as many as query heads
 * @param headDim width of a head's query and key
 * @param latent latent attention, or null for grouped-query attention
 * @param states the state-space layers, or null where there are none
 * @param denseIntermediate width of the MLP of layers without experts, 0 where there are none
 * @param expertShape the experts of layers that have them, or null where there are none
 * @param gated whether MLPs and experts multiply by a gate: three matrices rather than two
 * @param vocabularySize rows of the embedding
 * @param tiedEmbeddings whether the output projection is the embedding
 * @param maxPositions longest context in tokens that the model was made for
 * @param slidingWindow tokens that a sliding-window layer looks back on, itself included; 0 for
 *     none
 * @param draftLayers layers for multi-token prediction that were published with the model
 * @param nativeWeights precision in which the weights were published
 * @param keptInSixteenBits parts that the publisher left in 16 bits when quantising; besides the
 *     embedding, the output projection, routers and norms, which always are
 * @param provenance who says so, per field
 */
public record ModelArchitecture(
    String name,
    String publishedAs,
    List<Layer> plan,
    int hiddenSize,
    int attentionHeads,
    int kvHeads,
    int headDim,
    @Nullable LatentAttention latent,
    @Nullable StateSpace states,
    int denseIntermediate,
    @Nullable Experts expertShape,
    boolean gated,
    int vocabularySize,
    boolean tiedEmbeddings,
    int maxPositions,
    int slidingWindow,
    int draftLayers,
    Precision nativeWeights,
    Set<WeightPart> keptInSixteenBits,
    Provenance provenance) {

  /**
   * Checks that the shape makes sense.
   *
   * @throws IllegalArgumentException if it does not
   */
  public ModelArchitecture {
    plan = List.copyOf(plan);
    Set<WeightPart> kept = EnumSet.noneOf(WeightPart.class);
    kept.addAll(keptInSixteenBits);
    keptInSixteenBits = Collections.unmodifiableSet(kept);
    require(
        !plan.isEmpty() && hiddenSize > 0 && headDim > 0 && vocabularySize > 0, name, "no size");
    require(
        kvHeads > 0 && attentionHeads % kvHeads == 0,
        name,
        "attention heads are not a multiple of KV heads");
    require(
        (denseIntermediate > 0) == Layers.any(plan, FeedForward.DENSE),
        name,
        "MLP width does not match the layers that have one");
    require(
        (expertShape != null) == Layers.any(plan, FeedForward.EXPERTS),
        name,
        "experts do not match the layers that have them");
    require(denseIntermediate > 0 || expertShape != null, name, "needs either an MLP or experts");
    if (expertShape != null) {
      require(
          expertShape.count() > 0 && expertShape.intermediate() > 0,
          name,
          "expert width does not match the number of experts");
      require(
          expertShape.perToken() > 0 && expertShape.perToken() <= expertShape.count(),
          name,
          "experts per token out of range");
    }
    require(
        (slidingWindow > 0) == Layers.any(plan, Mixer.WINDOW),
        name,
        "sliding window and its layers do not match");
    require(
        (states != null) == Layers.any(plan, Mixer.STATE),
        name,
        "state space and its layers do not match");
  }

  /** All layers, whatever they do. */
  public int layers() {
    return plan.size();
  }

  /** Layers with attention, windowed or not. */
  public int attentionLayers() {
    return fullLayers() + slidingLayers();
  }

  /** Layers with attention over the whole context. */
  public int fullLayers() {
    return count(Mixer.FULL);
  }

  /** Layers with attention over a window. */
  public int slidingLayers() {
    return count(Mixer.WINDOW);
  }

  /** State-space layers. */
  public int stateLayers() {
    return count(Mixer.STATE);
  }

  /** Layers with experts. */
  public int expertLayers() {
    return count(FeedForward.EXPERTS);
  }

  /** Layers with one MLP. */
  public int denseLayers() {
    return count(FeedForward.DENSE);
  }

  private int count(Mixer mixer) {
    return (int) plan.stream().filter(layer -> layer.mixer() == mixer).count();
  }

  private int count(FeedForward kind) {
    return (int) plan.stream().filter(layer -> layer.feedForward() == kind).count();
  }

  /** What a draft layer does: attention over the whole context, then the model's experts or MLP. */
  public Layer draftLayer() {
    return new Layer(Mixer.FULL, expertShape == null ? FeedForward.DENSE : FeedForward.EXPERTS);
  }

  /** One draft layer with embedding and output projection, as a model of its own. */
  ModelArchitecture draftHead() {
    return new ModelArchitecture(
        name,
        publishedAs,
        List.of(draftLayer()),
        hiddenSize,
        attentionHeads,
        kvHeads,
        headDim,
        latent,
        null,
        expertShape == null ? denseIntermediate : 0,
        expertShape,
        gated,
        vocabularySize,
        tiedEmbeddings,
        maxPositions,
        0,
        0,
        nativeWeights,
        keptInSixteenBits,
        provenance);
  }

  /** Norms in front of the parts of all layers. */
  public int norms() {
    return plan.stream().mapToInt(Layer::norms).sum();
  }

  /** Latent attention, if the model has it. */
  public Optional<LatentAttention> latentAttention() {
    return Optional.ofNullable(latent);
  }

  /** Whether there are routed experts. */
  public boolean isMixtureOfExperts() {
    return expertShape != null;
  }

  /** Routed experts per layer that has them, 0 for a dense model. */
  public int experts() {
    return expertShape == null ? 0 : expertShape.count();
  }

  /** Routed experts that each token visits, 0 for a dense model. */
  public int expertsPerToken() {
    return expertShape == null ? 0 : expertShape.perToken();
  }

  /** Width of a routed expert, 0 for a dense model. */
  public int expertIntermediate() {
    return expertShape == null ? 0 : expertShape.intermediate();
  }

  /** Width of all shared experts together, 0 for none. */
  public int sharedIntermediate() {
    return expertShape == null ? 0 : expertShape.sharedIntermediate();
  }

  /** Width that tokens are narrowed to before routed experts, 0 if they are not. */
  public int expertLatentSize() {
    return expertShape == null ? 0 : expertShape.latentSize();
  }

  /** Width of a routed expert's input. */
  public int expertInputSize() {
    return expertLatentSize() == 0 ? hiddenSize : expertLatentSize();
  }

  /** How many parameters its parts have. */
  public ModelParameters parameters() {
    return new ModelParameters(this);
  }

  /** Elements that one token leaves in the KV cache, over all attention layers and heads. */
  public long kvElementsPerToken() {
    long perLayer = latent == null ? 2L * kvHeads * headDim : latent.cachedElements();
    return attentionLayers() * perLayer;
  }

  /** Bytes of one sequence's state over all state-space layers; 0 where there are none. */
  public long stateBytesPerSequence() {
    return states == null ? 0 : stateLayers() * states.stateBytes();
  }

  /** Other names of the same architecture. */
  public List<String> aliases() {
    Fact fact = provenance.facts().get(ModelEntry.ALIASES);
    return fact == null ? List.of() : List.of(fact.text().split(", *"));
  }

  /** In what a published NVFP4 checkpoint differs from the even rule that is counted here. */
  public Optional<String> checkpointNote() {
    return Optional.ofNullable(provenance.facts().get(ModelEntry.CHECKPOINT)).map(Fact::text);
  }

  /** What is assumed rather than known, to be shown to the user. */
  public List<String> lowConfidenceNotes() {
    return provenance.lowConfidenceNotes();
  }

  /** Who says so, per field. */
  public Map<String, String> sources() {
    return provenance.sources();
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
