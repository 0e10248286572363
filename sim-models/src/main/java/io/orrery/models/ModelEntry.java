package io.orrery.models;

import io.orrery.models.Layer.FeedForward;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a model's entry in the catalogue's file. */
final class ModelEntry {
  /** Other names of the same architecture, with commas between them. */
  static final String ALIASES = "alsoKnownAs";

  /** In what a published NVFP4 checkpoint differs from the even rule that is counted here. */
  static final String CHECKPOINT = "nvfp4Checkpoint";

  private final FactSheet sheet;

  private ModelEntry(FactSheet sheet) {
    this.sheet = sheet;
  }

  /**
   * The architecture that an entry describes.
   *
   * @throws CatalogException if a field is missing, wrong or unknown
   * @throws IllegalArgumentException if the shape makes no sense
   */
  static ModelArchitecture read(FactSheet sheet) {
    ModelArchitecture model = new ModelEntry(sheet).model();
    sheet.finish();
    return model;
  }

  private ModelArchitecture model() {
    int denseIntermediate = sheet.countOrNone("denseIntermediate");
    Experts experts = experts();
    LatentAttention latent = latent();
    // not of the shape: the architecture finds them among its facts
    sheet.textOrNone(ALIASES);
    sheet.textOrNone(CHECKPOINT);
    String kept = sheet.textOrNone("keptInSixteenBits");
    return new ModelArchitecture(
        sheet.name(),
        sheet.text("publishedAs"),
        plan(experts),
        sheet.count("hiddenSize"),
        sheet.count("attentionHeads"),
        sheet.count("kvHeads"),
        latent == null ? sheet.count("headDim") : latent.headDim(),
        latent,
        states(),
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
  }

  /**
   * The layers: {@code layers} of them, alike but for {@code windowPattern} (S sliding window, F
   * full, repeated) and {@code denseLayersFirst}; or one letter a layer in {@code layerPattern}: M
   * state space, * attention, E experts, - MLP.
   */
  private List<Layer> plan(@Nullable Experts experts) {
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

  private @Nullable Experts experts() {
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

  private @Nullable LatentAttention latent() {
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

  private @Nullable StateSpace states() {
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
}
