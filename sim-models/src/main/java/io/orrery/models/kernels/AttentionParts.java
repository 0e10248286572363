package io.orrery.models.kernels;

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

  /** What decodes add to a pass by their contexts. */
  DecodeRows decodes() {
    return new DecodeRows(
        model.slidingWindow(),
        (batch, context) -> NANOS_PER_MICRO * factor * decodeMicros(batch, context),
        (batch, context) -> NANOS_PER_MICRO * decodeFloor(batch, context),
        check);
  }

  private double decodeMicros(int batch, int context) {
    if (latent != null) {
      double block = kernels.latentDecode(latent, batch, context);
      return model.attentionLayers()
          * operators.attentionProducts().latentBlock(latent, batch, block);
    }
    return layers(model.fullLayers(), full, batch, context)
        + layers(model.slidingLayers(), windowed, batch, context);
  }

  private double layers(int layers, AttentionSite site, int batch, int context) {
    return layers == 0 ? 0 : layers * kernels.decodeAttention(site, batch, context);
  }

  private double decodeFloor(int batch, int context) {
    double pairs = (double) batch * context;
    if (latent != null) {
      return model.attentionLayers()
          * operators.attentionProducts().latentFloor(latent, batch, pairs, pairs);
    }
    long seen = windowed.seen(context);
    return batch
        * (model.fullLayers() * floor.attention(full, context, context)
            + model.slidingLayers() * floor.attention(windowed, seen, seen));
  }

  /** What decodes add to a pass by their number alone. */
  List<TokenOperator> stateDecodes() {
    if (states == null) {
      return List.of();
    }
    StateSite site = states;
    return List.of(
        new TokenOperator(
            "state update",
            model.stateLayers(),
            sequences -> kernels.stateDecode(site, sequences),
            sequences -> floor.stateDecode(site, sequences)));
  }
}
