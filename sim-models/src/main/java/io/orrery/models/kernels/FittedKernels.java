package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kernel times from laws and knots that ship with this module, fitted to measured tables: knots at
 * the shapes of the catalogued models, the law elsewhere. GEMMs are the law times the knots' ratio
 * to it. The files say what they were fitted to, when, and how far off they are on points that they
 * have not seen.
 *
 * <p>Immutable: tables are built when they are first asked for, always the same.
 */
public final class FittedKernels implements KernelTimes {
  private final KernelFamily family;
  private final Gpu gpu;
  private final KernelFloor floor;
  private final KernelFile file;
  private final OnDemand<KernelType, GemmTable> gemms =
      new OnDemand<>((type, rows) -> GemmTable.of(base(type), rows));
  private final OnDemand<AttentionSite, AttentionTable> prefills =
      new OnDemand<>((site, rows) -> AttentionTable.of(false, site, rows));
  private final OnDemand<AttentionSite, AttentionTable> decodes =
      new OnDemand<>((site, rows) -> AttentionTable.of(true, site, rows));
  private final OnDemand<ExpertSite, Curve> experts = new OnDemand<>((site, rows) -> curve(rows));
  private final OnDemand<Integer, Curve> allReduces = new OnDemand<>((gpus, rows) -> curve(rows));
  private final StaticScales scales;

  FittedKernels(KernelFamily family, Gpu gpu, KernelFile file) {
    this.family = family;
    this.gpu = gpu;
    this.floor = new KernelFloor(gpu);
    this.file = file;
    file.knots.forEach(
        (key, points) -> {
          String[] words = key.split("/", -1);
          switch (words[0]) {
            case "gemm" -> addGemm(words, points);
            case "prefill" -> addAttention(prefills, words, points);
            case "decode" -> addAttention(decodes, words, points);
            case "experts" -> experts.add(expertSite(words), points);
            case "allreduce" -> allReduces.add(Integer.valueOf(words[1]), points);
            default -> throw new IllegalArgumentException("knots of an unknown kind: " + key);
          }
        });
    this.scales =
        new StaticScales(
            StaticScales.KERNELS.stream()
                .map(kernel -> "quantize " + kernel)
                .filter(file.laws::containsKey)
                .map(key -> law("quantize", key.substring("quantize ".length()), key))
                .toList());
  }

  /** Whether laws of that engine's kernels on that GPU ship with this module. */
  public static boolean exist(Gpu gpu, KernelFamily family) {
    return FittedKernels.class.getResource(resource(gpu, family)) != null;
  }

