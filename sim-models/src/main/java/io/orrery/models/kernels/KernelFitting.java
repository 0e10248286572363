package io.orrery.models.kernels;

import io.orrery.models.Catalog;
import io.orrery.models.Gpu;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Fits laws to measured tables and thins the tables to knots: what the files beside {@link
 * FittedKernels} are made with. Errors are those of a law fitted to four fifths of the rows on the
 * fifth that it has not seen, and of the knots on the rows that they leave out. Rows are drawn by
 * their index, so that a second run gives the same coefficients.
 */
public final class KernelFitting {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double UNSEEN = 0.2;
  private static final int MOST_ROWS = 1500;
  private static final int SMALLEST_SIDE = 256;
  private static final int[] TOKENS = {
    1, 4, 8, 16, 17, 32, 33, 64, 65, 96, 128, 129, 192, 256, 257, 512, 768, 1024, 2048, 4096, 8192,
    16384
  };
  private static final int[] SIDES = {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 65536};
  private static final int[] PREFILL_LENGTHS = {1, 64, 256, 512, 1024, 2048, 4096, 8192, 16384};
  private static final int[] LATENT_LENGTHS = {
    1, 16, 128, 512, 1024, 2048, 4096, 8192, 16384, 32768
  };
  private static final int[] CONTEXTS = {2, 64, 128, 256, 1024, 4096, 16384, 65536, 131072};
  private static final int[] LATENT_CONTEXTS = {3, 65, 257, 1025, 4097, 16385, 65537, 131073};
  private static final int[] EXPERT_TOKENS = {
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384
  };

  private final Gpu gpu;
  private final KernelFamily family;
  private final KernelFloor floor;
  private final PerformanceData data;
  private final Catalog catalog;
  private final KernelFile file = new KernelFile();

  private KernelFitting(Gpu gpu, KernelFamily family, PerformanceData data, Catalog catalog) {
    this.gpu = gpu;
    this.family = family;
    this.floor = new KernelFloor(gpu);
    this.data = data;
    this.catalog = catalog;
  }

  /**
   * Fits everything that is known of an engine's kernels on a GPU.
   *
   * @throws MissingKernelException if a table is missing
   */
  static KernelFile fit(Gpu gpu, KernelFamily family, PerformanceData data, Catalog catalog) {
    KernelFitting fitting = new KernelFitting(gpu, family, data, catalog);
    fitting.fitGemms();
    if (StaticScales.apply(family, KernelType.FP8)) {
      List<double[]> laws = StaticScales.fit(data, family).coefficients();
      for (int i = 0; i < laws.size(); i++) {
        fitting.file.laws.put("quantize " + StaticScales.KERNELS.get(i), laws.get(i));
      }
    }
    fitting.fitAttention(false);
    fitting.fitAttention(true);
    fitting.fitExperts();
    fitting.fitLatent();
    data.states().forEach(fitting::keepStates);
    fitting.keepCollective(Collective.ALL_REDUCE, data.allReduce(family));
    for (Collective collective : List.of(Collective.ALL_GATHER, Collective.REDUCE_SCATTER)) {
      fitting.keepCollective(collective, data.collective(collective));
    }
    return fitting.file;
  }

  /**
   * Laws, their errors on points that they have not seen, and knots of an engine's kernels on a
   * GPU, in the format of the files that ship.
   *
   * @param folder the measured tables
   * @throws IllegalArgumentException if there are none of that GPU, or one is missing
   */
  public static List<String> laws(Path folder, Gpu gpu, KernelFamily family, Catalog catalog) {
    return fit(gpu, family, PerformanceData.open(folder, gpu), catalog).text().lines().toList();
  }

