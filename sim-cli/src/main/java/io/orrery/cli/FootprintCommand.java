package io.orrery.cli;

import io.orrery.models.Catalog;
import io.orrery.models.EngineMemory;
import io.orrery.models.Gpu;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.reports.footprint.FootprintDocument;
import io.orrery.reports.footprint.FootprintEntry;
import io.orrery.reports.footprint.FootprintGrid;
import io.orrery.reports.footprint.FootprintQuery;
import io.orrery.reports.footprint.FootprintTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows where the memory of GPUs goes, and how many tokens and sessions fit. */
@Command(
    name = "footprint",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Show where the memory of GPUs goes, and how many tokens and sessions fit.",
    footer = {"", "Example:", "  orrery footprint minimax-m2 --gpu b200,h200 --tp 2,4"})
final class FootprintCommand implements Callable<Integer> {
  private static final int LONGEST_DEFAULT_CONTEXT = 65_536;
  private static final int MOST_GPUS = 1024;

  @Parameters(
      paramLabel = "MODEL",
      description = "A model, as minimax-m2, or the path of a Hugging Face config.json.")
  private String model;

  @Option(
      names = "--gpu",
      paramLabel = "NAMES",
      split = ",",
      defaultValue = "b200,h100,h200,h20",
      description = "GPUs. Default: ${DEFAULT-VALUE}.")
  private List<String> gpus;

  @Option(
      names = "--tp",
      paramLabel = "NUMBERS",
      split = ",",
      defaultValue = "1,2,4,8",
      description = "GPUs that share every layer. Default: ${DEFAULT-VALUE}.")
  private List<Integer> tensorParallel;

  @Option(
      names = "--weights",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Precisions of the weights: nvfp4, fp8, bf16, and mxfp4 for models published in it."
              + " Default: all.")
  private @Nullable List<String> weights;

  @Option(
      names = "--kv",
      paramLabel = "NAMES",
      split = ",",
      defaultValue = "bf16,fp8,nvfp4",
      description = "Precisions of the KV cache. Default: ${DEFAULT-VALUE}.")
  private List<String> kv;

  @Option(
      names = "--context",
      paramLabel = "TOKENS",
      description = "Tokens of a session. Default: 65536, or the model's limit if that is less.")
  private @Nullable Long context;

  @Option(
      names = "--engine",
      paramLabel = "PRESET",
      defaultValue = "vllm-2026-07",
      description = "Whose memory rules: an engine preset. Default: ${DEFAULT-VALUE}.")
  private String engine;

  @Option(
      names = "--memory-share",
      paramLabel = "SHARE",
      description =
          "vLLM's gpu_memory_utilization, TensorRT-LLM's free_gpu_memory_fraction, SGLang's"
              + " mem_fraction_static. Default: the engine's.")
  private @Nullable Double share;

  @Option(
      names = "--max-batched-tokens",
      paramLabel = "N",
      defaultValue = "8192",
      description = "Most new tokens in a pass. Default: ${DEFAULT-VALUE}.")
  private int maxBatchedTokens;

  @Option(
      names = "--max-sequences",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Most sequences in a pass. Default: ${DEFAULT-VALUE}.")
  private int maxSequences;

  @Option(
      names = "--pp",
      paramLabel = "N",
      defaultValue = "1",
      description = "Pipeline stages. Default: ${DEFAULT-VALUE}.")
  private int pipelineParallel;

  @Option(
      names = "--ep",
      paramLabel = "N",
      defaultValue = "1",
      description = "Groups of GPUs that experts are dealt to. Default: ${DEFAULT-VALUE}.")
  private int expertParallel;

  @Option(
      names = "--attention-dp",
      paramLabel = "N",
      defaultValue = "1",
      description = "Ranks that attend to sequences of their own. Default: ${DEFAULT-VALUE}.")
  private int attentionDataParallel;

  @Option(
      names = "--mtp",
      paramLabel = "N",
      defaultValue = "0",
      description = "Layers for multi-token prediction to hold. Default: ${DEFAULT-VALUE}.")
  private int draftLayers;

  @Option(
      names = "--no-prefix-caching",
      description = "Keep no snapshots of state-space layers (Mamba) for reuse.")
  private boolean withoutPrefixCaching;

  @Mixin private JsonOption json;

  @Mixin private ColourOption colour;

  private final Console console;
  private final Catalog catalog = Catalog.bundled();

  FootprintCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    FootprintQuery query = query();
    List<FootprintEntry> entries = checked(() -> FootprintGrid.of(query));
    requireOneWorker(entries);
    if (json.asked()) {
      console.out().print(FootprintDocument.of(query, entries, Version.current()));
    } else {
      console.styledOut().print(FootprintTable.of(query, entries, colour.of(console.terminal())));
    }
    console.out().flush();
    return 0;
  }

