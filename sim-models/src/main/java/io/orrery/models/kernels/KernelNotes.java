package io.orrery.models.kernels;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user should know about kernels that stand for others. */
final class KernelNotes {
  private KernelNotes() {}

  static List<String> latent(@Nullable LatentSite site, LatentTables tables) {
    if (site == null) {
      return List.of();
    }
    LatentSite near = tables.nearest(site);
    if (near == null) {
      return List.of(
          site + ": no table, its projections and attention at typical rates (low confidence)");
    }
    return near.equals(site)
        ? List.of()
        : List.of(
            site
                + ": not measured, "
                + near
                + " in proportion to the hardware's least time"
                + (site.isMeasuredShape() ? "" : " (low confidence)"));
  }

  static List<String> states(@Nullable StateSite site, @Nullable StateTables tables) {
    if (site == null) {
      return List.of();
    }
    String update =
        "updates of Mamba2 states were measured nowhere: their bytes at 80 % of the bandwidth";
    if (tables == null) {
      return List.of(
          site + ": no table, its bytes at a tenth of the bandwidth (low confidence)", update);
    }
    return tables.has(site)
        ? List.of(update)
        : List.of(site + ": not measured, in proportion to bytes (low confidence)", update);
  }
}
