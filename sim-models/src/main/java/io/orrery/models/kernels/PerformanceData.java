package io.orrery.models.kernels;

import io.orrery.models.Gpu;
import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A folder of measured kernel tables in the layout of NVIDIA aiconfigurator's {@code systems}: a
 * file {@code data/SYSTEM/KIND/ENGINE/VERSION/TABLE_perf.parquet} per table, times in milliseconds.
 */
public final class PerformanceData {
  private static final double MICROS = 1e3;
  private static final String NCCL = "2.29.2";

  private final Path folder;
  private final String system;

  private PerformanceData(Path folder, String system) {
    this.folder = folder;
    this.system = system;
  }

  /**
   * The tables of a GPU.
   *
   * @param folder the {@code systems} folder, or one that holds it
   * @param gpu the GPU
   * @throws IllegalArgumentException if the folder has no tables of this GPU
   */
  public static PerformanceData open(Path folder, Gpu gpu) {
    String system = systemOf(gpu);
    Path tables = folders(folder, gpu).filter(Files::isDirectory).findFirst().orElse(null);
    if (tables != null) {
      return new PerformanceData(tables, system);
    }
    throw new IllegalArgumentException(
        folder + ": no measured tables of " + gpu + ", expected data/" + system + " in it");
  }

  private static String systemOf(Gpu gpu) {
    return switch (gpu.name()) {
      case "rtx-pro-6000" -> "rtx_pro_6000_server";
      default -> gpu.name() + "_sxm";
    };
  }

  /** Whether a folder has tables of an engine's kernels on a GPU. */
  static boolean exist(Path folder, Gpu gpu, KernelFamily family) {
    return folders(folder, gpu)
        .anyMatch(tables -> Files.isDirectory(tables.resolve("gemm").resolve(family.engine())));
  }

  private static Stream<Path> folders(Path folder, Gpu gpu) {
    return Stream.of(folder, folder.resolve("systems"), folder.resolve("perf/systems"))
        .map(candidate -> candidate.resolve("data").resolve(systemOf(gpu)));
  }