  /**
   * Writes the files of all GPUs and engines with tables.
   *
   * @param args the folder of the measured tables, the folder to write to, and the date to note
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path target = Path.of(args[1]);
    Catalog catalog = Catalog.bundled();
    for (String name : catalog.gpuNames()) {
      for (KernelFamily family : KernelFamily.values()) {
        Gpu gpu = catalog.gpu(name);
        if (PerformanceData.exist(folder, gpu, family)) {
          KernelFile file = fit(gpu, family, PerformanceData.open(folder, gpu), catalog);
          Files.writeString(
              target.resolve(FittedKernels.resource(gpu, family)),
              header(gpu, family, args[2]) + file.text(),
              StandardCharsets.UTF_8);
        }
      }
    }
  }

  private static String header(Gpu gpu, KernelFamily family, String date) {
    return String.join(
        "\n",
        "# Laws and knots of the kernels of "
            + family
            + " on "
            + gpu.title()
            + ", in microseconds.",
        "# Source: measured tables of NVIDIA aiconfigurator (github.com/ai-dynamo/aiconfigurator,",
        "#   commit 095f58a51c4ca8e61b66ec108d86f223f8d559ce), Copyright (c) 2025-2026 NVIDIA",
        "#   CORPORATION & AFFILIATES, Apache License 2.0. Changed: fitted, thinned and rounded.",
        "# Fitted on " + date + " by io.orrery.models.kernels.KernelFitting.",
        "# Errors are median, p90 and number of points that fit or knots have not seen.",
        "");
  }

  private void fitGemms() {
    Map<KernelType, List<double[]>> tables = data.gemm(family);
    if (tables.containsKey(KernelType.FP8_BLOCK)
        && TableDefects.reason(family, data.system(), "gemm", KernelType.FP8_BLOCK) != null) {
      tables.remove(KernelType.FP8_BLOCK);
      List<double[]> other =
          data.hasGemm(KernelFamily.TRTLLM)
              ? data.gemm(KernelFamily.TRTLLM).get(KernelType.FP8_BLOCK)
              : null;
      if (other != null) {
        tables.put(KernelType.FP8_BLOCK, other);
      }
    }
    tables.forEach(
        (type, rows) -> {
          GemmLaw law = new GemmLaw(type, floor);
          List<double[]> usual =
              rows.stream()
                  .filter(row -> row[1] >= SMALLEST_SIDE && row[2] >= SMALLEST_SIDE)
                  .toList();
          double[] p = fitLaw("gemm " + type.label(), law, usual, row -> row[3]);
          List<double[]> kept = new ArrayList<>();
          List<double[]> left = new ArrayList<>();
          for (double[] row : rows) {
            boolean knot =
                isOneOf(TOKENS, row[0]) && isOneOf(SIDES, row[1]) && isOneOf(SIDES, row[2]);
            (knot ? kept : left).add(row);
            if (knot) {
              file.knots
                  .computeIfAbsent(
                      "gemm/" + type.label() + "/" + (int) row[1] + "/" + (int) row[2],
                      key -> new ArrayList<>())
                  .add(new double[] {row[0], row[3]});
            }
          }
          GemmTable table = GemmTable.of((m, n, k) -> law.micros(p, new double[] {m, n, k}), kept);
          error(
              "gemm " + type.label() + " knots",
              left.stream()
                  .filter(row -> row[1] >= SMALLEST_SIDE && row[2] >= SMALLEST_SIDE)
                  .toList(),
              row -> table.micros((int) row[0], (int) row[1], (int) row[2]),
              row -> row[3]);
        });
  }

  private void fitAttention(boolean decode) {
    String name = decode ? "decode" : "prefill";
    Set<AttentionSite> wanted = KernelShapes.attention(catalog);
    Set<String> kinds =
        wanted.stream().map(KernelFile::kind).collect(Collectors.toCollection(LinkedHashSet::new));
    Map<String, List<double[]>> byKind = new TreeMap<>();
    Map<String, AttentionSite> kindSites = new LinkedHashMap<>();
    Map<String, List<double[]>> untold = new TreeMap<>();
    int[] lengths = decode ? CONTEXTS : PREFILL_LENGTHS;
    data.attention(family, decode)
        .forEach(
            (site, rows) -> {
              String kind = KernelFile.kind(site);
              if (!kinds.contains(kind)) {
                return;
              }
              kindSites.put(kind, site);
              List<double[]> shapes = byKind.computeIfAbsent(kind, k -> new ArrayList<>());
              rows.forEach(
                  row ->
                      shapes.add(
                          new double[] {row[0], row[1], site.heads(), site.kvHeads(), row[2]}));
              if (wanted.contains(site)) {
                thin(name, site, rows, decode, lengths, untold);
              }
            });
    byKind.forEach(
        (kind, rows) -> {
          AttentionSite site = kindSites.getOrDefault(kind, wanted.iterator().next());
          Law law =
              decode ? new DecodeAttentionLaw(site, floor) : new PrefillAttentionLaw(site, floor);
          fitLaw(name + " " + kind, law, rows, row -> row[4]);
        });
    untold.forEach(
        (kind, pairs) ->
            error(name + " " + kind + " knots", pairs, pair -> pair[0], pair -> pair[1]));
  }

  /** Knots of a site; what they say about the rows that they leave out goes to untold. */
  private void thin(
      String name,
      AttentionSite site,
      List<double[]> rows,
      boolean decode,
      int[] lengths,
      Map<String, List<double[]>> untold) {
    List<double[]> left = keep(KernelFile.key(name, site), rows, lengths);
    List<double[]> kept = new ArrayList<>(rows);
    kept.removeAll(left);
    AttentionTable table = AttentionTable.of(decode, site, kept);
    List<double[]> pairs = untold.computeIfAbsent(KernelFile.kind(site), k -> new ArrayList<>());
    for (double[] row : left) {
      pairs.add(new double[] {table.micros((int) row[0], (int) row[1]), row[2]});
    }
  }

