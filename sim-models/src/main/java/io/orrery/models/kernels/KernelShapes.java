package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import io.orrery.models.ModelArchitecture;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The shapes that knots are shipped for: those of the catalogued models on one to eight GPUs, and
 * of a few more that are often asked for.
 */
final class KernelShapes {
  private static final int MOST_GPUS = 8;
  private static final List<KernelType> KV = List.of(KernelType.BF16, KernelType.FP8);

  /**
   * Hidden size, width, experts per token, experts: DeepSeek-V3, Nemotron 3 Super's latent ones.
   */
  private static final int[][] MORE_EXPERTS = {{7168, 2048, 8, 256}, {1024, 2688, 22, 512}};

  /** Heads, KV heads, head width, window: Nemotron 3 Super. */
  private static final int[][] MORE_HEADS = {{32, 2, 128, 0}};

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
    for (int[] more : MORE_HEADS) {
      add(sites, more[0], more[1], more[2], more[3]);
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
    for (int[] more : MORE_EXPERTS) {
      if (more[0] == site.hidden()
          && more[1] == site.width()
          && more[2] == site.perToken()
          && more[3] == site.experts()) {
        return true;
      }
    }
    return false;
  }
}
