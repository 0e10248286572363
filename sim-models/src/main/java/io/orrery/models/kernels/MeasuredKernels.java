package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import java.util.ArrayList;
import java.util.Collection;
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
  private final Map<Integer, Curve> allReduces = new LinkedHashMap<>();
  private final Map<KernelType, String> substitutes = new LinkedHashMap<>();
  private final Map<KernelType, String> refusedExperts = new LinkedHashMap<>();

  private final @Nullable StaticScales scales;

  private MeasuredKernels(KernelFamily family, String system, @Nullable StaticScales scales) {
    this.family = family;
    this.system = system;
    this.scales = scales;
  }

  /**
   * Reads all tables of an engine on a GPU.
   *
   * @throws MissingKernelException if a table is missing
   */
  public static MeasuredKernels read(PerformanceData data, Gpu gpu, KernelFamily family) {
    StaticScales scales =
        StaticScales.apply(family, KernelType.FP8) ? StaticScales.fit(data, family) : null;
    MeasuredKernels kernels = new MeasuredKernels(family, data.system(), scales);
    KernelFloor floor = new KernelFloor(gpu);
    kernels.addGemms(data, family, floor);
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
    data.allReduce(family)
        .forEach(
            (gpus, rows) ->
                kernels.allReduces.put(gpus, Curve.ofPoints(rows.toArray(new double[0][]))));
    return kernels;
  }

  private void addGemms(PerformanceData data, KernelFamily from, KernelFloor floor) {
    data.gemm(from)
        .forEach(
            (type, rows) -> {
              String reason = TableDefects.reason(from, system, "gemm", type);
              if (reason == null) {
                gemms.put(type, GemmTable.of(floor.base(type), rows));
              } else {
                KernelFamily other = KernelFamily.TRTLLM;
                List<double[]> instead = data.gemm(other).get(type);
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
        ? scales.without(micros, m, k)
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
      throw missing(site.toString());
    }
    Curve curve = known(experts, measured, site.toString());
    return curve.linear(tokens);
  }

  @Override
  public double allReduce(int gpus, long elements) {
    if (gpus == 1) {
      return 0;
    }
    return known(allReduces, gpus, "all-reduce over " + gpus + " GPUs").linear(elements);
  }

  @Override
  public boolean narrowExperts() {
    return experts.keySet().stream().anyMatch(site -> ExpertSites.narrow(family, site));
  }

  @Override
  public List<String> notes(
      KernelType dense, AttentionSite attention, @Nullable ExpertSite expertSite) {
    List<String> notes = new ArrayList<>();
    String substitute = substitutes.get(dense);
    if (substitute != null) {
      notes.add(substitute);
    }
    if (!decodes.containsKey(attention)) {
      notes.add(
          "attention with " + attention + " is not measured: the nearest heads, in proportion");
    }
    if (expertSite != null && !experts.containsKey(expertSite)) {
      ExpertSite measured = ExpertSites.nearest(experts.keySet(), expertSite);
      if (measured != null) {
        notes.add(expertSite + ": not measured, " + measured + " stands in");
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