  private FootprintQuery query() {
    ModelArchitecture shape = CatalogModelsCommand.one(catalog, model);
    List<Gpu> kinds = distinct("--gpu", gpus, name -> checked(() -> catalog.gpu(name)));
    EngineMemory rules = checked(() -> catalog.memoryRules().engine(engine));
    requireAny("--tp", tensorParallel);
    for (int slices : tensorParallel) {
      require("--tp", slices, 1, MOST_GPUS);
    }
    require("--pp", pipelineParallel, 1, MOST_GPUS);
    require("--ep", expertParallel, 1, MOST_GPUS);
    require("--attention-dp", attentionDataParallel, 1, MOST_GPUS);
    require("--mtp", draftLayers, 0, shape.draftLayers());
    require("--max-batched-tokens", maxBatchedTokens, 1, Integer.MAX_VALUE);
    require("--max-sequences", maxSequences, 1, Integer.MAX_VALUE);
    long tokens =
        context == null ? Math.min(LONGEST_DEFAULT_CONTEXT, shape.maxPositions()) : context;
    require("--context", tokens, 1, Integer.MAX_VALUE);
    return new FootprintQuery(
        shape,
        kinds,
        List.copyOf(new LinkedHashSet<>(tensorParallel)),
        pipelineParallel,
        expertParallel,
        attentionDataParallel,
        draftLayers,
        weights(shape),
        distinct("--kv", kv, name -> checked(() -> Precision.kv(name))),
        rules,
        share == null ? OptionalDouble.empty() : OptionalDouble.of(share),
        maxBatchedTokens,
        maxSequences,
        tokens,
        !withoutPrefixCaching);
  }

  /** Refuses a question without an answer: not one of its workers can be built. */
  private static void requireOneWorker(List<FootprintEntry> entries) {
    if (entries.stream().allMatch(entry -> entry.memory() == null)) {
      throw new UsageException(
          String.join("; ", entries.stream().map(FootprintEntry::obstacle).distinct().toList()));
    }
  }

  private List<Precision> weights(ModelArchitecture shape) {
    if (weights != null) {
      return distinct("--weights", weights, name -> checked(() -> Precision.weights(name)));
    }
    List<Precision> all = new ArrayList<>();
    if (shape.nativeWeights() == Precision.MXFP4) {
      all.add(Precision.MXFP4);
    }
    all.addAll(List.of(Precision.NVFP4, Precision.FP8, Precision.BF16));
    return all;
  }

  private static <T> List<T> distinct(
      String option, List<String> names, Function<String, T> known) {
    requireAny(option, names);
    return names.stream().map(String::strip).distinct().map(known).toList();
  }

  private static void requireAny(String option, List<?> values) {
    if (values.isEmpty()) {
      throw new UsageException(option + ": found nothing, expected at least one");
    }
  }

  private static void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new UsageException(
          option
              + ": found "
              + value
              + ", expected "
              + (least == most ? "" + least : "a whole number from " + least + " to " + most));
    }
  }

  private static <T> T checked(Callable<T> step) {
    try {
      return step.call();
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
