package io.orrery.models.kernels;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Known times of latent attention blocks, from tables or knots. Heads that are not known take the
 * nearest number of heads, other widths and formats the known ones, in proportion to what the
 * hardware allows for either.
 */
final class LatentTables {
  private final OnDemand<LatentSite, AttentionTable> prefills =
      new OnDemand<>((site, rows) -> AttentionTable.of(false, 0, rows));
  private final OnDemand<LatentSite, AttentionTable> decodes =
      new OnDemand<>((site, rows) -> AttentionTable.of(true, 0, rows));
  private final KernelFloor floor;

  /**
   * Tables of rows {@code {batch, length, microseconds}}.
   *
   * @param floor the hardware that the rows were measured on
   */
  LatentTables(
      Map<LatentSite, List<double[]>> prefillRows,
      Map<LatentSite, List<double[]>> decodeRows,
      KernelFloor floor) {
    this.floor = floor;
    prefillRows.forEach(prefills::add);
    decodeRows.forEach(decodes::add);
  }

  /** Whether nothing is known at all. */
  boolean isEmpty() {
    return prefills.keys().isEmpty() || decodes.keys().isEmpty();
  }

  /** The known site that stands for a wanted one, null without any. */
  @Nullable LatentSite nearest(LatentSite wanted) {
    LatentSite best = null;
    double least = Double.POSITIVE_INFINITY;
    for (LatentSite site : decodes.keys()) {
      double distance =
          Math.abs(StrictMath.log((double) site.heads() / wanted.heads()))
              + (site.dense() == wanted.dense() ? 0 : 8)
              + (site.kv() == wanted.kv() ? 0 : 16);
      if (distance < least && prefills.contains(site)) {
        least = distance;
        best = site;
      }
    }
    return best;
  }

  /** Microseconds for a number of cold prompts, NaN if nothing is known. */
  double prefill(LatentSite site, int batch, int length) {
    LatentSite near = nearest(site);
    AttentionTable table = near == null ? null : prefills.get(near);
    if (near == null || table == null) {
      return Double.NaN;
    }
    double micros = table.micros(batch, length);
    if (near.equals(site)) {
      return micros;
    }
    double tokens = (double) batch * length;
    double pairs = tokens * (length + 1.0) / 2;
    return micros
        * floor.latent(site, tokens, pairs, tokens)
        / floor.latent(near, tokens, pairs, tokens);
  }

  /** Microseconds for a number of decodes, NaN if nothing is known. */
  double decode(LatentSite site, int batch, int context) {
    LatentSite near = nearest(site);
    AttentionTable table = near == null ? null : decodes.get(near);
    if (near == null || table == null) {
      return Double.NaN;
    }
    double micros = table.micros(batch, context);
    if (near.equals(site)) {
      return micros;
    }
    double pairs = (double) batch * context;
    return micros
        * floor.latent(site, batch, pairs, pairs)
        / floor.latent(near, batch, pairs, pairs);
  }
}