  private void fitLatent() {
    if (!data.hasLatent(family)) {
      return;
    }
    for (boolean decode : new boolean[] {false, true}) {
      String name = decode ? "latent-decode" : "latent-prefill";
      int[] lengths = decode ? LATENT_CONTEXTS : LATENT_LENGTHS;
      Map<String, List<double[]>> untold = new TreeMap<>();
      data.latent(family, decode)
          .forEach(
              (site, rows) -> {
                if (KernelShapes.LATENT_HEADS.contains(site.heads())) {
                  List<double[]> left = keep(KernelFile.key(name, site), rows, lengths);
                  List<double[]> kept = new ArrayList<>(rows);
                  kept.removeAll(left);
                  AttentionTable table = AttentionTable.of(decode, 0, kept);
                  List<double[]> pairs =
                      untold.computeIfAbsent(site.dense().label(), k -> new ArrayList<>());
                  left.forEach(
                      row ->
                          pairs.add(
                              new double[] {table.micros((int) row[0], (int) row[1]), row[2]}));
                }
              });
      untold.forEach(
          (kind, pairs) ->
              error(name + " " + kind + " knots", pairs, pair -> pair[0], pair -> pair[1]));
    }
  }

  /** Keeps the rows at every other power of two and some lengths as knots; gives the others. */
  private List<double[]> keep(String key, List<double[]> rows, int[] lengths) {
    List<double[]> left = new ArrayList<>();
    List<double[]> kept = new ArrayList<>();
    for (double[] row : rows) {
      int octave = 31 - Integer.numberOfLeadingZeros((int) row[0]);
      (octave % 2 == 0 && isOneOf(lengths, row[1]) ? kept : left).add(row);
    }
    kept.sort((a, b) -> a[0] == b[0] ? Double.compare(a[1], b[1]) : Double.compare(a[0], b[0]));
    for (double[] row : kept) {
      file.knots
          .computeIfAbsent(key + "/" + (int) row[0], k -> new ArrayList<>())
          .add(new double[] {row[1], row[2]});
    }
    return left;
  }

  private void keepStates(String kernel, List<double[]> rows) {
    List<double[]> sorted = new ArrayList<>(rows);
    sorted.sort((a, b) -> a[0] == b[0] ? Double.compare(a[1], b[1]) : Double.compare(a[0], b[0]));
    for (double[] row : sorted) {
      file.knots
          .computeIfAbsent("state/" + kernel + "/" + (int) row[0], key -> new ArrayList<>())
          .add(new double[] {row[1], row[2]});
    }
  }

  private void keepCollective(Collective collective, Map<Integer, List<double[]>> rows) {
    rows.forEach(
        (gpus, points) -> file.knots.put(KernelKnots.word(collective) + "/" + gpus, points));
  }

