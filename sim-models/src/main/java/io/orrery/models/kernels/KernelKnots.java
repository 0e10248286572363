package io.orrery.models.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The knots of a {@link KernelFile} as rows of tables, by kernel and site. */
final class KernelKnots {
  /** Rows {@code {m, n, k, microseconds}}. */
  final Map<KernelType, List<double[]>> gemms = new LinkedHashMap<>();

  /** Rows {@code {batch, length, microseconds}}. */
  final Map<AttentionSite, List<double[]>> prefills = new LinkedHashMap<>();

  /** Rows {@code {batch, context, microseconds}}. */
  final Map<AttentionSite, List<double[]>> decodes = new LinkedHashMap<>();

  /** Rows {@code {batch, length, microseconds}}. */
  final Map<LatentSite, List<double[]>> latentPrefills = new LinkedHashMap<>();

  /** Rows {@code {batch, context, microseconds}}. */
  final Map<LatentSite, List<double[]>> latentDecodes = new LinkedHashMap<>();

  /** Rows {@code {sequences, length, microseconds}} by kernel of a Mamba2 layer. */
  final Map<String, List<double[]>> states = new LinkedHashMap<>();

  /** Points {@code {tokens, microseconds}}. */
  final Map<ExpertSite, List<double[]>> experts = new LinkedHashMap<>();

  /** Points {@code {elements, microseconds}} by GPUs. */
  final Map<Collective, Map<Integer, List<double[]>>> collectives = new LinkedHashMap<>();

  /**
   * Sorts a file's knots.
   *
   * @throws IllegalArgumentException if a key is of an unknown kind
   */
  KernelKnots(KernelFile file) {
    file.knots.forEach((key, points) -> add(key.split("/", -1), points));
  }

  private void add(String[] words, List<double[]> points) {
    switch (words[0]) {
      case "gemm" -> {
        int[] n = numbers(words, 2, 4);
        List<double[]> rows = list(gemms, KernelType.labelled(words[1]));
        points.forEach(point -> rows.add(new double[] {point[0], n[0], n[1], point[1]}));
      }
      case "prefill" -> addAttention(prefills, words, points);
      case "decode" -> addAttention(decodes, words, points);
      case "latent-prefill" -> addLatent(latentPrefills, words, points);
      case "latent-decode" -> addLatent(latentDecodes, words, points);
      case "state" -> batch(list(states, words[1]), words[2], points);
      case "experts" -> experts.put(expertSite(words), points);
      case "allreduce" -> addCollective(Collective.ALL_REDUCE, words[1], points);
      case "allgather" -> addCollective(Collective.ALL_GATHER, words[1], points);
      case "reducescatter" -> addCollective(Collective.REDUCE_SCATTER, words[1], points);
      default -> throw new IllegalArgumentException("knots of an unknown kind: " + words[0]);
    }
  }

  /** The word that begins a collective's keys. */
  static String word(Collective collective) {
    return collective.label().replace("_", "");
  }

  private static <K> List<double[]> list(Map<K, List<double[]>> map, K key) {
    return map.computeIfAbsent(key, k -> new ArrayList<>());
  }

  private static int[] numbers(String[] words, int from, int to) {
    return Arrays.stream(words, from, to).mapToInt(Integer::parseInt).toArray();
  }

  private static void batch(List<double[]> rows, String batch, List<double[]> points) {
    int size = Integer.parseInt(batch);
    points.forEach(point -> rows.add(new double[] {size, point[0], point[1]}));
  }

  private static void addAttention(
      Map<AttentionSite, List<double[]>> rows, String[] words, List<double[]> points) {
    int[] n = numbers(words, 1, 5);
    AttentionSite site = new AttentionSite(n[0], n[1], n[2], n[3], KernelType.labelled(words[5]));
    batch(list(rows, site), words[6], points);
  }

  private static void addLatent(
      Map<LatentSite, List<double[]>> rows, String[] words, List<double[]> points) {
    LatentSite site =
        LatentSite.measured(
            Integer.parseInt(words[1]),
            KernelType.labelled(words[2]),
            KernelType.labelled(words[3]));
    batch(list(rows, site), words[4], points);
  }

  private void addCollective(Collective collective, String gpus, List<double[]> points) {
    collectives
        .computeIfAbsent(collective, c -> new LinkedHashMap<>())
        .put(Integer.valueOf(gpus), points);
  }

  private static ExpertSite expertSite(String[] words) {
    int[] n = numbers(words, 1, 7);
    return ExpertSite.ofTable(
        n[0],
        n[1],
        n[2],
        n[3],
        n[4],
        n[5],
        KernelType.labelled(words[7]),
        words[8].equals("skewed"));
  }
}
