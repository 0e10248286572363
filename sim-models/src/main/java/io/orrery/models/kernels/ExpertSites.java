package io.orrery.models.kernels;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which known experts stand for wanted ones. */
final class ExpertSites {
  private ExpertSites() {}

  /**
   * The site itself, or the same experts dealt to as many GPUs in another way (fewer slices first),
   * null if neither is known.
   */
  static @Nullable ExpertSite nearest(Set<ExpertSite> known, ExpertSite site) {
    if (known.contains(site)) {
      return site;
    }
    int gpus = site.tensorParallel() * site.expertParallel();
    for (int slices = Integer.highestOneBit(gpus); slices >= 1; slices /= 2) {
      if (gpus % slices == 0) {
        ExpertSite other = site.dealt(slices, gpus / slices);
        if (known.contains(other)) {
          return other;
        }
      }
    }
    return null;
  }

  /** vLLM widens the experts of gpt-oss to 16 bits, although it has an 8-bit kernel for others. */
  static boolean narrow(KernelFamily family, ExpertSite site) {
    return family == KernelFamily.TRTLLM && site.type() == KernelType.MXFP4_FP8;
  }
}