  private void fitExperts() {
    Map<String, List<double[]>> byKind = new TreeMap<>();
    Map<String, KernelType> types = new LinkedHashMap<>();
    Map<String, List<double[]>> untold = new TreeMap<>();
    data.experts(family)
        .forEach(
            (site, rows) -> {
              if (TableDefects.reason(family, data.system(), "moe", site.type()) != null) {
                return;
              }
              String kind = KernelFile.kind(site.type(), site.skewed());
              types.put(kind, site.type());
              List<double[]> shapes = byKind.computeIfAbsent(kind, k -> new ArrayList<>());
              Curve fastest = Curve.ofPoints(rows.toArray(new double[0][]));
              for (int i = 0; i < fastest.size(); i++) {
                double[] shape = ExpertLaw.shape(site, (int) fastest.x[i]);
                double[] row = Arrays.copyOf(shape, shape.length + 1);
                row[shape.length] = fastest.y[i];
                shapes.add(row);
              }
              if (KernelShapes.wanted(catalog, site)) {
                thin(site, fastest, untold.computeIfAbsent(kind, k -> new ArrayList<>()));
              }
            });
    byKind.forEach(
        (kind, rows) ->
            fitLaw(
                "experts " + kind,
                new ExpertLaw(types.getOrDefault(kind, KernelType.BF16), floor),
                rows,
                row -> row[8]));
    untold.forEach(
        (kind, pairs) ->
            error("experts " + kind + " knots", pairs, pair -> pair[0], pair -> pair[1]));
  }

  private void thin(ExpertSite site, Curve measured, List<double[]> untold) {
    List<double[]> kept = new ArrayList<>();
    for (int i = 0; i < measured.size(); i++) {
      if (isOneOf(EXPERT_TOKENS, measured.x[i])) {
        kept.add(new double[] {measured.x[i], measured.y[i]});
      }
    }
    file.knots.put(KernelFile.key(site), kept);
    Curve thinned = Curve.ofPoints(kept.toArray(new double[0][]));
    for (int i = 0; i < measured.size(); i++) {
      if (!isOneOf(EXPERT_TOKENS, measured.x[i])) {
        untold.add(new double[] {thinned.linear(measured.x[i]), measured.y[i]});
      }
    }
  }

  /** Fits a law to four fifths of the rows, notes its error on the rest, keeps the coefficients. */
  private double[] fitLaw(
      String key, Law law, List<double[]> rows, ToDoubleFunction<double[]> micros) {
    List<double[]> learnt = new ArrayList<>();
    List<double[]> unseen = new ArrayList<>();
    double share = Math.min(1, MOST_ROWS / (0.8 * rows.size()));
    for (int i = 0; i < rows.size(); i++) {
      double place = scattered(i);
      if (place < UNSEEN) {
        unseen.add(rows.get(i));
      } else if (place < UNSEEN + share * (1 - UNSEEN)) {
        learnt.add(rows.get(i));
      }
    }
    double[] p = LawFit.fit(law, learnt, learnt.stream().mapToDouble(micros).toArray());
    double[] rounded =
        Arrays.stream(p).map(x -> Double.parseDouble(KernelFile.rounded(x))).toArray();
    file.laws.put(key, rounded);
    error(key + " law", unseen, row -> law.micros(rounded, row), micros);
    return rounded;
  }

  /** Numbers in [0, 1), spread evenly and without pattern over the indices. */
  private static double scattered(int index) {
    long mixed = (index + 1) * GOLDEN;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    return (mixed >>> 11) * 0x1p-53;
  }

  private static boolean isOneOf(int[] sorted, double value) {
    return Arrays.binarySearch(sorted, (int) value) >= 0;
  }

  private void error(
      String key,
      List<double[]> rows,
      ToDoubleFunction<double[]> told,
      ToDoubleFunction<double[]> measured) {
    if (rows.isEmpty()) {
      return;
    }
    double[] errors =
        rows.stream()
            .mapToDouble(row -> Math.abs(told.applyAsDouble(row) / measured.applyAsDouble(row) - 1))
            .sorted()
            .toArray();
    file.errors.put(
        key,
        new double[] {errors[errors.length / 2], errors[errors.length * 9 / 10], errors.length});
  }

  @Override
  public String toString() {
    return "fit of " + family + " on " + gpu;
  }
}
