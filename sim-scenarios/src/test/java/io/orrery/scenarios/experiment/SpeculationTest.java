package io.orrery.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.engine.PoolSettings;
import io.orrery.engine.scheduler.SchedulerSettings;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.MemoryFootprint;
import io.orrery.models.Precision;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What drafts, what it takes of the memory, and how long it takes. */
class SpeculationTest {
  private static final String METHOD = "engine.speculation.method=";
  private static final String ACCEPTANCE = "engine.speculation.acceptance=0.8";
  private static final String DRAFT_TIME = "engine.speculation.draftTime=80 us";

  private final Catalog catalog = Catalog.bundled();

  @TempDir Path folder;

  @BeforeEach
  void writeTrace() throws IOException {
    Files.writeString(
        folder.resolve("trace.jsonl"),
        """
        {"timestamp": 0, "input_length": 1100, "output_length": 3, "hash_ids": [0, 1, 2]}
        """);
  }

  private Experiment prepare(String model, String... more) {
    List<String> assignments =
        new ArrayList<>(
            List.of(
                "cluster.pools[0].model=" + model,
                "cluster.pools[0].gpu=b200",
                "cluster.pools[0].tensorParallel=2",
                "cluster.pools[0].precision.weights=nvfp4",
                "cluster.pools[0].precision.kv=fp8"));
    assignments.addAll(List.of(more));
    CommandLineSettings settings =
        new CommandLineSettings(assignments, OptionalLong.empty(), List.of(), folder);
    String yaml = "trace: {files: trace.jsonl}\nengine: {blockSize: 512}\n";
    return Experiment.prepare(ScenarioLoader.parse(yaml, "s.yaml", folder, settings));
  }

  private static PoolSettings pool(Experiment experiment) {
    return experiment.runs().get(0).settings().pools().get(0);
  }

  private int blocks(String model, int draftLayers) {
    Deployment worker =
        new Deployment(
            catalog.model(model),
            catalog.gpu("b200"),
            2,
            1,
            1,
            1,
            draftLayers,
            Precision.NVFP4,
            Precision.FP8);
    return (int)
        MemoryFootprint.of(
                worker,
                catalog.memoryRules().engine("vllm-2026-07"),
                OptionalDouble.empty(),
                8192,
                1024)
            .kvBlocks(512);
  }

  /** MiniMax-M2 was published with three layers, of which one may be held. */
  @Test
  void draftLayersAreHeldBesideTheModel() {
    Experiment all = prepare("minimax-m2", METHOD + "mtp", ACCEPTANCE);
    assertThat(pool(all).scheduler().blocks())
        .isEqualTo(blocks("minimax-m2", 3))
        .isLessThan(blocks("minimax-m2", 0));
    // 256 experts of 3 · 3072 · 1536 in 4.5 bits on two GPUs are 0.95 GiB a layer, attention and
    // the product that joins it the rest; 4 KV heads of 128, keys and values, in 8 bits
    assertThat(all.assumptions())
        .anyMatch(
            text ->
                text.startsWith("Pool main holds 3 draft layers besides minimax-m2: 2.99 GiB")
                    && text.endsWith("3,072 bytes of KV a token."));
    Experiment one =
        prepare("minimax-m2", METHOD + "mtp", ACCEPTANCE, "engine.speculation.draftLayers=1");
    assertThat(pool(one).scheduler().blocks()).isEqualTo(blocks("minimax-m2", 1));
    Experiment lookUps = prepare("minimax-m2", METHOD + "ngram", ACCEPTANCE);
    assertThat(pool(lookUps).scheduler().blocks()).isEqualTo(blocks("minimax-m2", 0));
    assertThat(lookUps.assumptions()).anyMatch(text -> text.startsWith("Look-ups in the prompt"));
  }

  @Test
  void draftingTakesWhatTheStepTimeModelSaysOrWhatIsWritten() {
    Experiment derived = prepare("minimax-m2", METHOD + "mtp", ACCEPTANCE);
    assertThat(pool(derived).scheduler().speculation().draftNanos()).isEmpty();
    assertThat(pool(derived).stepTime().draftHead()).isPresent();
    assertThat(derived.assumptions()).anyMatch(text -> text.startsWith("Drafting a token in pool"));
    Experiment written = prepare("minimax-m2", METHOD + "mtp", ACCEPTANCE, DRAFT_TIME);
    assertThat(pool(written).scheduler().speculation().draftNanos()).hasValue(80_000);
    assertThat(written.assumptions()).noneMatch(text -> text.startsWith("Drafting a token"));
    Experiment lookUps = prepare("minimax-m2", METHOD + "ngram", ACCEPTANCE);
    assertThat(pool(lookUps).scheduler().speculation().draftNanos()).hasValue(0);
  }

  @Test
  void modelsWithoutSuchLayersNeedThemGiven() {
    assertThatThrownBy(() -> prepare("qwen3-32b", METHOD + "mtp", ACCEPTANCE))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(
            "--set: engine.speculation.method: found mtp, expected a model with layers for multi-token"
                + " prediction, but qwen3-32b was published with none; engine.speculation.draftLayers"
                + " says how many it is to have all the same");
    Experiment given =
        prepare("qwen3-32b", METHOD + "mtp", ACCEPTANCE, "engine.speculation.draftLayers=2");
    assertThat(pool(given).scheduler().blocks()).isEqualTo(blocks("qwen3-32b", 2));
    assertThat(given.assumptions())
        .anyMatch(text -> text.endsWith("shape of the model's own is assumed."));
    Experiment eagle = prepare("qwen3-32b", METHOD + "eagle", ACCEPTANCE);
    assertThat(pool(eagle).scheduler().blocks()).isEqualTo(blocks("qwen3-32b", 1));
  }

  @Test
  void stepTimesWithoutLayersNeedTheTimeGiven() {
    String polynomial = "stepTime.model=polynomial";
    assertThatThrownBy(() -> prepare("minimax-m2", METHOD + "mtp", ACCEPTANCE, polynomial))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("engine.speculation.draftTime: found auto, expected a duration");
    Experiment written = prepare("minimax-m2", METHOD + "mtp", ACCEPTANCE, polynomial, DRAFT_TIME);
    assertThat(pool(written).scheduler().speculation().draftNanos()).hasValue(80_000);
  }

  /** A state for each of four tokens that a decode computes, since any may be the last accepted. */
  @Test
  void everyDraftedTokenOfAHybridHoldsAState() {
    String model = "nemotron-3-super-120b-a12b";
    SchedulerSettings plain = pool(prepare(model)).scheduler();
    SchedulerSettings drafting =
        pool(prepare(model, METHOD + "mtp", ACCEPTANCE, "engine.speculation.draftTokens=3"))
            .scheduler();
    assertThat(plain.state().blocksPerSequence()).isPositive();
    assertThat(drafting.state().blocksPerSequence())
        .isBetween(3 * plain.state().blocksPerSequence(), 4 * plain.state().blocksPerSequence());
  }
}
