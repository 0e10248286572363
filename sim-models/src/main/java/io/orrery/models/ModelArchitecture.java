package io.orrery.models;

import io.orrery.models.Layer.FeedForward;
import io.orrery.models.Layer.Mixer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shape of a decoder-only language model: layers with attention (grouped-query or latent, over the
 * whole context or a window) or a state space, and with an MLP or experts.
 *
 * <p>Parameter counts follow from the shape. Counted are the matrices and one norm vector per part
 * of a layer; biases, attention sinks and the norms inside attention are left out (together below
 * 0.001 % of any model here).
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

  /** Other names of the same architecture, with commas between them. */
  static final String ALIASES = "alsoKnownAs";

  /** A hundred times the largest published: beyond it, bytes and times are no longer exact. */
  private static final double MOST_PARAMETERS = 1e14;

  private static final String CHECKPOINT = "nvfp4Checkpoint";

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
        (denseIntermediate > 0) == has(plan, FeedForward.DENSE),
        name,
        "MLP width does not match the layers that have one");
    require(
        (expertShape != null) == has(plan, FeedForward.EXPERTS),
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
        (slidingWindow > 0) == plan.stream().anyMatch(layer -> layer.mixer() == Mixer.WINDOW),
        name,
        "sliding window and its layers do not match");
    require(
        (states != null) == plan.stream().anyMatch(layer -> layer.mixer() == Mixer.STATE),
        name,
        "state space and its layers do not match");
  }

  /**
   * Checks that bytes and times of the model can be counted.
   *
   * @throws IllegalArgumentException if it has far more parameters than any model
   */
  public void requireCountable() {
    double parameters = roughParameters();
    require(
        parameters <= MOST_PARAMETERS,
        name,
        String.format(
            Locale.ROOT, "%.1e parameters, expected at most %.0e", parameters, MOST_PARAMETERS));
  }

  /** All parameters, of numbers that may be far too large for integers. */
  private double roughParameters() {
    double state =
        states == null ? 0 : states.projectionParameters(hiddenSize) + states.smallParameters();
    double perExpertLayer =
        (double) experts() * parametersPerExpert()
            + sharedParametersPerLayer()
            + latentParametersPerLayer()
            + routerParametersPerLayer();
    return (double) attentionLayers() * attentionParametersPerLayer()
        + stateLayers() * state
        + (double) denseLayers() * denseParametersPerLayer()
        + expertLayers() * perExpertLayer
        + 2.0 * embeddingParameters();
  }

  private static boolean has(List<Layer> plan, FeedForward kind) {
    return plan.stream().anyMatch(layer -> layer.feedForward() == kind);
  }

  static ModelArchitecture from(FactSheet sheet) {
    int denseIntermediate = sheet.countOrNone("denseIntermediate");
    Experts experts = experts(sheet);
    LatentAttention latent = latent(sheet);
    sheet.textOrNone(ALIASES); // read by the catalogue
    sheet.textOrNone(CHECKPOINT);
    String kept = sheet.textOrNone("keptInSixteenBits");
    ModelArchitecture model =
        new ModelArchitecture(
            sheet.name(),
            sheet.text("publishedAs"),
            plan(sheet, experts),
            sheet.count("hiddenSize"),
            sheet.count("attentionHeads"),
            sheet.count("kvHeads"),
            latent == null ? sheet.count("headDim") : latent.headDim(),
            latent,
            states(sheet),
            denseIntermediate,
            experts,
            sheet.flagOr("gated", true),
            sheet.count("vocabularySize"),
            sheet.flag("tiedEmbeddings"),
            sheet.count("maxPositions"),
            sheet.countOrNone("slidingWindow"),
            sheet.countOrNone("draftLayers"),
            Precision.weights(sheet.text("nativeWeights")),
            kept.isEmpty() ? EnumSet.noneOf(WeightPart.class) : EnumSet.of(WeightPart.of(kept)),
            sheet.provenance());
    sheet.finish();
    return model;
  }

  /**
   * The layers: {@code layers} of them, alike but for {@code windowPattern} (S sliding window, F
   * full, repeated) and {@code denseLayersFirst}; or one letter a layer in {@code layerPattern}: M
   * state space, * attention, E experts, - MLP.
   */
  private static List<Layer> plan(FactSheet sheet, @Nullable Experts experts) {
    String pattern = sheet.textOrNone("layerPattern");
    if (!pattern.isEmpty()) {
      return Layers.ofPattern(pattern);
    }
    return Layers.alike(
        sheet.count("layers"),
        sheet.textOrNone("windowPattern"),
        experts == null ? FeedForward.DENSE : FeedForward.EXPERTS,
        sheet.countOrNone("denseLayersFirst"));
  }

  private static @Nullable Experts experts(FactSheet sheet) {
    int count = sheet.countOrNone("experts");
    return count == 0
        ? null
        : new Experts(
            count,
            sheet.count("expertsPerToken"),
            sheet.count("expertIntermediate"),
            sheet.countOrNone("sharedIntermediate"),
            sheet.countOrNone("expertLatentSize"));
  }

  private static @Nullable LatentAttention latent(FactSheet sheet) {
    int rank = sheet.countOrNone("latentRank");
    return rank == 0
        ? null
        : new LatentAttention(
            sheet.count("queryRank"),
            rank,
            sheet.count("plainHeadDim"),
            sheet.count("rotaryHeadDim"),
            sheet.count("valueHeadDim"));
  }

  private static @Nullable StateSpace states(FactSheet sheet) {
    int heads = sheet.countOrNone("stateHeads");
    return heads == 0
        ? null
        : new StateSpace(
            heads,
            sheet.count("stateHeadDim"),
            sheet.count("stateSize"),
            sheet.count("stateGroups"),
            sheet.count("stateConvolution"),
            sheet.count("stateElementBytes"));
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

  /**
   * Parameters of the projection that joins a draft layer to the model: the embedding of a token
   * and the hidden state before it, side by side, onto one.
   */
  public long draftJoinParameters() {
    return 2L * hiddenSize * hiddenSize;
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

  /** The state-space layers, if the model has any. */
  public Optional<StateSpace> stateSpace() {
    return Optional.ofNullable(states);
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

  private long matrices() {
    return gated ? 3 : 2;
  }

  /** Parameters of one layer's attention projections. */
  public long attentionParametersPerLayer() {
    if (latent != null) {
      return latent.sharedParameters(hiddenSize)
          + attentionHeads * latent.parametersPerHead(hiddenSize);
    }
    return (long) hiddenSize * headDim * (2L * attentionHeads + 2L * kvHeads);
  }

  /** Parameters of one MLP; 0 where no layer has one. */
  public long denseParametersPerLayer() {
    return matrices() * hiddenSize * denseIntermediate;
  }

  /** Parameters of one routed expert; 0 for a dense model. */
  public long parametersPerExpert() {
    return matrices() * expertInputSize() * expertIntermediate();
  }

  /** Parameters of one layer's shared experts; 0 for none. */
  public long sharedParametersPerLayer() {
    return matrices() * hiddenSize * sharedIntermediate();
  }

  /** Parameters of one layer's projections to and from narrow experts; 0 for none. */
  public long latentParametersPerLayer() {
    return 2L * hiddenSize * expertLatentSize();
  }

  /** Parameters of one layer's router; 0 for a dense model. */
  public long routerParametersPerLayer() {
    return (long) hiddenSize * experts();
  }

  /** Parameters of all norms: one per part of a layer and the last one. */
  public long normParameters() {
    return (plan.stream().mapToInt(Layer::norms).sum() + 1L) * hiddenSize;
  }

  /** Parameters of the token embedding; the output projection has as many, or shares them. */
  public long embeddingParameters() {
    return (long) vocabularySize * hiddenSize;
  }

  /** All parameters, draft layers left out. */
  public long totalParameters() {
    long state =
        states == null ? 0 : states.projectionParameters(hiddenSize) + states.smallParameters();
    long perExpertLayer =
        experts() * parametersPerExpert()
            + sharedParametersPerLayer()
            + latentParametersPerLayer()
            + routerParametersPerLayer();
    return attentionLayers() * attentionParametersPerLayer()
        + stateLayers() * state
        + denseLayers() * denseParametersPerLayer()
        + expertLayers() * perExpertLayer
        + normParameters()
        + (tiedEmbeddings ? 1 : 2) * embeddingParameters();
  }

  /** Parameters that one token meets, its embedding row counted as the whole table. */
  public long activeParameters() {
    long idle = (long) (experts() - expertsPerToken()) * parametersPerExpert();
    return totalParameters() - expertLayers() * idle;
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
    Fact fact = provenance.facts().get(ALIASES);
    return fact == null ? List.of() : List.of(fact.text().split(", *"));
  }

  /** In what a published NVFP4 checkpoint differs from the even rule that is counted here. */
  public Optional<String> checkpointNote() {
    return Optional.ofNullable(provenance.facts().get(CHECKPOINT)).map(Fact::text);
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
