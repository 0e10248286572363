package io.orrery.models.kernels;

import io.orrery.models.CausalPairs;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.ModelArchitecture;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a pass in which tokens see one another, compiled: attention of every window, blocks
 * of latent attention, Mamba2 layers.
 */
final class AttentionParts {
  private static final double NANOS_PER_MICRO = 1e3;

  private final ModelArchitecture model;
  private final PassOperators operators;
  private final KernelTimes kernels;
  private final KernelFloor floor;
  private final FloorCheck check;
  private final double factor;
  private final @Nullable LatentSite latent;
  private final @Nullable StateSite states;
  private final AttentionSite full;
  private final AttentionSite windowed;

  AttentionParts(
      Deployment worker,
      PassOperators operators,
      KernelTimes kernels,
      HostCosts host,
      FloorCheck check) {
    this.model = worker.model();
    this.operators = operators;
    this.kernels = kernels;
    this.floor = new KernelFloor(worker.gpu());
    this.check = check;
    this.factor = host.kernelMultiplier();
    this.latent = operators.latent();
    this.states = operators.states();
    this.full = operators.attention(0);
    this.windowed = operators.attention(model.slidingWindow());
  }

  /** What chunks of prompts add to a pass. */
  List<ChunkTable.Chunks> prefills() {
    List<ChunkTable.Chunks> list = new ArrayList<>();
    if (latent != null) {
      LatentSite site = latent;
      DenseProducts products = operators.attentionProducts();
      list.add(
          new LatentRows(
              site,
              model.attentionLayers(),
              floor,
              products,
              (chunks, length) ->
                  factor
                      * products.latentBlock(
                          site, chunks * length, kernels.latentPrefill(site, chunks, length)),
              check));
    } else {
      addPrefill(list, full, model.fullLayers());
      addPrefill(list, windowed, model.slidingLayers());
    }
    if (states != null) {
      StateSite site = states;
      list.add(
          new StatePrefillRows(
              site,
              model.stateLayers(),
              floor,
              (chunks, length) -> factor * kernels.statePrefill(site, chunks, length),
              check));
    }
    return list;
  }

  private void addPrefill(List<ChunkTable.Chunks> list, AttentionSite site, int layers) {
    if (layers > 0) {
      list.add(
          new PrefillRows(
              site,
              layers,
              floor,
              (chunks, length) -> factor * kernels.prefillAttention(site, chunks, length),
              check));
    }
  }

  /**
   * What decodes of so many tokens each add to a pass by their contexts. No table measures several
   * tokens: attention is as far from its floor as that of one token is from its own, with the
   * context fetched once for all and the arithmetic of each; the projections around latent
   * attention are those of all tokens.
   */
  DecodeRows decodes(int tokens, FloorCheck check) {
    return new DecodeRows(
        model.slidingWindow(),
        (batch, context) -> NANOS_PER_MICRO * factor * decodeMicros(tokens, batch, context),
        (batch, context) -> NANOS_PER_MICRO * decodeFloor(tokens, batch, context),
        check);
  }

  private double decodeMicros(int tokens, int batch, int context) {
    if (latent != null) {
      return model.attentionLayers() * latentMicros(latent, tokens, batch, context);
    }
    return layers(model.fullLayers(), full, tokens, batch, context)
        + layers(model.slidingLayers(), windowed, tokens, batch, context);
  }

  private double layers(int layers, AttentionSite site, int tokens, int batch, int context) {
    if (layers == 0) {
      return 0;
    }
    double one = kernels.decodeAttention(site, batch, context);
    return layers * one * floorOf(site, tokens, context) / floorOf(site, 1, context);
  }

  /** The least time of one decode's attention. */
  private double floorOf(AttentionSite site, int tokens, int context) {
    return floor.attention(
        site, pairs(site.window(), tokens, context), fetched(site.window(), tokens, context));
  }

  private double latentMicros(LatentSite site, int tokens, int batch, int context) {
    DenseProducts products = operators.attentionProducts();
    double one = products.latentBlock(site, batch, kernels.latentDecode(site, batch, context));
    if (tokens == 1) {
      return one;
    }
    double alone = batch * floor.absorbedAttention(site, context, context);
    double together = batch * floor.absorbedAttention(site, pairs(0, tokens, context), context);
    // a block overlaps its projections in part, so that little of it may be left for attention
    double attention = Math.max(one - products.projections(site, batch), Math.min(one, alone));
    return Math.max(
        one,
        products.projections(site, tokens * batch) + attention * Math.max(1, together / alone));
  }

  private double decodeFloor(int tokens, int batch, int context) {
    if (latent != null) {
      double pairs = batch * pairs(0, tokens, context);
      return model.attentionLayers()
          * operators
              .attentionProducts()
              .latentFloor(latent, tokens * batch, pairs, (double) batch * context);
    }
    double one = model.fullLayers() * floorOf(full, tokens, context);
    if (model.slidingLayers() > 0) {
      one += model.slidingLayers() * floorOf(windowed, tokens, context);
    }
    return batch * one;
  }

  /** Query-key pairs of one decode: its last token meets the whole context or window. */
  private static double pairs(int window, int tokens, int context) {
    int fresh = Math.min(tokens, context);
    return CausalPairs.count(fresh, context - fresh, window == 0 ? Integer.MAX_VALUE : window);
  }

  /** KV tokens that one decode fetches, for all its tokens together. */
  private static double fetched(int window, int tokens, int context) {
    int fresh = Math.min(tokens, context);
    return CausalPairs.kvTokens(fresh, context - fresh, window == 0 ? Integer.MAX_VALUE : window);
  }

  /**
   * What decodes of so many tokens each add to a pass by their number alone: a state is read once,
   * and written for each token, since any of them may be the last that is accepted.
   */
  List<TokenOperator> stateDecodes(int tokens) {
    if (states == null) {
      return List.of();
    }
    StateSite site = states;
    double moved = (1 + tokens) / 2.0;
    return List.of(
        new TokenOperator(
            "state update",
            model.stateLayers(),
            sequences -> kernels.stateDecode(site, sequences) * moved,
            sequences -> floor.stateDecode(site, sequences) * moved));
  }
}
