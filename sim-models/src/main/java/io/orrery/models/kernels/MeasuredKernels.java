package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kernel times interpolated in measured tables. What was measured comes out as it was measured.
 * Tables that are known to be wrong are refused, and replaced by those of the other engine where it
 * has them; {@link #notes} says so.
 *
 * <p>Immutable.
 */
public final class MeasuredKernels implements KernelTimes {
  private final KernelFamily family;
  private final String system;
  private final Map<KernelType, GemmTable> gemms = new LinkedHashMap<>();
  private final Map<AttentionSite, AttentionTable> prefills = new LinkedHashMap<>();
  private final Map<AttentionSite, AttentionTable> decodes = new LinkedHashMap<>();
  private final Map<ExpertSite, Curve> experts = new LinkedHashMap<>();
  private final CollectiveTables collectives = new CollectiveTables();
  private final Gpu gpu;
  private final @Nullable KernelTimes laws;
  private final KernelFloor floor;
  private final LatentTables latents;
  private final @Nullable StateTables states;
  private final Map<KernelType, String> substitutes = new LinkedHashMap<>();
  private final Map<KernelType, String> refusedExperts = new LinkedHashMap<>();

  private final @Nullable StaticScales scales;

  private MeasuredKernels(
      PerformanceData data, Gpu gpu, KernelFamily family, @Nullable KernelTimes laws) {
    this.family = family;
    this.laws = laws;
    this.system = data.system();
    this.gpu = gpu;
    this.floor = new KernelFloor(gpu);
    this.scales =
        StaticScales.apply(family, KernelType.FP8) ? StaticScales.fit(data, family) : null;
    boolean latent = data.hasLatent(family);
    this.latents =
        new LatentTables(
            latent ? data.latent(family, false) : Collections.emptyMap(),
            latent ? data.latent(family, true) : Collections.emptyMap(),
            floor);
    this.states = StateTables.of(StateRows.MEASURED, floor, data.states());
  }

  /**
   * Reads all tables of an engine on a GPU.
   *
   * @param laws what serves experts that were not measured, null for nothing
   * @throws MissingKernelException if a table is missing
   */
  public static MeasuredKernels read(
      PerformanceData data, Gpu gpu, KernelFamily family, @Nullable KernelTimes laws) {
    MeasuredKernels kernels = new MeasuredKernels(data, gpu, family, laws);
    kernels.addGemms(data, family);
    data.attention(family, false)
        .forEach((site, rows) -> kernels.prefills.put(site, AttentionTable.of(false, site, rows)));
    data.attention(family, true)
        .forEach((site, rows) -> kernels.decodes.put(site, AttentionTable.of(true, site, rows)));
    data.experts(family)
        .forEach(
            (site, rows) -> {
              String reason = TableDefects.reason(family, data.system(), "moe", site.type());
              if (reason == null) {
                kernels.experts.put(site, Curve.ofPoints(rows.toArray(new double[0][])));
              } else {
                kernels.refusedExperts.put(site.type(), reason);
              }
            });
    kernels.collectives.add(Collective.ALL_REDUCE, data.allReduce(family));
    for (Collective collective : List.of(Collective.ALL_GATHER, Collective.REDUCE_SCATTER)) {
      kernels.collectives.add(collective, data.collective(collective));
    }
    return kernels;
  }

  private void addGemms(PerformanceData data, KernelFamily from) {
    data.gemm(from)
        .forEach(
            (type, rows) -> {
              String reason = TableDefects.reason(from, system, "gemm", type);
              if (reason == null) {
                gemms.put(type, GemmTable.of(floor.base(type), rows));
              } else {
                KernelFamily other = KernelFamily.TRTLLM;
                List<double[]> instead = data.hasGemm(other) ? data.gemm(other).get(type) : null;
                if (instead != null) {
                  gemms.put(type, GemmTable.of(floor.base(type), instead));
                }
                substitutes.put(
                    type,
                    String.format(
                        "gemm %s of %s on %s refused: %s%s",
                        type.label(),
                        from,
                        system,
                        reason,
                        instead == null ? "" : "; that of " + other + " stands in"));
              }
            });
  }

  @Override
  public String source() {
    return "tables of " + family + " on " + system;
  }

  @Override
  public double gemm(KernelType type, int m, int n, int k) {
    double micros = known(gemms, type, "GEMM in " + type.label()).micros(m, n, k);
    return scales != null && StaticScales.apply(family, type)
        ? scales.without(type, micros, m, k)
        : micros;
  }

  @Override
  public double prefillAttention(AttentionSite site, int batch, int length) {
    return attention(prefills, site, "prefill attention", batch, length);
  }

  @Override
  public double decodeAttention(AttentionSite site, int batch, int context) {
    return attention(decodes, site, "decode attention", batch, context);
  }

  private double attention(
      Map<AttentionSite, AttentionTable> tables,
      AttentionSite site,
      String what,
      int batch,
      int length) {
    AttentionTable exact = tables.get(site);
    if (exact != null) {
      return exact.micros(batch, length);
    }
    AttentionSite near = nearest(tables.keySet(), site);
    if (near == null) {
      throw missing(what + " with " + site);
    }
    AttentionTable table = known(tables, near, what);
    return table.micros(batch, length) * site.heads() / near.heads();
  }

  /** The site with heads of the same kind that comes nearest in number, null without any. */
  private static @Nullable AttentionSite nearest(
      Collection<AttentionSite> sites, AttentionSite wanted) {
    AttentionSite best = null;
    double least = Double.POSITIVE_INFINITY;
    for (AttentionSite site : sites) {
      if (site.headDim() == wanted.headDim()
          && site.window() == wanted.window()
          && site.kv() == wanted.kv()) {
        double distance =
            Math.abs(StrictMath.log((double) site.kvHeads() / wanted.kvHeads()))
                + Math.abs(StrictMath.log((double) site.heads() / wanted.heads()));
        if (distance < least) {
          least = distance;
          best = site;
        }
      }
    }
    return best;
  }

  @Override
  public double experts(ExpertSite site, int tokens) {
    String refused = refusedExperts.get(site.type());
    if (refused != null) {
      throw new MissingKernelException(
          "experts in " + site.type().label() + ": " + source() + " refused: " + refused);
    }
    ExpertSite measured = ExpertSites.nearest(experts.keySet(), site);
    if (measured == null) {
      if (laws == null) {
        throw missing(site.toString());
      }
      return laws.experts(site, tokens);
    }
    Curve curve = known(experts, measured, site.toString());
    return curve.linear(tokens);
  }

  @Override
  public double latentPrefill(LatentSite site, int batch, int length) {
    return latents.isEmpty()
        ? LatentComposition.prefill(this, floor, site, batch, length)
        : latents.prefill(site, batch, length);
  }

  @Override
  public double latentDecode(LatentSite site, int batch, int context) {
    return latents.isEmpty()
        ? LatentComposition.decode(this, floor, site, batch, context)
        : latents.decode(site, batch, context);
  }

  @Override
  public double statePrefill(StateSite site, int sequences, int length) {
    return states != null
        ? states.prefill(site, sequences, length)
        : AnalyticKernels.statePrefill(floor, site, sequences, length);
  }

  @Override
  public double stateDecode(StateSite site, int sequences) {
    return states != null
        ? states.decode(site, sequences)
        : AnalyticKernels.stateDecode(floor, site, sequences);
  }

  @Override
  public double collective(Collective collective, int gpus, long elements) {
    if (collective != Collective.ALL_REDUCE && !collectives.knows(collective)) {
      return CollectiveTables.ring(collective, gpu, gpus, elements);
    }
    return collectives.micros(collective, gpus, elements, source());
  }

  @Override
  public boolean hasBlockGemms() {
    return gemms.containsKey(KernelType.FP8_BLOCK);
  }

  @Override
  public boolean hasBlockExperts() {
    return experts.keySet().stream().anyMatch(site -> site.type() == KernelType.FP8_BLOCK);
  }

  @Override
  public boolean narrowExperts() {
    return experts.keySet().stream().anyMatch(site -> ExpertSites.narrow(family, site));
  }

  @Override
  public List<String> notes(KernelUse use) {
    List<String> notes = new ArrayList<>();
    String substitute = substitutes.get(use.dense());
    if (substitute != null) {
      notes.add(substitute);
    }
    for (AttentionSite site : use.attention()) {
      if (!decodes.containsKey(site)) {
        notes.add("attention with " + site + " is not measured: the nearest heads, in proportion");
      }
    }
    notes.addAll(KernelNotes.latent(use.latent(), latents));
    notes.addAll(KernelNotes.states(use.states(), states));
    ExpertSite expertSite = use.experts();
    if (expertSite != null && !experts.containsKey(expertSite)) {
      ExpertSite measured = ExpertSites.nearest(experts.keySet(), expertSite);
      if (measured != null) {
        notes.add(expertSite + ": not measured, " + measured + " stands in");
      } else if (laws != null) {
        notes.add(expertSite + ": not measured, the " + laws.source() + " stand in");
      }
    }
    return List.copyOf(notes);
  }

  private <K, V> V known(Map<K, V> tables, K key, String what) {
    V table = tables.get(key);
    if (table == null) {
      throw missing(what);
    }
    return table;
  }

  private MissingKernelException missing(String what) {
    return new MissingKernelException(what + ": not in the " + source());
  }
}
