package io.orrery.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.scenarios.spec.ArrivalsSpec;
import io.orrery.scenarios.spec.DispatchMode;
import io.orrery.scenarios.spec.EngineSpec;
import io.orrery.scenarios.spec.ScenarioSpec;
import io.orrery.scenarios.spec.SpeculationSpec;
import io.orrery.scenarios.text.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioLoaderTest {
  private static final String TRACE = "trace: {files: t.jsonl}\n";

  @Test
  void everyLayerStandsAboveTheOneBefore() {
    String yaml =
        """
        trace: {files: t.jsonl}
        engine: {preset: vllm-2026-05, maxSequences: 100}
        variants:
          - name: small
            set: {engine.maxSequences: 10, engine.blockSize: 32}
        """;
    EffectiveConfig config =
        only(load(yaml, CommandLineSettings.none().with("engine.blockSize=64"))).config();
    assertThat(line(config, "seed")).isEqualTo("1 (default)");
    assertThat(line(config, "engine.maxBatchedTokens")).isEqualTo("8192 (preset vllm-2026-05)");
    assertThat(line(config, "engine.preset")).isEqualTo("vllm-2026-05 (x.yaml:2)");
    assertThat(line(config, "engine.maxSequences")).isEqualTo("10 (variant small (x.yaml:5))");
    assertThat(line(config, "engine.blockSize")).isEqualTo("64 (--set)");
    assertThat(line(config, "trace.files")).isEqualTo("[t.jsonl] (x.yaml:1)");
  }

  @Test
  void aVariantOrTheCommandLineMayChooseThePreset() {
    String yaml = TRACE + "variants: [{name: a, set: {engine.preset: vllm-2026-05}}]";
    assertThat(line(only(load(yaml)).config(), "engine.maxSequences"))
        .isEqualTo("1024 (preset vllm-2026-05)");
  }

  @Test
  void withoutAFileEverythingIsDefault() {
    Scenario scenario =
        ScenarioLoader.withoutFile(
            CommandLineSettings.none().withTraces(List.of("a.jsonl", "b.jsonl")));
    assertThat(scenario.name()).isEqualTo("run");
    Variant run = only(scenario);
    assertThat(run.name()).isEqualTo("run");
    assertThat(line(run.config(), "trace.files")).isEqualTo("[a.jsonl, b.jsonl] (--trace)");
    assertThat(run.spec().pools())
        .singleElement()
        .satisfies(pool -> assertThat(pool.name()).isEqualTo("main"));
  }

  @Test
  void withoutVariantsTheScenarioIsOneRunOfItsName() {
    Scenario scenario =
        ScenarioLoader.parse(
            TRACE, "some/where/my.case.yaml", Path.of(""), CommandLineSettings.none());
    assertThat(scenario.name()).isEqualTo("my.case");
    assertThat(only(scenario).name()).isEqualTo("my.case");
  }

  @Test
  void variantsKeepTheirOrder() {
    Scenario scenario = load(TRACE + "variants: [{name: z}, {name: a, set: }, {name: 8 workers}]");
    assertThat(scenario.variants())
        .extracting(Variant::name)
        .containsExactly("z", "a", "8 workers");
  }

  @Test
  void optionsOfTheirOwnBeatSet() {
    CommandLineSettings options =
        CommandLineSettings.none()
            .with("seed=2")
            .with("trace.files=[c]")
            .withSeed(7)
            .withTraces(List.of("d"));
    EffectiveConfig config = only(ScenarioLoader.withoutFile(options)).config();
    assertThat(line(config, "seed")).isEqualTo("7 (--seed)");
    assertThat(line(config, "trace.files")).isEqualTo("[d] (--trace)");
  }

  @Test
  void aLaterSetBeatsAnEarlierOne() {
    CommandLineSettings options =
        CommandLineSettings.none().with("trace.files=t").with("seed=2").with("seed = 3");
    assertThat(only(ScenarioLoader.withoutFile(options)).spec().seed()).isEqualTo(3);
  }

  @Test
  void theCommandLineBeatsVariantsAndSaysSo() {
    String yaml =
        TRACE
            + "variants: [{name: a, set: {routing.policy: random}}, {name: b, set: {routing.policy: x}}, {name: c}]";
    Scenario scenario = load(yaml, CommandLineSettings.none().with("routing.policy=kv-aware"));
    assertThat(scenario.variants())
        .allSatisfy(v -> assertThat(v.spec().routing().policy()).isEqualTo("kv-aware"));
    assertThat(scenario.notes())
        .containsExactly("--set routing.policy overrides what the variants set: a, b.");
    String named = TRACE + "variants: [{name: a, set: {cluster.pools.main.workers: 2}}, {name: b}]";
    assertThat(load(named, CommandLineSettings.none().with("cluster.pools[0].workers=3")).notes())
        .containsExactly("--set cluster.pools[0].workers overrides what the variants set: a.");
  }

  @Test
  void poolsAreAddressedByIndexOrName() {
    String yaml = TRACE + "cluster: {pools: [{name: big, workers: 2}, {name: small, gpu: h20}]}\n";
    CommandLineSettings options =
        CommandLineSettings.none()
            .with("cluster.pools[0].workers=3")
            .with("cluster.pools.small.workers=4")
            .with("cluster.pools.small.precision={kv: fp8}");
    ScenarioSpec spec = only(load(yaml, options)).spec();
    assertThat(spec.pools())
        .extracting(p -> p.name() + " " + p.workers() + " " + p.gpu() + " " + p.kvPrecision())
        .containsExactly("big 3 b200 bf16", "small 4 h20 fp8");
    assertThat(spec.workers()).isEqualTo(7);
  }

  @Test
  void theDefaultPoolIsCalledMain() {
    CommandLineSettings options =
        CommandLineSettings.none().with("trace.files=t").with("cluster.pools.main.workers=4");
    assertThat(only(ScenarioLoader.withoutFile(options)).spec().workers()).isEqualTo(4);
  }

  @Test
  void aListReplacesTheListBelow() {
    String yaml =
        TRACE
            + "cluster: {pools: [{name: a, workers: 9}, {name: b}]}\n"
            + "variants: [{name: one, set: {cluster: {pools: [{name: c}]}}}, {name: both}]";
    Scenario scenario = load(yaml);
    assertThat(scenario.variants().get(0).spec().pools())
        .extracting(p -> p.name() + " " + p.workers())
        .containsExactly("c 1");
    assertThat(scenario.variants().get(1).spec().workers()).isEqualTo(10);
  }

  @Test
  void relativePathsAreRelativeToWhoeverWroteThem(@TempDir Path folder) throws IOException {
    Path file = Files.createDirectories(folder.resolve("scenarios")).resolve("s.yaml");
    Files.writeString(
        file,
        """
        trace: {files: [../traces/a.jsonl, /abs/b.jsonl]}
        variants:
          - {name: own}
          - {name: other, set: {trace.files: c.jsonl}}
        """);
    Path working = folder.resolve("elsewhere");
    CommandLineSettings none =
        new CommandLineSettings(List.of(), OptionalLong.empty(), List.of(), working);
    Scenario scenario = ScenarioLoader.load(file, none);
    assertThat(files(scenario.variants().get(0)))
        .containsExactly(folder.resolve("traces/a.jsonl"), Path.of("/abs/b.jsonl"));
    assertThat(files(scenario.variants().get(1)))
        .containsExactly(folder.resolve("scenarios/c.jsonl"));
    assertThat(
            files(ScenarioLoader.load(file, none.withTraces(List.of("d.jsonl"))).variants().get(0)))
        .containsExactly(working.resolve("d.jsonl"));
    assertThat(files(ScenarioLoader.load(file, none.with("trace.files=e.jsonl")).variants().get(0)))
        .containsExactly(working.resolve("e.jsonl"));
  }

  @Test
  void parametersGoWithTheirPolicy() {
    String yaml =
        TRACE
            + """
            routing: {temperature: 0.5, policy: kv-aware, ttl: 5 min, tiers: [1, 2.0, x], credit: "1", on: true}
            variants:
              - {name: same, set: {routing.policy: kv-aware, routing.temperature: 1}}
              - {name: other, set: {routing.policy: random}}
              - {name: own, set: {routing: {weight: 3, policy: random}}}
            """;
    List<Variant> variants = load(yaml).variants();
    assertThat(variants.get(0).spec().routing().parameters())
        .containsEntry("temperature", new Value.Whole(1))
        .containsEntry("ttl", new Value.Text("5 min"))
        .containsEntry(
            "tiers",
            new Value.Items(List.of(new Value.Whole(1), new Value.Whole(2), new Value.Text("x"))))
        .containsEntry("credit", new Value.Text("1"))
        .containsEntry("on", new Value.Flag(true))
        .hasSize(5);
    assertThat(variants.get(1).spec().routing().parameters()).isEmpty();
    assertThat(variants.get(2).spec().routing().parameters()).containsOnlyKeys("weight");
  }

  @Test
  void everyKeyReachesItsTypedValue() {
    String yaml =
        """
        trace:
          files: [a.jsonl]
          format: mooncake
          blockSize: 512
          sharedSystemPrefix: false
          dispatch: closed-loop
          timestamps: {speedup: 2.5}
          closedLoop: {arrivals: {process: gamma, rate: 0.5 sessions/s, cv: 3}}
          lanes: {count: 12, recycle: true, randomStart: true, limit: 1000}
        cluster:
          pools:
            - {name: p, role: aggregated, workers: 3, gpu: h200, model: qwen3-32b, tensorParallel: 2, pipelineParallel: 2,
               precision: {weights: fp8, kv: nvfp4}, gpuMemoryUtilization: 0.8, weight: 2.5, labels: [big, near]}
        engine: {preset: vllm-2026-07, blockSize: 32, kvBlocks: 5000, maxBatchedTokens: 4096, maxSequences: 64,
                 chunkedPrefill: false, prefixCaching: false, asyncScheduling: false, maxModelLength: 32768,
                 schedulingPolicy: priority, longPrefillTokenThreshold: 2048, reserveFullPrompt: false, watermark: 0.01}
        cache: {completionReuse: 0.25}
        stepTime: {model: polynomial, kernels: trtllm, experts: even, perfData: ../tables,
                   profile: own.yaml, speedup: 2, decodeSpeedup: 3, stepOverhead: 150 us}
        routing:
          policy: kv-aware
          indexDelay: 5 ms
          indexLoss: 0.25
          metricsInterval: 50 ms
          replicas: 3
          replicaDelay: 20 ms
          activeRequestExpiry: 300 s
          lookUpTime: 10 us
          updateTime: 100 ns
          busyBlocks: 0.9
          busyPrefillTokens: 100000
          busyPrefillSteps: 4
          queue: {threshold: 16, order: wspt, priorities: strict}
          placement: [session a* -> label big, always -> pool p]
          temperature: 0.5
        slo: {ttft: 1500 ms, tokensPerSecondPerUser: 20 tokens/s}
        seed: 99
        limits: {simulatedTime: 2 h}
        """;
    ScenarioSpec spec = only(load(yaml)).spec();
    assertThat(spec.trace().source().format()).isEqualTo("mooncake");
    assertThat(spec.trace().source().blockSize()).isEqualTo(OptionalInt.of(512));
    assertThat(spec.trace().source().sharedSystemPrefix()).isFalse();
    assertThat(spec.trace().dispatch()).isEqualTo(DispatchMode.CLOSED_LOOP);
    assertThat(spec.trace().timestampsSpeedup()).isEqualTo(2.5);
    assertThat(spec.trace().arrivals())
        .isEqualTo(new ArrivalsSpec(ArrivalsSpec.Process.GAMMA, 0.5, 3, 0));
    assertThat(spec.trace().lanes().toString())
        .isEqualTo(
            "LanesSpec[count=OptionalInt[12], recycle=true, randomStart=true, limit=OptionalLong[1000]]");
    assertThat(spec.pools().get(0).toString())
        .isEqualTo(
            "PoolSpec[name=p, role=AGGREGATED, workers=3, gpu=h200, model=qwen3-32b, tensorParallel=2, pipelineParallel=2, expertParallel=1, attentionDataParallel=1,"
                + " weightPrecision=fp8, kvPrecision=nvfp4, gpuMemoryUtilization=OptionalDouble[0.8], weight=2.5,"
                + " labels=[big, near]]");
    assertThat(spec.gpus()).isEqualTo(12);
    assertThat(spec.engine().toString())
        .isEqualTo(
            "EngineSpec[preset=vllm-2026-07, blockSize=32, kvBlocks=OptionalInt[5000], maxBatchedTokens=4096, maxSequences=64,"
                + " chunkedPrefill=false, prefixCaching=false, asyncScheduling=false, maxModelLength=OptionalInt[32768],"
                + " priorityScheduling=true, longPrefillTokenThreshold=2048, reserveFullPrompt=false, watermark=0.01,"
                + " capacityPolicy=Optional.empty, sglang=Optional.empty,"
                + " speculation=SpeculationSpec[method=none, acceptance=[], sampled=false, draftLayers=OptionalInt.empty, draftNanos=OptionalLong.empty]]");
    assertThat(spec.completionReuse()).isEqualTo(0.25);
    assertThat(spec.stepTime().toString())
        .isEqualTo(
            "StepTimeSpec[model=polynomial, kernels=trtllm, experts=even, perfData=Optional[../tables],"
                + " profile=Optional[own.yaml], speedup=2.0, decodeSpeedup=3.0, stepOverheadNanos=150000]");
    assertThat(spec.routing().router().toString())
        .isEqualTo(
            "RouterSettings[indexDelayNanos=5000000, indexLoss=0.25, metricsIntervalNanos=50000000, replicas=3,"
                + " replicaDelayNanos=20000000, expiryNanos=300000000000, lookUpNanos=10000, updateNanos=100, busyBlocks=0.9,"
                + " busyPrefillTokens=100000.0, busyPrefillShare=4.0, queue=Queue[threshold=16.0, order=WSPT, strict=true],"
                + " placement=[]]");
    assertThat(spec.routing().placement())
        .containsExactly("session a* -> label big", "always -> pool p");
    assertThat(spec.routing().parameters()).containsOnlyKeys("temperature");
    assertThat(spec.slo().toString())
        .isEqualTo("SloSpec[ttftNanos=1500000000, tokensPerSecondPerUser=20.0]");
    assertThat(spec.seed()).isEqualTo(99);
    assertThat(spec.simulatedTimeNanos()).hasValue(7_200_000_000_000L);
  }

  @Test
  void anotherPolicyKeepsHowTheRouterWorksAndDropsParametersAlone() {
    List<Variant> variants =
        load(TRACE
                + """
                    routing: {policy: kv-aware, temperature: 0.5, indexDelay: 5 ms, queue: {threshold: 2}}
                    variants:
                      - {name: other, set: {routing.policy: random}}
                    """)
            .variants();
    assertThat(variants.get(0).spec().routing().parameters()).isEmpty();
    assertThat(variants.get(0).spec().routing().router().indexDelayNanos()).isEqualTo(5_000_000);
    assertThat(variants.get(0).spec().routing().router().queue().threshold()).isEqualTo(2);
  }

  @Test
  void oneAcceptanceHoldsForEveryDraftedToken() {
    String yaml =
        TRACE
            + "engine: {speculation: {method: mtp, draftTokens: 3, acceptance: 0.5, mode: sampled, draftTime: 80 us}}";
    assertThat(only(load(yaml)).spec().engine().speculation())
        .isEqualTo(
            new SpeculationSpec(
                "mtp", List.of(0.5, 0.5, 0.5), true, OptionalInt.empty(), OptionalLong.of(80_000)));
  }

  @Test
  void otherEnginesHaveKeysOfTheirOwn() {
    ScenarioSpec sglang =
        only(load(TRACE + "engine: {preset: sglang-2026-07, schedulePolicy: lpm}\n")).spec();
    assertThat(sglang.engine().sglang()).contains(new EngineSpec.Sglang("lpm", 1, 8192, 16_384));
    assertThat(sglang.engine().blockSize()).isEqualTo(1);
    assertThat(sglang.engine().maxBatchedTokens()).isEqualTo(8192);
    assertThat(sglang.engine().chunkedPrefill()).isTrue();

    ScenarioSpec trtllm =
        only(load(TRACE + "engine: {preset: trtllm-2026-07, capacityPolicy: max-utilization}\n"))
            .spec();
    assertThat(trtllm.engine().capacityPolicy()).contains("max-utilization");
    assertThat(trtllm.engine().blockSize()).isEqualTo(32);
  }

  @Test
  void autoAndNoneAreEmpty() {
    ScenarioSpec spec = only(load(TRACE)).spec();
    assertThat(spec.trace().source().blockSize()).isEmpty();
    assertThat(spec.trace().lanes().count()).isEmpty();
    assertThat(spec.trace().lanes().limit()).isEmpty();
    assertThat(spec.engine().kvBlocks()).isEmpty();
    assertThat(spec.engine().maxModelLength()).isEmpty();
    assertThat(spec.simulatedTimeNanos()).isEmpty();
    assertThat(spec.completionReuse()).isEqualTo(1);
  }

  @Test
  void aSectionWhoseKeysAreAllCommentedOutIsEmpty() {
    assertThat(only(load(TRACE + "engine:\n  # blockSize: 8\n")).spec().engine().blockSize())
        .isEqualTo(16);
  }

  @Test
  void othersMayRefuseASettingInTheSameWords() {
    EffectiveConfig config = only(load(TRACE + "cluster: {pools: [{gpu: b20}]}")).config();
    assertThat(config.refusal("cluster.pools[0].gpu", "one of b200, h100"))
        .hasMessage("x.yaml:2: cluster.pools[0].gpu: found b20, expected one of b200, h100");
    assertThatThrownBy(
            () -> {
              throw config.refusal("routing.ttl", "a duration");
            })
        .hasMessage("scenario: routing.ttl: found nothing, expected a duration");
  }

  private static List<Path> files(Variant variant) {
    return variant.spec().trace().source().files();
  }

  private static String line(EffectiveConfig config, String path) {
    Setting setting = config.get(path).orElseThrow();
    return setting.value().text() + " (" + setting.origin().text() + ")";
  }

  private static Variant only(Scenario scenario) {
    assertThat(scenario.variants()).hasSize(1);
    return scenario.variants().get(0);
  }

  private static Scenario load(String yaml) {
    return load(yaml, CommandLineSettings.none());
  }

  private static Scenario load(String yaml, CommandLineSettings options) {
    return ScenarioLoader.parse(yaml, "x.yaml", Path.of(""), options);
  }
}