  /**
   * SHA-256 over all files of the GPU, their places in the folder included, wherever that lies:
   * equal for equal tables.
   *
   * @throws UncheckedIOException if a file cannot be read
   */
  public String digest() {
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> files = found.filter(Files::isRegularFile).toList();
      SortedMap<String, Path> byPlace = new TreeMap<>();
      for (Path file : files) {
        byPlace.put(folder.relativize(file).toString().replace('\\', '/'), file);
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Map.Entry<String, Path> file : byPlace.entrySet()) {
        byte[] content = Files.readAllBytes(file.getValue());
        String head = file.getKey() + '\n' + content.length + '\n';
        digest.update(head.getBytes(StandardCharsets.UTF_8));
        digest.update(content);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot be read", e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Name of the system in the tables. */
  public String system() {
    return system;
  }

  private Path file(KernelFamily family, String kind, String table) {
    return folder
        .resolve(kind)
        .resolve(family.engine())
        .resolve(family.version())
        .resolve(table + "_perf.parquet");
  }

  private ParquetTable read(KernelFamily family, String kind, String table) {
    Path file = file(family, kind, table);
    if (!Files.isRegularFile(file)) {
      throw new MissingKernelException(file + ": no such table");
    }
    return ParquetReader.readTable(file);
  }

  /** GEMM rows {@code {m, n, k, microseconds}} by format, in the order of the file. */
  Map<KernelType, List<double[]>> gemm(KernelFamily family) {
    ParquetTable table = read(family, "gemm", "gemm");
    String[] types = table.strings("gemm_dtype");
    int[] m = table.ints("m");
    int[] n = table.ints("n");
    int[] k = table.ints("k");
    double[] millis = table.doubles("latency");
    Map<KernelType, List<double[]>> rows = new LinkedHashMap<>();
    for (int i = 0; i < millis.length; i++) {
      if (KernelType.isKnown(types[i])) {
        rows.computeIfAbsent(KernelType.labelled(types[i]), t -> new ArrayList<>())
            .add(new double[] {m[i], n[i], k[i], millis[i] * MICROS});
      }
    }
    return rows;
  }

  /** Rows {@code {m, k, microseconds}} of finding a scale for activations, or of applying it. */
  List<double[]> quantization(KernelFamily family, String name) {
    ParquetTable table = read(family, "quantize", name);
    int[] m = table.ints("m");
    int[] k = table.ints("k");
    double[] millis = table.doubles("latency");
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < millis.length; i++) {
      if (millis[i] > 0) {
        rows.add(new double[] {m[i], k[i], millis[i] * MICROS});
      }
    }
    return rows;
  }

  /**
   * Attention rows {@code {batch, length, microseconds}} by site; 16-bit arithmetic only. The
   * length of a decode counts the new token.
   */
  Map<AttentionSite, List<double[]>> attention(KernelFamily family, boolean decode) {
    ParquetTable table =
        read(family, "attention", decode ? "generation_attention" : "context_attention");
    int[] batch = table.ints("batch_size");
    int[] length = table.ints(decode ? "step" : "isl");
    int[] heads = table.ints("num_heads");
    int[] kvHeads = table.ints("num_key_value_heads");
    int[] headDim = table.ints("head_dim");
    int[] window = table.ints("window_size");
    String[] arithmetic = table.strings("attn_dtype");
    String[] kv = table.strings("kv_cache_dtype");
    double[] millis = table.doubles("latency");
    Map<AttentionSite, List<double[]>> rows = new LinkedHashMap<>();
    for (int i = 0; i < millis.length; i++) {
      if (arithmetic[i].equals(KernelType.BF16.label()) && KernelType.isKnown(kv[i])) {
        AttentionSite site =
            new AttentionSite(
                heads[i], kvHeads[i], headDim[i], window[i], KernelType.labelled(kv[i]));
        rows.computeIfAbsent(site, s -> new ArrayList<>())
            .add(new double[] {batch[i], length[i] + (decode ? 1 : 0), millis[i] * MICROS});
      }
    }
    return rows;
  }

  /** Expert rows {@code {tokens, microseconds}} by site: even load, and power law of 1.2. */
  Map<ExpertSite, List<double[]>> experts(KernelFamily family) {
    ParquetTable table = read(family, "moe", "moe");
    String[] types = table.strings("moe_dtype");
    String[] load = table.strings("distribution");
    int[] tokens = table.ints("num_tokens");
    int[] hidden = table.ints("hidden_size");
    int[] width = table.ints("inter_size");
    int[] perToken = table.ints("topk");
    int[] experts = table.ints("num_experts");
    int[] slices = table.ints("moe_tp_size");
    int[] groups = table.ints("moe_ep_size");
    double[] millis = table.doubles("latency");
    Map<ExpertSite, List<double[]>> rows = new LinkedHashMap<>();
    for (int i = 0; i < millis.length; i++) {
      boolean skewed = load[i].equals("power_law_1.2");
      if (KernelType.isKnown(types[i]) && (skewed || load[i].equals("balanced"))) {
        ExpertSite site =
            ExpertSite.ofTable(
                hidden[i],
                width[i],
                perToken[i],
                experts[i],
                slices[i],
                groups[i],
                KernelType.labelled(types[i]),
                skewed);
        rows.computeIfAbsent(site, s -> new ArrayList<>())
            .add(new double[] {tokens[i], millis[i] * MICROS});
      }
    }
    return rows;
  }

  /**
   * All-reduce rows {@code {elements, microseconds}} by GPUs; inside CUDA graphs where told apart.
   */
  Map<Integer, List<double[]>> allReduce(KernelFamily family) {
    ParquetTable table = read(family, "comm", "custom_allreduce");
    String[] kernel = table.strings("kernel_source");
    int[] gpus = table.ints("num_gpus");
    long[] elements = table.longs("message_size");
    double[] millis = table.doubles("latency");
    Map<Integer, List<double[]>> rows = new LinkedHashMap<>();
    for (int i = 0; i < millis.length; i++) {
      if (!kernel[i].endsWith("_eager")) {
        rows.computeIfAbsent(gpus[i], g -> new ArrayList<>())
            .add(new double[] {elements[i], millis[i] * MICROS});
      }
    }
    return rows;
  }

  /** The tables of {@link Collective}s that NCCL runs, by GPUs; empty where there are none. */
  Map<Integer, List<double[]>> collective(Collective collective) {
    Path file = folder.resolve("comm/nccl").resolve(NCCL).resolve("nccl_perf.parquet");
    Map<Integer, List<double[]>> rows = new LinkedHashMap<>();
    if (!Files.isRegularFile(file)) {
      return rows;
    }
    ParquetTable table = ParquetReader.readTable(file);
    String[] names = table.strings("op_name");
    String[] types = table.strings("nccl_dtype");
    int[] gpus = table.ints("num_gpus");
    long[] elements = table.longs("message_size");
    double[] millis = table.doubles("latency");
    for (int i = 0; i < millis.length; i++) {
      if (names[i].equals(collective.label()) && types[i].equals("half")) {
        rows.computeIfAbsent(gpus[i], g -> new ArrayList<>())
            .add(new double[] {elements[i], millis[i] * MICROS});
      }
    }
    return rows;
  }

  /** Whether an engine's GEMMs were measured here. */
  boolean hasGemm(KernelFamily family) {
    return Files.isRegularFile(file(family, "gemm", "gemm"));
  }

  /** Whether an engine's latent attention was measured here. */
  boolean hasLatent(KernelFamily family) {
    return Files.isRegularFile(file(family, "mla", "mla_generation_module"));
  }

  /**
   * Latent attention rows {@code {batch, length, microseconds}} by site; 16-bit arithmetic where
   * told apart. The length of a decode counts the new token.
   */
  Map<LatentSite, List<double[]>> latent(KernelFamily family, boolean decode) {
    ParquetTable table =
        read(family, "mla", decode ? "mla_generation_module" : "mla_context_module");
    int[] batch = table.ints("batch_size");
    int[] length = table.ints(decode ? "step" : "isl");
    int[] heads = table.ints("num_heads");
    String[] arithmetic = table.strings("mla_dtype");
    String[] dense = table.strings("gemm_type");
    String[] kv = table.strings("kv_cache_dtype");
    double[] millis = table.doubles("latency");
    Map<LatentSite, List<double[]>> rows = new LinkedHashMap<>();
    for (int i = 0; i < millis.length; i++) {
      if (arithmetic[i].equals(KernelType.BF16.label()) && KernelType.isKnown(dense[i])) {
        LatentSite site =
            LatentSite.measured(
                heads[i], KernelType.labelled(dense[i]), KernelType.labelled(kv[i]));
        rows.computeIfAbsent(site, s -> new ArrayList<>())
            .add(new double[] {batch[i], length[i] + (decode ? 1 : 0), millis[i] * MICROS});
      }
    }
    return rows;
  }

  /** Rows of Mamba2 kernels; empty where there are none. */
  Map<String, List<double[]>> states() {
    return StateRows.read(folder.resolve("..").normalize(), system);
  }
}
