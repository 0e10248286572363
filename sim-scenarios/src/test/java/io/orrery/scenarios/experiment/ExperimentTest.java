package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.DispatchSettings;
import io.orrery.engine.DispatchSettings.Arrivals;
import io.orrery.engine.PoolSettings;
import io.orrery.engine.RequestState;
import io.orrery.engine.cache.RadixEviction;
import io.orrery.engine.record.RunResult;
import io.orrery.engine.scheduler.EngineRules;
import io.orrery.engine.scheduler.QueueOrder;
import io.orrery.engine.scheduler.RecurrentState;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.traces.TraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
  /** Two requests whose sessions share a clock. */
  private static final String MOONCAKE =
      """
      {"timestamp": 0, "input_length": 1100, "output_length": 3, "hash_ids": [0, 1, 2]}
      {"timestamp": 500, "input_length": 1100, "output_length": 2, "hash_ids": [0, 1, 3]}
      """;

  /** Two sessions that each begin at 0. */
  private static final String WEKA =
      """
      {"id": "s1", "models": ["m"], "block_size": 64, "hash_id_scope": "local", "tool_tokens": 0, "system_tokens": 0, \
      "requests": [{"t": 0, "type": "s", "model": "m", "in": 128, "out": 2, "hash_ids": [1, 2], "api_time": 1, \
      "think_time": 0}]}
      {"id": "s2", "models": ["m"], "block_size": 64, "hash_id_scope": "local", "tool_tokens": 0, "system_tokens": 0, \
      "requests": [{"t": 0, "type": "s", "model": "m", "in": 128, "out": 2, "hash_ids": [1, 2], "api_time": 1, \
      "think_time": 0}]}
      """;

  @TempDir Path folder;

  @BeforeEach
  void writeTraces() throws IOException {
    Files.writeString(folder.resolve("clock.jsonl"), MOONCAKE);
    Files.writeString(folder.resolve("own.jsonl"), WEKA);
  }

  private Experiment prepare(String yaml, String... assignments) {
    CommandLineSettings settings =
        new CommandLineSettings(
            List.of(assignments), java.util.OptionalLong.empty(), List.of(), folder);
    return Experiment.prepare(ScenarioLoader.parse(yaml, "s.yaml", folder, settings));
  }

  private Experiment clock(String... assignments) {
    return prepare("trace: {files: clock.jsonl}\nengine: {blockSize: 512}\n", assignments);
  }

  private Experiment own(String... assignments) {
    return prepare("trace: {files: own.jsonl}\nengine: {blockSize: 64}\n", assignments);
  }

  private static SchedulerSettings scheduler(Experiment experiment) {
    return experiment.runs().get(0).settings().pools().get(0).scheduler();
  }

  @Test
  void presetsDecideTheRulesOfTheScheduler() {
    SchedulerSettings july = scheduler(clock());
    assertThat(july.maxBatchedTokens()).isEqualTo(8192);
    assertThat(july.maxSequences()).isEqualTo(1024);
    assertThat(july.asynchronous()).isTrue();
    assertThat(july.unkeyedToFront()).isTrue();
    assertThat(july.countEveryLookUp()).isFalse();

    SchedulerSettings may = scheduler(clock("engine.preset=vllm-2026-05"));
    assertThat(may.unkeyedToFront()).isFalse();
    assertThat(may.countEveryLookUp()).isTrue();
    assertThat(may.watermark()).isZero();
  }

  @Test
  void presetsChooseTheEngine() {
    SchedulerSettings sglang =
        scheduler(clock("engine.preset=sglang-2026-07", "engine.blockSize=1"));
    assertThat(sglang.engine())
        .isEqualTo(
            new EngineRules.Sglang(
                QueueOrder.Policy.FCFS, 8192, 16_384, 4096, 1, RadixEviction.LRU));
    assertThat(sglang.blockSize()).isEqualTo(1);
    assertThat(sglang.identityBlockSize(512)).isEqualTo(512);

    SchedulerSettings trtllm =
        scheduler(clock("engine.preset=trtllm-2026-07", "engine.blockSize=32"));
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
    assertThat(scheduler(clock(worker)).blocks()).isEqualTo(blocks(deployment, "vllm-2026-07"));

    String[] may = {worker[0], worker[1], worker[2], worker[3], "engine.preset=vllm-2026-05"};
    assertThat(scheduler(clock(may)).blocks()).isEqualTo(blocks(deployment, "vllm-2026-05"));
    assertThat(clock(worker).assumptions())
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
    Experiment experiment = clock(worker);
    SchedulerSettings scheduler = scheduler(experiment);
    assertThat(scheduler.blocks()).isEqualTo(8 * blocks(deployment, "vllm-2026-07"));
    assertThat(scheduler.maxBatchedTokens()).isEqualTo(8 * 8192);
    assertThat(scheduler.maxSequences()).isEqualTo(8 * 1024);
    assertThat(scheduler.longPrefillThreshold()).isEqualTo(8192);
    assertThat(experiment.assumptions())
        .anyMatch(text -> text.contains("8 ranks are scheduled as one"));
    assertRefused("cluster.pools[0].attentionDataParallel=3", "a divisor of tensorParallel 1");
    assertRefused("cluster.pools[0].expertParallel=2", "a divisor of tensorParallel 1");
  }

  @Test
  void modelLengthAutoIsTheSmallerOfTheModelsAndThePools() {
    // qwen3-32b was made for 40,960 positions.
    String model = "cluster.pools[0].model=qwen3-32b";
    assertThat(scheduler(clock(model)).maxModelLength()).isEqualTo(40_960);
    // 10 blocks, of which one is never used.
    Experiment small = clock(model, "engine.kvBlocks=10");
    assertThat(scheduler(small).maxModelLength()).isEqualTo(9 * 512);
    assertThat(small.assumptions()).anyMatch(text -> text.contains("may have 4,608 tokens"));
    assertThat(scheduler(clock(model, "engine.maxModelLength=50000")).maxModelLength())
        .isEqualTo(50_000);
  }

  @Test
  void dispatchFollowsTheTracesClock() {
    Experiment clock = clock();
    assertThat(clock.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.ClosedLoop(new Arrivals.Recorded()));
    assertThat(clock.assumptions()).anyMatch(text -> text.contains("Dispatch is closed-loop"));

    Experiment own = own("cluster.pools[0].workers=3");
    assertThat(own.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.Lanes(24, false, false));
    assertThat(own.assumptions())
        .anyMatch(text -> text.contains("Dispatch is by lanes"))
        .anyMatch(text -> text.contains("24 lanes"))
        .contains("Only 2 of 24 lanes are in use: the trace has no more sessions.");
  }

  @Test
  void lanesMayStopAndStartOver() {
    Experiment experiment =
        own("trace.lanes.count=1", "trace.lanes.recycle=true", "trace.lanes.limit=5");

    assertThat(experiment.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.Lanes(1, true, false, 5));
    assertThat(experiment.expectedRequests()).isEqualTo(5);
    RunResult result = experiment.runs().get(0).simulate(ended -> {});
    long finished = 0;
    for (int row = 0; row < result.columns().rows(); row++) {
      finished += result.columns().state(row) == RequestState.FINISHED ? 1 : 0;
    }
    assertThat(finished).isEqualTo(5);
  }

  @Test
  void arrivalsOfAProcessNeedNoSharedClock() {
    Experiment experiment =
        own(
            "trace.dispatch=closed-loop",
            "trace.closedLoop.arrivals.process=gamma",
            "trace.closedLoop.arrivals.rate=5",
            "trace.closedLoop.arrivals.cv=2");

    assertThat(experiment.runs().get(0).settings().dispatch())
        .isEqualTo(new DispatchSettings.ClosedLoop(new Arrivals.Process(5, 2)));
  }

  @Test
  void recordedTimesOfDifferentSessionsNeedASharedClock() {
    for (String dispatch : List.of("timestamps", "closed-loop")) {
      assertThatThrownBy(() -> own("trace.dispatch=" + dispatch))
          .isInstanceOf(ScenarioException.class)
          .hasMessage(
              "--set: trace.dispatch: found "
                  + dispatch
                  + ", expected lanes, or closed-loop with a process for the arrivals"
                  + " (trace.closedLoop.arrivals.process and rate), since the sessions of this trace"
                  + " share no clock");
    }
  }

  @Test
  void settingsOfAnotherDispatchRuleAreNotPassedOverInSilence() {
    assertThat(clock("trace.lanes.count=3").assumptions())
        .contains("trace.lanes.count has no effect, since dispatch is closed-loop.");
  }

  @Test
  void whatDoesNotExistOrDoesNotGoTogetherIsRefusedWhereItWasWritten() {
    assertRefused("cluster.pools[0].gpu=b20", "one of b200", "(did you mean b200?)");
    assertRefused("cluster.pools[0].model=qwen3-23b", "(did you mean qwen3-32b?)");
    assertRefused("cluster.pools[0].tensorParallel=3", "cannot be cut into tensorParallel 3");
    assertRefused("cluster.pools[0].pipelineParallel=99", "exceeds the 48 layers");
    assertRefused("cluster.pools[0].precision.weights=mxfp4", "published in");
    assertRefused("routing.policy=kv-awre", "kv-aware");
    assertRefused("admission.policy=dynamo-nativ", "(did you mean dynamo-native?)");
    assertRefused(
        List.of("routing.placement=[session * -> worker 0]", "admission.policy=dynamo-native"),
        "a policy that names no workers");
    assertRefused("admission.limit=3", "a parameter that none does not have, expected none");
    assertRefused(
        List.of("admission.policy=max-concurrency", "admission.limt=3"), "(did you mean limit?)");
    assertRefused(
        List.of("admission.policy=max-concurrency", "admission.limit=2.5"),
        "a whole number from 1 to 1000000000");
    assertRefused(
        List.of("admission.policy=dynamo-python", "admission.resumeTimeout=1800"),
        "a duration such as \"600 s\"");
    assertRefused("routing.ttl=3 s", "a parameter that round-robin does not have, expected none");
    assertRefused("trace.format=mooncak", "auto or one of ", "(did you mean mooncake?)");
    assertRefused("engine.blockSize=100", "a size that divides the trace's blocks of 512 tokens");
    assertRefused("stepTime.speedup=2", "1, since step times of model law have none");
    assertThatThrownBy(() -> clock("stepTime.model=polynomial", "stepTime.stepOverhead=1 ms"))
        .hasMessageContaining("expected 0 s, since step times of model polynomial have none");
  }

  private void assertRefused(String assignment, String... expected) {
    assertRefused(List.of(assignment), expected);
  }

  /** The last assignment is to blame. */
  private void assertRefused(List<String> assignments, String... expected) {
    String last = assignments.get(assignments.size() - 1);
    assertThatThrownBy(() -> clock(assignments.toArray(String[]::new)))
        .isInstanceOf(ScenarioException.class)
        .message()
        .startsWith("--set: " + last.substring(0, last.indexOf('=')))
        .contains(expected);
  }

  @Test
  void aModelThatDoesNotFitIsRefusedWithWhatWouldFit() {
    assertThatThrownBy(() -> clock("cluster.pools[0].model=minimax-m2"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContainingAll("enough memory", "does not fit", "fits with tensorParallel");
    assertThat(clock("cluster.pools[0].model=minimax-m2", "engine.kvBlocks=100").assumptions())
        .anyMatch(text -> text.contains("does not even hold the weights"));
  }

  /** 40 layers of 4,255,744 B at 1,024 B a token: pages of 4,608 tokens in blocks of 512. */
  @Test
  void hybridModelsResumeAtPagesAndHoldAState() {
    Experiment hybrid =
        clock(
            "cluster.pools[0].model=nemotron-3-super",
            "cluster.pools[0].precision.weights=nvfp4",
            "stepTime.model=polynomial");
    SchedulerSettings settings = scheduler(hybrid);
    // a block of 512 tokens in 48 layers, the state a page of 4,608 in 40
    assertThat(settings.state()).isEqualTo(new RecurrentState(4608, 8)); // 40 · 9 / 48, rounded up
    assertThat(settings.maxModelLength()).isLessThanOrEqualTo((settings.blocks() - 9) * 512);
    assertThat(hybrid.assumptions())
        .anyMatch(text -> text.contains("only after whole pages of 4,608 tokens"));
    // without prefix caching a block is a page in 8 layers only
    assertThat(
            scheduler(
                    clock(
                        "cluster.pools[0].model=nemotron-3-super",
                        "cluster.pools[0].precision.weights=nvfp4",
                        "engine.prefixCaching=false",
                        "stepTime.model=polynomial"))
                .state()
                .blocksPerSequence())
        .isEqualTo(45);
    assertThatThrownBy(
            () ->
                clock(
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
        prepare("trace: {files: clock.jsonl}\ncluster: {pools: [{model: ./models/tiny.json}]}\n");
    assertThat(scheduler(experiment).maxModelLength()).isEqualTo(4096);
    assertThat(experiment.assumptions())
        .anyMatch(text -> text.startsWith("Model tiny is what ./models/tiny.json describes"));

    assertThatThrownBy(
            () ->
                prepare(
                    "trace: {files: clock.jsonl}\n"
                        + "cluster: {pools: [{model: ./models/none.json}]}\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContainingAll("cluster.pools[0].model", "none.json: no such file");
    assertThatThrownBy(() -> clock("cluster.pools[0].model=minimax-m1"))
        .hasMessageContaining("(did you mean minimax-m2?)");
    assertThat(scheduler(clock("cluster.pools[0].model=llama-3.1-8b-instruct")).maxModelLength())
        .isEqualTo(131_072);
  }

  @Test
  void poolsMayDifferInSizeAndServeAnotherModelIfARuleLeadsThere() {
    String pools =
        "cluster.pools=[{name: a, gpu: b200, workers: 2}, {name: b, gpu: h100, workers: 1, %s}]";
    List<PoolSettings> settings =
        clock(pools.formatted("tensorParallel: 2")).runs().get(0).settings().pools();
    assertThat(settings).extracting(PoolSettings::name).containsExactly("a", "b");
    assertThat(settings.get(1).gpusPerWorker()).isEqualTo(2);
    assertThat(settings.get(0).scheduler().blocks())
        .isNotEqualTo(settings.get(1).scheduler().blocks());

    assertThatThrownBy(() -> clock(pools.formatted("model: qwen3-32b, tensorParallel: 2")))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("cluster.pools[1].model")
        .hasMessageContaining("a rule of routing.placement that sends requests here");
    List<PoolSettings> two =
        clock(
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

  @Test
  void placementRulesMustBeRulesThatSomeWorkerMeets() {
    refusedPlacement("session a* to pool main", "expected a rule such as");
    refusedPlacement("always -> pool nowhere", "a pool, label or worker that there is");
    refusedPlacement("always -> worker 99", "a pool, label or worker that there is");
    refusedPlacement("input > 5 -> pool main", "expected a rule such as");
  }

  private void refusedPlacement(String rule, String expected) {
    assertThatThrownBy(() -> clock("routing.placement=" + rule))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("routing.placement: found \"" + rule + "\"")
        .hasMessageContaining(expected);
  }

  @Test
  void tracesThatCannotBeReadAreNotTheScenariosFault() {
    assertThatThrownBy(() -> prepare("trace: {files: nowhere.jsonl}"))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("nowhere.jsonl");
  }

  /** A scenario that is wrong says so before a trace is read. */
  @Test
  void clustersComeFirst() {
    assertThatThrownBy(
            () -> prepare("trace: {files: nowhere.jsonl}\ncluster: {pools: [{gpu: b20}]}\n"))
        .isInstanceOf(ScenarioException.class);
  }

  private static final String VARIANTS =
      """
      trace: {files: clock.jsonl}
      engine: {blockSize: 512}
      cluster: {pools: [{workers: 2}]}
      variants:
        - {name: a, set: {routing.policy: random}}
        - {name: b, set: {engine.blockSize: 256}}
        - {name: c, set: {trace.files: own.jsonl, engine.blockSize: 64}}
      """;

  @Test
  void variantsShareWhatTheyCan() {
    List<ScenarioRun> runs = prepare(VARIANTS).runs();

    assertThat(runs.get(1).trace()).isSameAs(runs.get(0).trace());
    assertThat(runs.get(2).trace()).isNotSameAs(runs.get(0).trace());
    assertThat(runs.get(1).view()).isNotSameAs(runs.get(0).view());
    assertThat(runs.get(1).settings().pools().get(0).stepTime())
        .isSameAs(runs.get(0).settings().pools().get(0).stepTime());
  }

  @Test
  void whatHoldsForSomeVariantsNamesThem() {
    List<String> assumptions = prepare(VARIANTS).assumptions();

    assertThat(assumptions)
        .anyMatch(text -> text.startsWith("a, b: Dispatch is closed-loop"))
        .anyMatch(text -> text.startsWith("c: Dispatch is by lanes"))
        .anyMatch(text -> text.startsWith("Outputs come back unchanged"));
  }

  @Test
  void resultsComeInOrderWhateverTheNumberOfThreads() {
    Experiment experiment = prepare(VARIANTS);
    List<String> one = experiment.forEachRun(1, ExperimentTest::fingerprint);

    assertThat(experiment.forEachRun(2, ExperimentTest::fingerprint)).isEqualTo(one);
    assertThat(experiment.forEachRun(16, ExperimentTest::fingerprint)).isEqualTo(one);
    assertThat(one).allMatch(text -> text.contains("FINISHED"));
  }

  private static String fingerprint(ScenarioRun run) {
    RunResult result = run.simulate(ended -> {});
    StringBuilder text = new StringBuilder(run.variant().name()).append(result.endNanos());
    for (int row = 0; row < result.columns().rows(); row++) {
      text.append(' ').append(result.columns().state(row)).append(result.columns().endNanos(row));
    }
    return text.toString();
  }

  @Test
  void aFailureInOneRunIsTheExperiments() {
    Experiment experiment = prepare(VARIANTS);
    for (int threads : new int[] {1, 3}) {
      assertThatThrownBy(
              () ->
                  experiment.forEachRun(
                      threads,
                      run -> {
                        throw new IllegalStateException("in run " + run.variant().name());
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("in run a");
    }
  }
}
