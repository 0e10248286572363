package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import io.orrery.models.ModelArchitecture;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The shapes that knots are shipped for: those of the catalogued models on one to eight GPUs. */
final class KernelShapes {
  private static final int MOST_GPUS = 8;
  private static final List<KernelType> KV = List.of(KernelType.BF16, KernelType.FP8);

  /** Heads of DeepSeek-V3 on one to eight GPUs. */
  static final List<Integer> LATENT_HEADS = List.of(128, 64, 32, 16);

  private KernelShapes() {}

  /** Attention of all models, in both KV formats. */
  static Set<AttentionSite> attention(Catalog catalog) {
    Set<AttentionSite> sites = new LinkedHashSet<>();
    for (String name : catalog.modelNames()) {
      ModelArchitecture model = catalog.model(name);
      if (model.latent() != null) {
        continue; // kernels of their own
      }
      add(sites, model.attentionHeads(), model.kvHeads(), model.headDim(), 0);
      if (model.slidingLayers() > 0) {
        int window = model.slidingWindow();
        add(sites, model.attentionHeads(), model.kvHeads(), model.headDim(), window);
      }
    }
    return sites;
  }

  private static void add(
      Set<AttentionSite> sites, int heads, int kvHeads, int headDim, int window) {
    for (int gpus = 1; gpus <= MOST_GPUS && heads % gpus == 0; gpus *= 2) {
      for (KernelType kv : KV) {
        sites.add(
            new AttentionSite(heads / gpus, Math.max(1, kvHeads / gpus), headDim, window, kv));
      }
    }
  }

  /** Whether a site belongs to one of the models, dealt to at most eight GPUs. */
  static boolean wanted(Catalog catalog, ExpertSite site) {
    if (site.tensorParallel() * site.expertParallel() > MOST_GPUS) {
      return false;
    }
    for (String name : catalog.modelNames()) {
      ModelArchitecture model = catalog.model(name);
      if (model.expertInputSize() == site.hidden()
          && model.expertIntermediate() == site.width()
          && model.expertsPerToken() == site.perToken()
          && model.experts() == site.experts()) {
        return true;
      }
    }
    return false;
  }
}
