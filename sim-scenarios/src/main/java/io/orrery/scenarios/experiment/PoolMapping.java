package io.orrery.scenarios.experiment;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.scheduler.RecurrentState;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.StepTimeModel;
import io.orrery.scenarios.EffectiveConfig;
import io.orrery.scenarios.Variant;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.PoolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Turns one pool of a scenario into settings for the engine. */
final class PoolMapping {
  private final EffectiveConfig config;
  private final int index;
  private final PoolSpec pool;
  private final EngineSpec engine;
  private final WorkerMapping worker;
  private final List<String> assumptions = new ArrayList<>();
  private final PoolSettings settings;

  PoolMapping(Variant variant, int index, Catalog catalog, StepTimes stepTimes) {
    this.config = variant.config();
    this.index = index;
    this.pool = variant.spec().pools().get(index);
    this.engine = variant.spec().engine();
    DraftMapping drafts = new DraftMapping(config, engine.speculation());
    this.worker = new WorkerMapping(variant, index, catalog, drafts);
    Deployment deployment = worker.deployment();
    MemoryMapping memory = new MemoryMapping(variant, index, catalog, drafts, deployment);
    RecurrentState state = memory.state();
    int blocks = memory.blocks();
    requireRoomBesideState(state, blocks);
    StepTimeModel stepTime = stepTimes.of(variant, pool.name(), deployment);
    drafts.requireTimed(stepTime);
    SchedulerSettings scheduler =
        SchedulerMapping.settings(
                engine, blocks, memory.modelLength(blocks, state), pool.attentionDataParallel())
            .withState(state);
    boolean infinite = variant.spec().infiniteCache();
    settings =
        new PoolSettings(
            pool.name(),
            pool.workers(),
            pool.gpusPerWorker(),
            infinite ? scheduler.withUnlimitedBlocks() : scheduler,
            stepTime,
            pool.model(),
            pool.weight(),
            pool.labels());
    assumptions.addAll(worker.assumptions());
    assumptions.addAll(memory.assumptions());
    if (infinite) {
      assumptions.add(
          "infinite-cache is a reference (cache.reference): nothing is evicted and KV memory holds"
              + " nobody up; prompts are refused as by the memory that there is.");
    }
    assumptions.addAll(deployment.notes());
    if (pool.attentionDataParallel() > 1) {
      assumptions.add(ranksAreOne());
    }
    assumptions.addAll(drafts.assumptions(pool.name(), deployment, stepTime));
    stepTime.notes().forEach(note -> assumptions.add(sentence(note)));
    LoadedProfile profile = stepTimes.profile(variant);
    if (profile != null) {
      assumptions.addAll(profile.notes(deployment));
    }
    assumptions.addAll(StepTimes.ignored(variant.spec().stepTime()));
  }

  private void requireRoomBesideState(RecurrentState state, int blocks) {
    if (state.blocksPerSequence() >= blocks - 1) {
      throw config.refusal(
          config.writtenOf("engine.kvBlocks", path(index, "tensorParallel")),
          "more than the "
              + count(state.blocksPerSequence())
              + " blocks that the state of one sequence of "
              + worker.deployment()
              + " takes, and room for its tokens");
    }
  }

  private String ranksAreOne() {
    return "Attention data parallelism of pool "
        + pool.name()
        + ": a worker's "
        + pool.attentionDataParallel()
        + " ranks are scheduled as one, with the sum of their KV blocks, sequences and token"
        + " budgets; steps last as long as on the busiest rank, where sequences are spread"
        + " evenly.";
  }

  private static String sentence(String note) {
    String begun = note.substring(0, 1).toUpperCase(Locale.ROOT) + note.substring(1);
    return begun.endsWith(".") ? begun : begun + ".";
  }

  static String path(int index, String key) {
    return "cluster.pools[" + index + "]." + key;
  }

  /** A number with commas between thousands. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  PoolSettings settings() {
    return settings;
  }

  /** One of its workers. */
  Deployment worker() {
    return worker.deployment();
  }

  /** The digest of the file that describes the model; empty for one of the catalogue. */
  Optional<String> modelDigest() {
    return worker.modelDigest();
  }

  List<String> assumptions() {
    return assumptions;
  }
}
