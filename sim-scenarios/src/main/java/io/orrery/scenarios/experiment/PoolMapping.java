package io.orrery.scenarios.experiment;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.scheduler.RecurrentState;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.DoesNotFitException;
import io.orrery.models.Gpu;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Names;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModel;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.PoolSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Turns one pool of a scenario into settings for the engine. */
final class PoolMapping {
  private static final double BILLION = 1e9;

  private final EffectiveConfig config;
  private final int index;
  private final PoolSpec pool;
  private final EngineSpec engine;
  private final Catalog catalog;
  private final DraftMapping drafts;
  private final List<String> assumptions = new ArrayList<>();
  private final PoolSettings settings;
  private final Deployment deployment;

  PoolMapping(Variant variant, int index, Catalog catalog, StepTimes stepTimes) {
    this.config = variant.config();
    this.index = index;
    this.pool = variant.spec().pools().get(index);
    this.engine = variant.spec().engine();
    this.catalog = catalog;
    this.drafts = new DraftMapping(config, engine.speculation());
    deployment = deployment();
    RecurrentState state = state(deployment);
    int blocks = blocks(deployment);
    if (state.blocksPerSequence() >= blocks - 1) {
      throw config.refusal(
          config.writtenOf("engine.kvBlocks", path(index, "tensorParallel")),
          "more than the "
              + count(state.blocksPerSequence())
              + " blocks that the state of one sequence of "
              + deployment
              + " takes, and room for its tokens");
    }
    StepTimeModel stepTime = stepTimes.of(variant, pool.name(), deployment);
    drafts.requireTimed(stepTime);
    SchedulerSettings scheduler =
        SchedulerMapping.settings(
                engine,
                blocks,
                modelLength(deployment.model(), blocks, state),
                pool.attentionDataParallel())
            .withState(state);
    if (variant.spec().infiniteCache()) {
      scheduler = scheduler.withUnlimitedBlocks();
      assumptions.add(
          "infinite-cache is a reference (cache.reference): nothing is evicted and KV memory holds"
              + " nobody up; prompts are refused as by the memory that there is.");
    }
    settings =
        new PoolSettings(
            pool.name(),
            pool.workers(),
            pool.gpusPerWorker(),
            scheduler,
            stepTime,
            pool.model(),
            pool.weight(),
            pool.labels());
    assumptions.addAll(deployment.notes());
    if (pool.attentionDataParallel() > 1) {
      assumptions.add(
          "Attention data parallelism of pool "
              + pool.name()
              + ": a worker's "
              + pool.attentionDataParallel()
              + " ranks are scheduled as one, with the sum of their KV blocks, sequences and token"
              + " budgets; steps last as long as on the busiest rank, where sequences are spread"
              + " evenly.");
    }
    assumptions.addAll(drafts.assumptions(pool.name(), deployment, stepTime));
    stepTime.notes().forEach(note -> assumptions.add(sentence(note)));
    LoadedProfile profile = stepTimes.profile(variant);
    if (profile != null) {
      assumptions.addAll(profile.notes(deployment));
    }
    assumptions.addAll(StepTimes.ignored(variant.spec().stepTime()));
  }

  private static String sentence(String note) {
    String begun = note.substring(0, 1).toUpperCase(Locale.ROOT) + note.substring(1);
    return begun.endsWith(".") ? begun : begun + ".";
  }

  static String path(int index, String key) {
    return "cluster.pools[" + index + "]." + key;
  }

  PoolSettings settings() {
    return settings;
  }

  /** One of its workers. */
  Deployment worker() {
    return deployment;
  }

  List<String> assumptions() {
    return assumptions;
  }

  private Deployment deployment() {
    requireKnown("gpu", pool.gpu(), catalog.gpuNames());
    Gpu gpu = catalog.gpu(pool.gpu());
    ModelArchitecture model = model();
    int draftLayers = drafts.layers(model);
    try {
      return new Deployment(
          model,
          gpu,
          pool.tensorParallel(),
          pool.pipelineParallel(),
          pool.expertParallel(),
          pool.attentionDataParallel(),
          draftLayers,
          Precision.weights(pool.weightPrecision()),
          Precision.kv(pool.kvPrecision()));
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      throw config.refusal(
          path(index, keyAtFault(reason)), "a worker that can be built, but " + reason);
    }
  }

  /** The digest of the file that describes the model; empty for one of the catalogue. */
  Optional<String> modelDigest() {
    return Catalog.isPath(pool.model())
        ? Optional.of(LoadedProfile.sha256(Catalog.modelFile(pool.model(), modelFolder())))
        : Optional.empty();
  }

  /** What a relative path of the model is relative to. */
  private Path modelFolder() {
    return config
        .get(path(index, "model"))
        .map(setting -> setting.origin().directory())
        .orElse(Path.of(""));
  }

  private ModelArchitecture model() {
    String key = path(index, "model");
    if (!Catalog.isPath(pool.model())) {
      try {
        return catalog.model(pool.model());
      } catch (IllegalArgumentException e) {
        List<String> known = catalog.modelNamesAndAliases();
        throw config.refusal(
            key,
            "one of "
                + String.join(", ", known)
                + ", or the path of a config.json"
                + Names.didYouMean(pool.model(), known));
      }
    }
    try {
      ModelArchitecture model = catalog.model(pool.model(), modelFolder());
      assumptions.add(
          "Model "
              + model
              + " is what "
              + pool.model()
              + " describes: "
              + String.format(Locale.ROOT, "%.2f", model.parameters().total() / BILLION)
              + " billion parameters, "
              + count(2 * model.kvElementsPerToken())
              + " bytes of 16-bit KV a token.");
      return model;
    } catch (IllegalArgumentException e) {
      throw config.refusal(key, "a model's config.json, but " + e.getMessage());
    }
  }

