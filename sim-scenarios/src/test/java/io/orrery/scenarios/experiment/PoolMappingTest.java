package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.RecurrentState;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool of workers becomes: its engine's rules, its memory and its model. */
class PoolMappingTest {
  @TempDir Path folder;

  private SmallExperiments experiments;

  @BeforeEach
  void writeTraces() throws IOException {
    experiments = new SmallExperiments(folder);
  }

  @Test
  void presetsDecideTheRulesOfTheScheduler() {
    SchedulerSettings july = SmallExperiments.scheduler(experiments.clock());
    assertThat(july.maxBatchedTokens()).isEqualTo(8192);
    assertThat(july.maxSequences()).isEqualTo(1024);
    assertThat(july.asynchronous()).isTrue();
    assertThat(july.unkeyedToFront()).isTrue();
    assertThat(july.countEveryLookUp()).isFalse();

    SchedulerSettings may =
        SmallExperiments.scheduler(experiments.clock("engine.preset=vllm-2026-05"));
    assertThat(may.unkeyedToFront()).isFalse();
    assertThat(may.countEveryLookUp()).isTrue();
    assertThat(may.watermark()).isZero();
  }

  @Test
  void presetsChooseTheEngine() {
    SchedulerSettings sglang =
        SmallExperiments.scheduler(
            experiments.clock("engine.preset=sglang-2026-07", "engine.blockSize=1"));
    assertThat(sglang.engine())
        .isEqualTo(
            new EngineRules.Sglang(
                QueueOrder.Policy.FCFS, 8192, 16_384, 4096, 1, RadixEviction.LRU));
    assertThat(sglang.blockSize()).isEqualTo(1);
    assertThat(sglang.identityBlockSize(512)).isEqualTo(512);

    SchedulerSettings trtllm =
        SmallExperiments.scheduler(
            experiments.clock("engine.preset=trtllm-2026-07", "engine.blockSize=32"));
    assertThat(trtllm.engine())
        .isEqualTo(new EngineRules.TensorRt(EngineRules.CapacityPolicy.GUARANTEED_NO_EVICT));
    assertThat(trtllm.blockSize()).isEqualTo(32);
    assertThat(trtllm.usableBlocks()).isEqualTo(trtllm.blocks());
  }

  /** vLLM counts a block that it never uses: what fits is what the scheduler is told. */
  @Test
  void kvBlocksAutoIsWhatTheMemoryLeavesUnderThePresetsUtilization() {
    Catalog catalog = Catalog.bundled();
    Deployment deployment =
        new Deployment(
            catalog.model("qwen3-32b"), catalog.gpu("h100"), 2, 1, Precision.FP8, Precision.BF16);
    String[] worker = {
      "cluster.pools[0].model=qwen3-32b",
      "cluster.pools[0].gpu=h100",
      "cluster.pools[0].tensorParallel=2",
      "cluster.pools[0].precision.weights=fp8"
    };
    assertThat(SmallExperiments.scheduler(experiments.clock(worker)).blocks())
        .isEqualTo(blocks(deployment, "vllm-2026-07"));

    String[] may = {worker[0], worker[1], worker[2], worker[3], "engine.preset=vllm-2026-05"};
    assertThat(SmallExperiments.scheduler(experiments.clock(may)).blocks())
        .isEqualTo(blocks(deployment, "vllm-2026-05"));
    assertThat(experiments.clock(worker).assumptions())
        .anyMatch(text -> text.contains("engine.kvBlocks: auto"));
  }

  private static int blocks(Deployment worker, String preset) {
    return (int)
        MemoryFootprint.of(
                worker,
                Catalog.bundled().memoryRules().engine(preset),
                OptionalDouble.empty(),
                8192,
                1024)
            .kvBlocks(512);
  }

  /** Eight ranks are scheduled as one: the sum of what they hold and may do, a prompt in one. */
  @Test
  void attentionDataParallelRanksAreOneScheduler() {
    Catalog catalog = Catalog.bundled();
    Deployment deployment =
        new Deployment(
            catalog.model("deepseek-v3"),
            catalog.gpu("b200"),
            8,
            1,
            8,
            8,
            0,
            Precision.NVFP4,
            Precision.FP8);
    String[] worker = {
      "cluster.pools[0].model=deepseek-v3",
      "cluster.pools[0].tensorParallel=8",
      "cluster.pools[0].expertParallel=8",
      "cluster.pools[0].attentionDataParallel=8",
      "cluster.pools[0].precision.weights=nvfp4",
      "cluster.pools[0].precision.kv=fp8",
      "engine.maxBatchedTokens=8192",
      "engine.maxSequences=1024"
    };
    Experiment experiment = experiments.clock(worker);
    SchedulerSettings scheduler = SmallExperiments.scheduler(experiment);
    assertThat(scheduler.blocks()).isEqualTo(8 * blocks(deployment, "vllm-2026-07"));
    assertThat(scheduler.maxBatchedTokens()).isEqualTo(8 * 8192);
    assertThat(scheduler.maxSequences()).isEqualTo(8 * 1024);
    assertThat(scheduler.longPrefillThreshold()).isEqualTo(8192);
    assertThat(experiment.assumptions())
        .anyMatch(text -> text.contains("8 ranks are scheduled as one"));
  }

