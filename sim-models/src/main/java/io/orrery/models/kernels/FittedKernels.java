package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Kernel times from laws and knots that ship with this module, fitted to measured tables: knots at
 * the shapes of the catalogued models, the law elsewhere. GEMMs are the law times the knots' ratio
 * to it. The files say what they were fitted to, when, and how far off they are on points that they
 * have not seen.
 *
 * <p>A GPU of the same generation may take the laws and knots of a measured one: times change as
 * the laws do when nothing but the hardware's rates is put in.
 *
 * <p>Immutable: tables are built when they are first asked for, always the same.
 */
public final class FittedKernels implements KernelTimes {
  private final KernelFamily family;
  private final Gpu gpu;
  private final KernelFloor floor;
  private final KernelFloor measuredFloor;
  private final boolean transferred;
  private final String source;
  private final KernelFile file;
  private final OnDemand<KernelType, GemmTable> gemms =
      new OnDemand<>((type, rows) -> GemmTable.of(base(type), rows));
  private final OnDemand<AttentionSite, AttentionTable> prefills =
      new OnDemand<>((site, rows) -> AttentionTable.of(false, site, rows));
  private final OnDemand<AttentionSite, AttentionTable> decodes =
      new OnDemand<>((site, rows) -> AttentionTable.of(true, site, rows));
  private final OnDemand<ExpertSite, Curve> experts =
      new OnDemand<>((site, rows) -> Curve.ofPoints(rows.toArray(new double[0][])));
  private final CollectiveTables collectives = new CollectiveTables();
  private final LatentTables latents;
  private final @Nullable StateTables states;
  private final StaticScales scales;

  FittedKernels(KernelFamily family, Gpu gpu, KernelFile file) {
    this(family, gpu, gpu, file);
  }

  /**
   * Laws and knots.
   *
   * @param gpu the GPU that is asked about
   * @param measured the GPU that they were fitted on
   */
  FittedKernels(KernelFamily family, Gpu gpu, Gpu measured, KernelFile file) {
    this.family = family;
    this.gpu = gpu;
    this.floor = new KernelFloor(gpu);
    this.measuredFloor = new KernelFloor(measured);
    this.transferred = !measured.equals(gpu);
    this.source = "laws of " + family + " on " + measured;
    this.file = file;
    KernelKnots knots = new KernelKnots(file);
    this.scales =
        new StaticScales(
            StaticScales.KERNELS.stream()
                .map(kernel -> "quantize " + kernel)
                .filter(file.laws::containsKey)
                .map(key -> law("quantize", key.substring("quantize ".length()), key))
                .toList());
    knots.gemms.forEach(gemms::add);
    knots.prefills.forEach(prefills::add);
    knots.decodes.forEach(decodes::add);
    knots.experts.forEach(experts::add);
    knots.collectives.forEach(collectives::add);
    this.latents = new LatentTables(knots.latentPrefills, knots.latentDecodes, measuredFloor);
    this.states = StateTables.of(StateRows.MEASURED, floor, knots.states);
  }

  /** The GPU whose laws serve a GPU: itself, or the measured one of its generation. */
  static String measuredName(Gpu gpu) {
    return gpu.name().equals("gb200") ? "b200" : gpu.name();
  }

  /** Whether laws of that engine's kernels for that GPU ship with this module. */
  public static boolean exist(Gpu gpu, KernelFamily family) {
    return FittedKernels.class.getResource(resource(measuredName(gpu), family)) != null;
  }

  /**
   * The laws of an engine's kernels on a GPU.
   *
   * @throws MissingKernelException if none ship with this module
   */
  public static FittedKernels of(Gpu gpu, KernelFamily family) {
    String known = measuredName(gpu);
    Gpu measured = known.equals(gpu.name()) ? gpu : Catalog.bundled().gpu(known);
    String name = resource(measured.name(), family);
    try (InputStream in = FittedKernels.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new MissingKernelException("no laws of " + family + " on " + gpu + " are shipped");
      }
      return new FittedKernels(family, gpu, measured, KernelFile.read(name, in));
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
    return resource(gpu.name(), family);
  }

  private static String resource(String gpu, KernelFamily family) {
    return gpu + "-" + family.engine() + "-" + family.version() + ".txt";
  }

  private GemmTable.Base base(KernelType type) {
    double[] p = law("gemm", type.label(), "GEMM in " + type.label());
    GemmLaw law = new GemmLaw(type, measuredFloor);
    return (m, n, k) -> law.micros(p, new double[] {m, n, k});
  }

  private double[] law(String kernel, String kind, String what) {
    double[] p = file.laws.get(kernel + " " + kind);
    if (p == null) {
      throw new MissingKernelException(what + ": not among the " + source());
    }
    return p;
  }

