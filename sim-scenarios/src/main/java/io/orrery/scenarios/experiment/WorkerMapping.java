package io.orrery.scenarios.experiment;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Names;
import io.orrery.models.Precision;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.PoolSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which worker a pool is made of: a GPU of the catalogue, a model, and how its GPUs share it. */
final class WorkerMapping {
  private static final double BILLION = 1e9;

  private final EffectiveConfig config;
  private final int index;
  private final PoolSpec pool;
  private final Catalog catalog;
  private final List<String> assumptions = new ArrayList<>();
  private final Deployment deployment;

  WorkerMapping(Variant variant, int index, Catalog catalog, DraftMapping drafts) {
    this.config = variant.config();
    this.index = index;
    this.pool = variant.spec().pools().get(index);
    this.catalog = catalog;
    this.deployment = map(drafts);
  }

  Deployment deployment() {
    return deployment;
  }

  List<String> assumptions() {
    return assumptions;
  }

  private Deployment map(DraftMapping drafts) {
    requireKnown("gpu", pool.gpu(), catalog.gpuNames());
    Gpu gpu = catalog.gpu(pool.gpu());
    ModelArchitecture model = model();
    int draftLayers = drafts.layers(model);
    try {
      return new Deployment(
          model,
          gpu,
          pool.tensorParallel(),
          pool.pipelineParallel(),
          pool.expertParallel(),
          pool.attentionDataParallel(),
          draftLayers,
          Precision.weights(pool.weightPrecision()),
          Precision.kv(pool.kvPrecision()));
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      throw config.refusal(
          PoolMapping.path(index, keyAtFault(reason)), "a worker that can be built, but " + reason);
    }
  }

  /** The digest of the file that describes the model; empty for one of the catalogue. */
  Optional<String> modelDigest() {
    return Catalog.isPath(pool.model())
        ? Optional.of(LoadedProfile.sha256(Catalog.modelFile(pool.model(), modelFolder())))
        : Optional.empty();
  }

  /** What a relative path of the model is relative to. */
  private Path modelFolder() {
    return config
        .get(PoolMapping.path(index, "model"))
        .map(setting -> setting.origin().directory())
        .orElse(Path.of(""));
  }

  private ModelArchitecture model() {
    String key = PoolMapping.path(index, "model");
    if (!Catalog.isPath(pool.model())) {
      try {
        return catalog.model(pool.model());
      } catch (IllegalArgumentException e) {
        List<String> known = catalog.modelNamesAndAliases();
        throw config.refusal(
            key,
            "one of "
                + String.join(", ", known)
                + ", or the path of a config.json"
                + Names.didYouMean(pool.model(), known));
      }
    }
    try {
      ModelArchitecture model = catalog.model(pool.model(), modelFolder());
      assumptions.add(
          "Model "
              + model
              + " is what "
              + pool.model()
              + " describes: "
              + String.format(Locale.ROOT, "%.2f", model.parameters().total() / BILLION)
              + " billion parameters, "
              + PoolMapping.count(2 * model.kvElementsPerToken())
              + " bytes of 16-bit KV a token.");
      return model;
    } catch (IllegalArgumentException e) {
      throw config.refusal(key, "a model's config.json, but " + e.getMessage());
    }
  }

  /** The key of the pool that a refusal of its worker is about. */
  private static String keyAtFault(String reason) {
    for (String key : List.of("expertParallel ", "attentionDataParallel ", "tensorParallel ")) {
      if (reason.contains(key)) {
        return key.strip();
      }
    }
    if (reason.contains("pipelineParallel")) {
      return "pipelineParallel";
    }
    return reason.contains("KV cache") ? "precision.kv" : "precision.weights";
  }

  private void requireKnown(String key, String name, Collection<String> known) {
    if (!known.contains(name)) {
      throw config.refusal(
          PoolMapping.path(index, key),
          "one of " + String.join(", ", known) + Names.didYouMean(name, known));
    }
  }
}