  @Test
  void modelLengthAutoIsTheSmallerOfTheModelsAndThePools() {
    // qwen3-32b was made for 40,960 positions.
    String model = "cluster.pools[0].model=qwen3-32b";
    assertThat(SmallExperiments.scheduler(experiments.clock(model)).maxModelLength())
        .isEqualTo(40_960);
    // 10 blocks, of which one is never used.
    Experiment small = experiments.clock(model, "engine.kvBlocks=10");
    assertThat(SmallExperiments.scheduler(small).maxModelLength()).isEqualTo(9 * 512);
    assertThat(small.assumptions()).anyMatch(text -> text.contains("may have 4,608 tokens"));
    assertThat(
            SmallExperiments.scheduler(experiments.clock(model, "engine.maxModelLength=50000"))
                .maxModelLength())
        .isEqualTo(50_000);
  }

  @Test
  void aModelThatDoesNotFitIsRefusedWithWhatWouldFit() {
    assertThatThrownBy(() -> experiments.clock("cluster.pools[0].model=minimax-m2"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContainingAll("enough memory", "does not fit", "fits with tensorParallel");
    assertThat(
            experiments
                .clock("cluster.pools[0].model=minimax-m2", "engine.kvBlocks=100")
                .assumptions())
        .anyMatch(text -> text.contains("does not even hold the weights"));
  }

  /** 40 layers of 4,255,744 B at 1,024 B a token: pages of 4,608 tokens in blocks of 512. */
  @Test
  void hybridModelsResumeAtPagesAndHoldAState() {
    Experiment hybrid =
        experiments.clock(
            "cluster.pools[0].model=nemotron-3-super",
            "cluster.pools[0].precision.weights=nvfp4",
            "stepTime.model=polynomial");
    SchedulerSettings settings = SmallExperiments.scheduler(hybrid);
    // a block of 512 tokens in 48 layers, the state a page of 4,608 in 40
    assertThat(settings.state()).isEqualTo(new RecurrentState(4608, 8)); // 40 · 9 / 48, rounded up
    assertThat(settings.maxModelLength()).isLessThanOrEqualTo((settings.blocks() - 9) * 512);
    assertThat(hybrid.assumptions())
        .anyMatch(text -> text.contains("only after whole pages of 4,608 tokens"));
    // without prefix caching a block is a page in 8 layers only
    assertThat(
            SmallExperiments.scheduler(
                    experiments.clock(
                        "cluster.pools[0].model=nemotron-3-super",
                        "cluster.pools[0].precision.weights=nvfp4",
                        "engine.prefixCaching=false",
                        "stepTime.model=polynomial"))
                .state()
                .blocksPerSequence())
        .isEqualTo(45);
    assertThatThrownBy(
            () ->
                experiments.clock(
                    "cluster.pools[0].model=nemotron-3-super",
                    "engine.kvBlocks=9",
                    "stepTime.model=polynomial"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("more than the 8 blocks that the state of one sequence");
  }

  @Test
  void modelsAreNamedOrAConfigurationFromWhereItWasWritten() throws IOException {
    Files.createDirectories(folder.resolve("models"));
    Files.writeString(
        folder.resolve("models").resolve("tiny.json"),
        """
        {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
         "num_attention_heads": 4, "intermediate_size": 128,
         "vocab_size": 1000, "max_position_embeddings": 4096}
        """);
    Experiment experiment =
        experiments.prepare(
            "trace: {files: clock.jsonl}\ncluster: {pools: [{model: ./models/tiny.json}]}\n");
    assertThat(SmallExperiments.scheduler(experiment).maxModelLength()).isEqualTo(4096);
    assertThat(experiment.assumptions())
        .anyMatch(text -> text.startsWith("Model tiny is what ./models/tiny.json describes"));

    assertThatThrownBy(
            () ->
                experiments.prepare(
                    "trace: {files: clock.jsonl}\n"
                        + "cluster: {pools: [{model: ./models/none.json}]}\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContainingAll("cluster.pools[0].model", "none.json: no such file");
    assertThatThrownBy(() -> experiments.clock("cluster.pools[0].model=minimax-m1"))
        .hasMessageContaining("(did you mean minimax-m2?)");
    assertThat(
            SmallExperiments.scheduler(
                    experiments.clock("cluster.pools[0].model=llama-3.1-8b-instruct"))
                .maxModelLength())
        .isEqualTo(131_072);
  }

  @Test
  void poolsMayDifferInSizeAndServeAnotherModelIfARuleLeadsThere() {
    String pools =
        "cluster.pools=[{name: a, gpu: b200, workers: 2}, {name: b, gpu: h100, workers: 1, %s}]";
    List<PoolSettings> settings =
        experiments.clock(pools.formatted("tensorParallel: 2")).runs().get(0).settings().pools();
    assertThat(settings).extracting(PoolSettings::name).containsExactly("a", "b");
    assertThat(settings.get(1).gpusPerWorker()).isEqualTo(2);
    assertThat(settings.get(0).scheduler().blocks())
        .isNotEqualTo(settings.get(1).scheduler().blocks());

    assertThatThrownBy(
            () -> experiments.clock(pools.formatted("model: qwen3-32b, tensorParallel: 2")))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("cluster.pools[1].model")
        .hasMessageContaining("a rule of routing.placement that sends requests here");
    List<PoolSettings> two =
        experiments
            .clock(
                pools.formatted("model: qwen3-32b, tensorParallel: 2"),
                "routing.placement=[session x* -> pool b]")
            .runs()
            .get(0)
            .settings()
            .pools();
    assertThat(two)
        .extracting(PoolSettings::model)
        .containsExactly("qwen3-coder-30b-a3b", "qwen3-32b");
  }
}
