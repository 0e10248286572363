package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Fits and thins attention: rows {@code {batch, length, microseconds}} per site. Laws hold for all
 * sites of a kind; knots are kept of the sites that a model of the catalogue has.
 */
final class AttentionFitting {
  private static final int[] PREFILL_LENGTHS = {1, 64, 256, 512, 1024, 2048, 4096, 8192, 16384};
  private static final int[] CONTEXTS = {2, 64, 128, 256, 1024, 4096, 16384, 65536, 131072};
  private static final int[] LATENT_PREFILL_LENGTHS = {
    1, 16, 128, 512, 1024, 2048, 4096, 8192, 16384, 32768
  };
  private static final int[] LATENT_CONTEXTS = {3, 65, 257, 1025, 4097, 16385, 65537, 131073};

  private final KernelFloor floor;
  private final KernelFits fits;
  private final Set<AttentionSite> wanted;

  AttentionFitting(Catalog catalog, KernelFloor floor, KernelFits fits) {
    this.floor = floor;
    this.fits = fits;
    this.wanted = KernelShapes.attention(catalog);
  }

  /** Grouped-query attention: laws, and knots. */
  void fit(PerformanceData data, KernelFamily family, boolean decode) {
    String name = decode ? "decode" : "prefill";
    int[] lengths = decode ? CONTEXTS : PREFILL_LENGTHS;
    Set<String> kinds =
        wanted.stream().map(KernelFile::kind).collect(Collectors.toCollection(LinkedHashSet::new));
    Map<String, List<double[]>> byKind = new TreeMap<>();
    Map<String, AttentionSite> kindSites = new LinkedHashMap<>();
    KnotErrors errors = new KnotErrors();
    data.attention(family, decode)
        .forEach(
            (site, rows) -> {
              String kind = KernelFile.kind(site);
              if (!kinds.contains(kind)) {
                return;
              }
              kindSites.put(kind, site);
              byKind.computeIfAbsent(kind, k -> new ArrayList<>()).addAll(shapes(site, rows));
              if (wanted.contains(site)) {
                Thinned thinned = Thinned.of(rows, lengths);
                fits.curvesByBatch(KernelFile.key(name, site), thinned.kept());
                AttentionTable table = AttentionTable.of(decode, site, thinned.kept());
                errors.add(kind, table, thinned.left());
              }
            });
    byKind.forEach(
        (kind, rows) -> {
          AttentionSite site = kindSites.getOrDefault(kind, wanted.iterator().next());
          Law law =
              decode ? new DecodeAttentionLaw(site, floor) : new PrefillAttentionLaw(site, floor);
          fits.law(name + " " + kind, law, rows, row -> row[4]);
        });
    errors.note(name, fits);
  }

  /** Shapes as the laws of attention take them, with the time behind. */
  private static List<double[]> shapes(AttentionSite site, List<double[]> rows) {
    return rows.stream()
        .map(row -> new double[] {row[0], row[1], site.heads(), site.kvHeads(), row[2]})
        .toList();
  }

  /** Latent attention: knots. */
  void thinLatent(PerformanceData data, KernelFamily family, boolean decode) {
    String name = decode ? "latent-decode" : "latent-prefill";
    int[] lengths = decode ? LATENT_CONTEXTS : LATENT_PREFILL_LENGTHS;
    KnotErrors errors = new KnotErrors();
    data.latent(family, decode)
        .forEach(
            (site, rows) -> {
              if (KernelShapes.LATENT_HEADS.contains(site.heads())) {
                Thinned thinned = Thinned.of(rows, lengths);
                fits.curvesByBatch(KernelFile.key(name, site), thinned.kept());
                AttentionTable table = AttentionTable.of(decode, 0, thinned.kept());
                errors.add(site.dense().label(), table, thinned.left());
              }
            });
    errors.note(name, fits);
  }

  /**
   * Rows that become knots and rows that are left out.
   *
   * @param kept those at every other power of two of the batch, and some lengths
   * @param left the others
   */
  private record Thinned(List<double[]> kept, List<double[]> left) {
    static Thinned of(List<double[]> rows, int[] lengths) {
      Thinned thinned = new Thinned(new ArrayList<>(), new ArrayList<>());
      for (double[] row : rows) {
        int octave = 31 - Integer.numberOfLeadingZeros((int) row[0]);
        boolean knot = octave % 2 == 0 && Arrays.binarySearch(lengths, (int) row[1]) >= 0;
        (knot ? thinned.kept : thinned.left).add(row);
      }
      return thinned;
    }
  }
}