  /**
   * The laws of an engine's kernels on a GPU.
   *
   * @throws MissingKernelException if none ship with this module
   */
  public static FittedKernels of(Gpu gpu, KernelFamily family) {
    String name = resource(gpu, family);
    try (InputStream in = FittedKernels.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new MissingKernelException("no laws of " + family + " on " + gpu + " are shipped");
      }
      return new FittedKernels(family, gpu, KernelFile.read(name, in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Laws and knots of an engine's kernels on a GPU from a text in the format of the shipped files.
   *
   * @param name what messages call the text
   * @throws IllegalArgumentException if the text is not in that format, with name and line
   */
  public static FittedKernels parse(KernelFamily family, Gpu gpu, String name, String text) {
    return new FittedKernels(family, gpu, KernelFile.read(name, new StringReader(text)));
  }

  static String resource(Gpu gpu, KernelFamily family) {
    return gpu.name() + "-" + family.engine() + "-" + family.version() + ".txt";
  }

  private void addGemm(String[] words, List<double[]> points) {
    KernelType type = KernelType.labelled(words[1]);
    int n = Integer.parseInt(words[2]);
    int k = Integer.parseInt(words[3]);
    List<double[]> rows = new ArrayList<>(points.size());
    for (double[] point : points) {
      rows.add(new double[] {point[0], n, k, point[1]});
    }
    gemms.add(type, rows);
  }

  private static void addAttention(
      OnDemand<AttentionSite, AttentionTable> tables, String[] words, List<double[]> points) {
    int[] n = Arrays.stream(words, 1, 5).mapToInt(Integer::parseInt).toArray();
    AttentionSite site = new AttentionSite(n[0], n[1], n[2], n[3], KernelType.labelled(words[5]));
    int batch = Integer.parseInt(words[6]);
    List<double[]> rows = new ArrayList<>(points.size());
    for (double[] point : points) {
      rows.add(new double[] {batch, point[0], point[1]});
    }
    tables.add(site, rows);
  }

  private static ExpertSite expertSite(String[] words) {
    int[] n = Arrays.stream(words, 1, 7).mapToInt(Integer::parseInt).toArray();
    return new ExpertSite(
        n[0],
        n[1],
        n[2],
        n[3],
        n[4],
        n[5],
        KernelType.labelled(words[7]),
        words[8].equals("skewed"));
  }

  private static Curve curve(List<double[]> points) {
    return Curve.ofPoints(points.toArray(new double[0][]));
  }

  private GemmTable.Base base(KernelType type) {
    double[] p = law("gemm", type.label(), "GEMM in " + type.label());
    GemmLaw law = new GemmLaw(type, floor);
    return (m, n, k) -> law.micros(p, new double[] {m, n, k});
  }

  private double[] law(String kernel, String kind, String what) {
    double[] p = file.laws.get(kernel + " " + kind);
    if (p == null) {
      throw new MissingKernelException(what + ": not among the " + source());
    }
    return p;
  }

  @Override
  public String source() {
    return "laws of " + family + " on " + gpu;
  }

  @Override
  public double gemm(KernelType type, int m, int n, int k) {
    GemmTable table = gemms.get(type);
    double micros = table != null ? table.micros(m, n, k) : base(type).micros(m, n, k);
    return StaticScales.apply(family, type) ? scales.without(micros, m, k) : micros;
  }

  @Override
  public double prefillAttention(AttentionSite site, int batch, int length) {
    AttentionTable table = prefills.get(site);
    if (table != null) {
      return table.micros(batch, length);
    }
    AttentionSite kind = kindOf("prefill", site);
    return new PrefillAttentionLaw(site, floor)
        .micros(
            law("prefill", KernelFile.kind(kind), "prefill attention"),
            new double[] {batch, length, site.heads(), site.kvHeads()});
  }

  @Override
  public double decodeAttention(AttentionSite site, int batch, int context) {
    AttentionTable table = decodes.get(site);
    if (table != null) {
      return table.micros(batch, context);
    }
    AttentionSite kind = kindOf("decode", site);
    return new DecodeAttentionLaw(site, floor)
        .micros(
            law("decode", KernelFile.kind(kind), "decode attention"),
            new double[] {batch, context, site.heads(), site.kvHeads()});
  }

  /**
   * The kind of heads whose coefficients serve a site: format as asked, its window or none, the
   * nearest width. Bytes and pairs are the site's own.
   */
  private AttentionSite kindOf(String kernel, AttentionSite site) {
    AttentionSite best = site;
    double least = Double.POSITIVE_INFINITY;
    for (String key : file.laws.keySet()) {
      if (key.startsWith(kernel + " ")) {
        String[] words = key.substring(kernel.length() + 1).split("/", -1);
        int headDim = Integer.parseInt(words[0]);
        int window = Integer.parseInt(words[1]);
        KernelType kv = KernelType.labelled(words[2]);
        double distance =
            Math.abs(StrictMath.log((double) headDim / site.headDim()))
                + (window == site.window() ? 0 : window == 0 ? 4 : 64)
                + (kv == site.kv() ? 0 : 16);
        if (distance < least) {
          least = distance;
          best = new AttentionSite(site.heads(), site.kvHeads(), headDim, window, kv);
        }
      }
    }
    return best;
  }

  @Override
  public double experts(ExpertSite site, int tokens) {
    ExpertSite known = ExpertSites.nearest(experts.keys(), site);
    if (known != null) {
      Curve curve = experts.get(known);
      if (curve != null) {
        return curve.linear(tokens);
      }
    }
    return new ExpertLaw(site.type(), floor)
        .micros(
            law("experts", KernelFile.kind(site.type(), site.skewed()), site.toString()),
            ExpertLaw.shape(site, tokens));
  }

  @Override
  public double allReduce(int gpus, long elements) {
    if (gpus == 1) {
      return 0;
    }
    Curve curve = allReduces.get(gpus);
    if (curve == null) {
      throw new MissingKernelException(
          "all-reduce over " + gpus + " GPUs: not among the " + source());
    }
    return curve.linear(elements);
  }

  @Override
  public boolean narrowExperts() {
    return experts.keys().stream().anyMatch(site -> ExpertSites.narrow(family, site));
  }

  @Override
  public List<String> notes(
      KernelType dense, AttentionSite attention, @Nullable ExpertSite expertSite) {
    List<String> notes = new ArrayList<>();
    if (!decodes.contains(attention)) {
      notes.add("attention with " + attention + ": no knots, the law alone");
    }
    if (expertSite != null) {
      ExpertSite known = ExpertSites.nearest(experts.keys(), expertSite);
      if (known == null) {
        notes.add(expertSite + ": no knots, the law alone (low confidence)");
      } else if (!known.equals(expertSite)) {
        notes.add(expertSite + ": not measured, " + known + " stands in");
      }
    }
    return List.copyOf(notes);
  }

  /** Held-out errors by kernel, format and what was tested: median, p90 and number of points. */
  public Map<String, double[]> errors() {
    return Collections.unmodifiableMap(file.errors);
  }
}