  /** The key of the pool that a refusal of its worker is about. */
  private static String keyAtFault(String reason) {
    for (String key : List.of("expertParallel ", "attentionDataParallel ", "tensorParallel ")) {
      if (reason.contains(key)) {
        return key.strip();
      }
    }
    if (reason.contains("pipelineParallel")) {
      return "pipelineParallel";
    }
    return reason.contains("KV cache") ? "precision.kv" : "precision.weights";
  }

  private void requireKnown(String key, String name, Collection<String> known) {
    if (!known.contains(name)) {
      throw config.refusal(
          path(index, key), "one of " + String.join(", ", known) + Names.didYouMean(name, known));
    }
  }

  /** Physical blocks of a worker: as vLLM counts, the null block included. */
  private int blocks(Deployment deployment) {
    if (engine.kvBlocks().isPresent()) {
      int blocks = engine.kvBlocks().getAsInt();
      OptionalLong fitting = blocksThatFit(deployment);
      if (fitting.isEmpty() || blocks > fitting.getAsLong()) {
        assumptions.add(
            "engine.kvBlocks is taken as given: "
                + count(blocks)
                + " blocks a worker, though the memory of "
                + deployment
                + (fitting.isEmpty()
                    ? " does not even hold the weights."
                    : " holds " + count(fitting.getAsLong()) + "."));
      }
      return blocks;
    }
    MemoryFootprint footprint;
    try {
      footprint = footprint(deployment);
    } catch (DoesNotFitException e) {
      String atFault =
          config.writtenOf(
              path(index, "tensorParallel"),
              path(index, "gpuMemoryUtilization"),
              path(index, "model"),
              path(index, "gpu"));
      throw config.refusal(atFault, "enough memory, but " + e.getMessage());
    }
    long blocks =
        Math.min(
            pool.attentionDataParallel()
                * footprint.kvBlocks(engine.blockSize(), engine.prefixCaching()),
            ScenarioSchema.MOST_BLOCKS);
    if (blocks < 2) {
      throw config.refusal(
          "engine.blockSize",
          "blocks of which 2 fit in the "
              + count(footprint.kvTokens(engine.prefixCaching()))
              + " tokens that the memory of "
              + deployment
              + " leaves for the KV cache");
    }
    assumptions.add(
        "KV cache of a worker of pool "
            + pool.name()
            + ": "
            + count(blocks)
            + " blocks of "
            + engine.blockSize()
            + " tokens, what the memory of "
            + deployment
            + " leaves (engine.kvBlocks: auto).");
    assumptions.addAll(catalog.memoryRules().engine(engine.preset()).notes());
    return (int) blocks;
  }

  /** What state-space layers ask of the pool. */
  private RecurrentState state(Deployment deployment) {
    if (deployment.model().stateLayers() == 0) {
      return RecurrentState.NONE;
    }
    MemoryFootprint footprint =
        MemoryFootprint.layOut(
            deployment,
            catalog.memoryRules().engine(engine.preset()),
            pool.gpuMemoryUtilization(),
            engine.maxBatchedTokens(),
            engine.maxSequences());
    RecurrentState state =
        new RecurrentState(
            deployment.stateBoundaryTokens(engine.blockSize()),
            drafts.statesPerSequence()
                * footprint.stateBlocksPerSequence(engine.blockSize(), engine.prefixCaching()));
    assumptions.add(
        deployment.model()
            + " keeps a state per sequence in "
            + deployment.model().stateLayers()
            + " layers: "
            + count(state.blocksPerSequence())
            + " blocks of the pool while it runs, and prefixes are taken up again only after whole"
            + " pages of "
            + count(state.snapshotTokens())
            + " tokens, where a snapshot is kept"
            + (engine.prefixCaching() ? " (counted in the size of a block)." : "."));
    return state;
  }

  private OptionalLong blocksThatFit(Deployment deployment) {
    try {
      return OptionalLong.of(
          pool.attentionDataParallel()
              * footprint(deployment).kvBlocks(engine.blockSize(), engine.prefixCaching()));
    } catch (DoesNotFitException e) {
      return OptionalLong.empty();
    }
  }

  private MemoryFootprint footprint(Deployment deployment) {
    return MemoryFootprint.of(
        deployment,
        catalog.memoryRules().engine(engine.preset()),
        pool.gpuMemoryUtilization(),
        engine.maxBatchedTokens(),
        engine.maxSequences());
  }

  private int modelLength(ModelArchitecture model, int blocks, RecurrentState state) {
    // A request lives in one rank.
    int held =
        SchedulerMapping.settings(
                engine, blocks / pool.attentionDataParallel(), Integer.MAX_VALUE, 1)
            .withState(state)
            .contextThatFits();
    if (engine.maxModelLength().isPresent()) {
      int length = engine.maxModelLength().getAsInt();
      if (length > model.maxPositions()) {
        assumptions.add(
            "engine.maxModelLength is taken as given: "
                + count(length)
                + " tokens, though "
                + model
                + " was made for "
                + count(model.maxPositions())
                + ".");
      }
      return length;
    }
    int length = Math.min(model.maxPositions(), held);
    if (length < 2) {
      throw config.refusal(
          "engine.kvBlocks", "blocks that hold at least one prompt and one output token");
    }
    if (length < model.maxPositions()) {
      assumptions.add(
          "Prompt and output together may have "
              + count(length)
              + " tokens, what the KV cache of a worker holds (engine.maxModelLength: auto); "
              + model
              + " would take "
              + count(model.maxPositions())
              + ".");
    }
    return length;
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
