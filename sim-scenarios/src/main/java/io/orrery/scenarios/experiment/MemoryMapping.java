package io.orrery.scenarios.experiment;

import io.orrery.engine.scheduler.RecurrentState;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.DoesNotFitException;
import io.orrery.models.EngineMemory;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.ModelArchitecture;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.PoolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What the memory of a worker holds: KV blocks, states, and the longest context. */
final class MemoryMapping {
  private final EffectiveConfig config;
  private final int index;
  private final PoolSpec pool;
  private final EngineSpec engine;
  private final EngineMemory rules;
  private final DraftMapping drafts;
  private final Deployment deployment;
  private final List<String> assumptions = new ArrayList<>();

  MemoryMapping(
      Variant variant, int index, Catalog catalog, DraftMapping drafts, Deployment deployment) {
    this.config = variant.config();
    this.index = index;
    this.pool = variant.spec().pools().get(index);
    this.engine = variant.spec().engine();
    this.rules = catalog.memoryRules().engine(engine.preset());
    this.drafts = drafts;
    this.deployment = deployment;
  }

  List<String> assumptions() {
    return assumptions;
  }

  private String path(String key) {
    return PoolMapping.path(index, key);
  }

  /** What state-space layers ask of the pool. */
  RecurrentState state() {
    if (deployment.model().stateLayers() == 0) {
      return RecurrentState.NONE;
    }
    MemoryFootprint footprint =
        MemoryFootprint.layOut(
            deployment,
            rules,
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
            + PoolMapping.count(state.blocksPerSequence())
            + " blocks of the pool while it runs, and prefixes are taken up again only after whole"
            + " pages of "
            + PoolMapping.count(state.snapshotTokens())
            + " tokens, where a snapshot is kept"
            + (engine.prefixCaching() ? " (counted in the size of a block)." : "."));
    return state;
  }

  /** Physical blocks of a worker: as vLLM counts, the null block included. */
  int blocks() {
    return engine.kvBlocks().isPresent() ? given(engine.kvBlocks().getAsInt()) : left();
  }

  private int given(int blocks) {
    OptionalLong fitting = blocksThatFit();
    if (fitting.isEmpty() || blocks > fitting.getAsLong()) {
      assumptions.add(
          "engine.kvBlocks is taken as given: "
              + PoolMapping.count(blocks)
              + " blocks a worker, though the memory of "
              + deployment
              + (fitting.isEmpty()
                  ? " does not even hold the weights."
                  : " holds " + PoolMapping.count(fitting.getAsLong()) + "."));
    }
    return blocks;
  }

  /** What the GPUs' memory leaves. */
  private int left() {
    MemoryFootprint footprint = footprint();
    long blocks =
        Math.min(
            pool.attentionDataParallel()
                * footprint.kvBlocks(engine.blockSize(), engine.prefixCaching()),
            ScenarioSchema.MOST_BLOCKS);
    if (blocks < 2) {
      throw config.refusal(
          "engine.blockSize",
          "blocks of which 2 fit in the "
              + PoolMapping.count(footprint.kvTokens(engine.prefixCaching()))
              + " tokens that the memory of "
              + deployment
              + " leaves for the KV cache");
    }
    assumptions.add(
        "KV cache of a worker of pool "
            + pool.name()
            + ": "
            + PoolMapping.count(blocks)
            + " blocks of "
            + engine.blockSize()
            + " tokens, what the memory of "
            + deployment
            + " leaves (engine.kvBlocks: auto).");
    assumptions.addAll(rules.notes());
    return (int) blocks;
  }

  private MemoryFootprint footprint() {
    try {
      return layOut();
    } catch (DoesNotFitException e) {
      String atFault =
          config.writtenOf(
              path("tensorParallel"), path("gpuMemoryUtilization"), path("model"), path("gpu"));
      throw config.refusal(atFault, "enough memory, but " + e.getMessage());
    }
  }

  private OptionalLong blocksThatFit() {
    try {
      return OptionalLong.of(
          pool.attentionDataParallel()
              * layOut().kvBlocks(engine.blockSize(), engine.prefixCaching()));
    } catch (DoesNotFitException e) {
      return OptionalLong.empty();
    }
  }

  private MemoryFootprint layOut() {
    return MemoryFootprint.of(
        deployment,
        rules,
        pool.gpuMemoryUtilization(),
        engine.maxBatchedTokens(),
        engine.maxSequences());
  }

  /** Most tokens of prompt and output together. */
  int modelLength(int blocks, RecurrentState state) {
    ModelArchitecture model = deployment.model();
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
                + PoolMapping.count(length)
                + " tokens, though "
                + model
                + " was made for "
                + PoolMapping.count(model.maxPositions())
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
              + PoolMapping.count(length)
              + " tokens, what the KV cache of a worker holds (engine.maxModelLength: auto); "
              + model
              + " would take "
              + PoolMapping.count(model.maxPositions())
              + ".");
    }
    return length;
  }
}