  /** What a law says of this GPU in proportion to what it says of the measured one. */
  private double transfer(
      Function<KernelFloor, Law> law, String kernel, String kind, double... shape) {
    double[] p = transferred ? file.laws.get(kernel + " " + kind) : null;
    return p == null
        ? 1
        : law.apply(floor).micros(p, shape) / law.apply(measuredFloor).micros(p, shape);
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public double gemm(KernelType type, int m, int n, int k) {
    GemmTable table = gemms.get(type);
    double micros = table != null ? table.micros(m, n, k) : base(type).micros(m, n, k);
    micros *= transfer(to -> new GemmLaw(type, to), "gemm", type.label(), m, n, k);
    return StaticScales.apply(family, type) ? scales.without(type, micros, m, k) : micros;
  }

  @Override
  public double prefillAttention(AttentionSite site, int batch, int length) {
    double[] shape = {batch, length, site.heads(), site.kvHeads()};
    String kind = KernelFile.kind(kindOf("prefill", site));
    AttentionTable table = prefills.get(site);
    double micros =
        table != null
            ? table.micros(batch, length)
            : new PrefillAttentionLaw(site, measuredFloor)
                .micros(law("prefill", kind, "prefill attention"), shape);
    return micros * transfer(to -> new PrefillAttentionLaw(site, to), "prefill", kind, shape);
  }

  @Override
  public double decodeAttention(AttentionSite site, int batch, int context) {
    double[] shape = {batch, context, site.heads(), site.kvHeads()};
    String kind = KernelFile.kind(kindOf("decode", site));
    AttentionTable table = decodes.get(site);
    double micros =
        table != null
            ? table.micros(batch, context)
            : new DecodeAttentionLaw(site, measuredFloor)
                .micros(law("decode", kind, "decode attention"), shape);
    return micros * transfer(to -> new DecodeAttentionLaw(site, to), "decode", kind, shape);
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
    double[] shape = ExpertLaw.shape(site, tokens);
    ExpertSite known = ExpertSites.nearest(experts.keys(), site);
    Curve curve = known == null ? null : experts.get(known);
    KernelType type = expertLaw(site);
    String kind = KernelFile.kind(type, site.skewed());
    double micros =
        curve != null
            ? curve.linear(tokens)
            : new ExpertLaw(site.type(), measuredFloor)
                .micros(law("experts", kind, site.toString()), shape);
    return micros * transfer(to -> new ExpertLaw(site.type(), to), "experts", kind, shape);
  }

  /** The format whose law serves experts: their own, or that of the nearest weights. */
  private KernelType expertLaw(ExpertSite site) {
    for (KernelType type :
        List.of(site.type(), KernelType.FP8_BLOCK, KernelType.FP8, KernelType.BF16)) {
      if (file.laws.containsKey("experts " + KernelFile.kind(type, site.skewed()))) {
        return type;
      }
    }
    return site.type();
  }

  @Override
  public double latentPrefill(LatentSite site, int batch, int length) {
    if (latents.isEmpty()) {
      return LatentComposition.prefill(this, floor, site, batch, length);
    }
    double tokens = (double) batch * length;
    double pairs = tokens * (length + 1.0) / 2;
    return latents.prefill(site, batch, length) * latentTransfer(site, tokens, pairs, tokens);
  }

  @Override
  public double latentDecode(LatentSite site, int batch, int context) {
    if (latents.isEmpty()) {
      return LatentComposition.decode(this, floor, site, batch, context);
    }
    double pairs = (double) batch * context;
    return latents.decode(site, batch, context) * latentTransfer(site, batch, pairs, pairs);
  }

  private double latentTransfer(LatentSite site, double tokens, double pairs, double kvTokens) {
    return transferred
        ? floor.latent(site, tokens, pairs, kvTokens)
            / measuredFloor.latent(site, tokens, pairs, kvTokens)
        : 1;
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
    return gemms.contains(KernelType.FP8_BLOCK);
  }

  @Override
  public boolean hasBlockExperts() {
    return file.laws.containsKey("experts " + KernelFile.kind(KernelType.FP8_BLOCK, true));
  }

  @Override
  public boolean narrowExperts() {
    return experts.keys().stream().anyMatch(site -> ExpertSites.narrow(family, site));
  }

  @Override
  public List<String> notes(KernelUse use) {
    List<String> notes = new ArrayList<>();
    if (transferred) {
      notes.add(
          "no kernel of "
              + gpu
              + " is known here: "
              + source()
              + ", with this GPU's rates (low confidence)");
    }
    for (AttentionSite site : use.attention()) {
      if (!decodes.contains(site)) {
        notes.add("attention with " + site + ": no knots, the law alone");
      }
    }
    notes.addAll(KernelNotes.latent(use.latent(), latents));
    notes.addAll(KernelNotes.states(use.states(), states));
    ExpertSite expertSite = use.experts();
    if (expertSite != null) {
      ExpertSite known = ExpertSites.nearest(experts.keys(), expertSite);
      if (known == null) {
        KernelType type = expertLaw(expertSite);
        notes.add(
            expertSite
                + ": no knots, the law alone"
                + (type == expertSite.type() ? "" : ", of " + type.label())
                + " (low confidence)");
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
