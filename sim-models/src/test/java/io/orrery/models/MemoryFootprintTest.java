package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryFootprintTest {
  private final Catalog catalog = Catalog.bundled();
  private final EngineMemory vllm = catalog.memoryRules().engine("vllm-2026-07");

  private Deployment worker(
      String model, String gpu, int tp, int pp, Precision weights, Precision kv) {
    return new Deployment(catalog.model(model), catalog.gpu(gpu), tp, pp, weights, kv);
  }

  private MemoryFootprint footprint(Deployment worker) {
    return MemoryFootprint.of(worker, vllm, OptionalDouble.empty(), 8192, 1024);
  }

  @Test
  void handWorkedMiniMaxOnTwoB200() {
    MemoryFootprint memory =
        footprint(worker("minimax-m2", "b200", 2, 1, Precision.NVFP4, Precision.FP8));
    MemoryFootprint.Stage stage = memory.tightestStage();

    // per layer 22,020,096 attention and 256 · 7,077,888 expert parameters at 9/16 B, and
    // 786,432 + 6,144 router and norm parameters at 2 B; · 62 layers; then the halves of embedding
    // and output projection, 2 · 307,298,304, and the last norm, 3,072, at 2 B
    long layer = (22_020_096L + 256 * 7_077_888L) * 9 / 16 + 2 * 792_576;
    long weights = 62 * layer + 2 * (2 * 307_298_304L + 3_072);
    assertThat(weights).isEqualTo(65_286_813_696L);
    assertThat(stage.weightBytes()).isEqualTo(weights);
    // choosing tokens takes more than the pass: 40 · 1024 · 200,064 against
    // 2 · 8192 · 48 · 128 · 13  +  4 · 8192 · 3072 · 256 · 8 / 128 = 2,919,235,584
    assertThat(memory.activationBytes()).isEqualTo(8_194_621_440L);
    // 342 MiB + 0.1 GiB + 1 GiB
    assertThat(memory.reserveBytes()).isEqualTo((342L << 20) + 107_374_182 + (1024L << 20));
    // floor(0.92 · 191.5e9) − the above
    assertThat(stage.kvBytes()).isEqualTo(101_158_835_866L);
    assertThat(memory.unusedBytes(stage)).isEqualTo(15_320_000_000L);
    // 62 · 2 · 4 · 128 B a token
    assertThat(stage.kvBytesPerToken()).isEqualTo(63_488);
    assertThat(memory.kvTokens()).isEqualTo(1_593_353);
    assertThat(memory.kvBlocks(64)).isEqualTo(24_896);
    assertThat(memory.kvBlocks(16)).isEqualTo(99_584);
    // 101,158,835,866 / (63,488 · 100,000)
    assertThat(memory.sequences(100_000, true)).isEqualTo(15);
    assertThat(memory.workerWeightBytes()).isEqualTo(2 * weights);
  }

  /** Weights of the whole model, computed from its configuration elsewhere, copied by hand. */
  @ParameterizedTest
  @CsvSource({
    "llama-3.1-8b,        16060522496,   9081200640,   6027747328",
    "llama-3.1-70b,      141107412992,  72656371712,  42709041152",
    "qwen3-32b,           65524213760,  34318592000,  20666132480",
    "qwen3-coder-30b-a3b, 61064220672,  31167221760,  18087284736",
    "minimax-m2,         457378609152, 229967640576, 130475341824",
    "gpt-oss-120b,       233578097280, 117960796800,  67378227840",
    "nemotron-3-super-120b-a12b, 241337374720, 121829070848, 69544187904",
    "deepseek-v3,       1342052558848, 672986949632, 380270745600",
    "granite-4.1-8b,      16761102336,   8791924736,   5305409536",
    "granite-4.1-30b,     57731457024,  29277298688,  16828604416",
  })
  void weightsKeepEmbeddingRouterAndNormsInSixteenBits(
      String model, long bf16, long fp8, long nvfp4) {
    assertThat(weightBytes(model, Precision.BF16)).isEqualTo(bf16);
    assertThat(weightBytes(model, Precision.FP8)).isEqualTo(fp8);
    assertThat(weightBytes(model, Precision.NVFP4)).isEqualTo(nvfp4);
  }

  @Test
  void mxfp4KeepsAllButTheExpertsInSixteenBits() {
    assertThat(weightBytes("gpt-oss-120b", Precision.MXFP4)).isEqualTo(65_168_599_680L);
  }

  /** Weights of one GPU, whether or not it is large enough for all of them. */
  private long weightBytes(String model, Precision weights) {
    Deployment worker = worker(model, "b200", 1, 1, weights, Precision.BF16);
    return MemoryFootprint.layOut(worker, vllm, OptionalDouble.empty(), 8192, 1024)
        .workerWeightBytes();
  }

  @ParameterizedTest
  @CsvSource({
    "qwen3-coder-30b-a3b, 98304, 49152, 27648", "qwen3-32b,    262144, 131072, 73728",
    "llama-3.1-8b,  131072, 65536, 36864", "llama-3.1-70b, 327680, 163840, 92160",
    "minimax-m2,    253952, 126976, 71424", "gpt-oss-120b,   73728, 36864, 20736",
    "nemotron-3-super-120b-a12b, 8192, 4096, 2304", "deepseek-v3, 70272, 35136, 19764",
    "granite-4.1-8b, 163840, 81920, 46080", "granite-4.1-30b, 262144, 131072, 73728",
  })
  void kvBytesPerToken(String model, double bf16, double fp8, double nvfp4) {
    assertThat(onOneGpu(model, Precision.BF16).kvBytesPerToken()).isEqualTo(bf16);
    assertThat(onOneGpu(model, Precision.FP8).kvBytesPerToken()).isEqualTo(fp8);
    assertThat(onOneGpu(model, Precision.NVFP4).kvBytesPerToken()).isEqualTo(nvfp4);
  }

  private Deployment onOneGpu(String model, Precision kv) {
    return worker(model, "b200", 1, 1, Precision.NVFP4, kv);
  }

  @Test
  void headsAreSharedOutAndCopiedOnlyWhereTheyAreScarce() {
    for (int tp : new int[] {1, 2, 4, 8}) {
      assertThat(
              worker("minimax-m2", "b200", tp, 1, Precision.FP8, Precision.FP8).kvBytesPerToken())
          .isEqualTo(126_976);
      // 2 KV heads: from TP 2 on every GPU holds one
      assertThat(
              worker("nemotron-3-super-120b-a12b", "b200", tp, 1, Precision.FP8, Precision.FP8)
                  .kvBytesPerToken())
          .isEqualTo(4096.0 * Math.max(1, tp / 2));
    }
  }

  @Test
  void latentKvIsHeldByEverySliceUnlessAttentionIsDataParallel() {
    for (int tp : new int[] {1, 2, 4, 8}) {
      Deployment worker = worker("deepseek-v3", "b200", tp, 1, Precision.NVFP4, Precision.FP8);
      assertThat(worker.kvBytesPerTokenAndLayer()).isEqualTo(576);
      assertThat(worker.kvBytesPerToken()).isEqualTo(35_136.0 * tp);
    }
    Deployment ranks =
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
    assertThat(ranks.kvBytesPerToken()).isEqualTo(35_136);
    // attention, shared expert and embedding whole on every GPU; 32 of 256 experts, whole
    assertThat(ranks.weightShare().attention()).isEqualTo(187_105_280);
    assertThat(ranks.weightShare().shared()).isEqualTo(3L * 7168 * 2048);
    assertThat(ranks.expertsPerGpu()).isEqualTo(32);
    assertThat(ranks.weightShare().expert()).isEqualTo(3L * 7168 * 2048);
    assertThat(ranks.weightShare().vocabulary()).isEqualTo(129_280L * 7168);
  }

  @Test
  void latentProjectionsDownAreHeldByEverySlice() {
    // 7168 · (1536 + 576) whole, and 16 of 128 heads of 1536 · 192 + 512 · 256 + 128 · 7168
    assertThat(
            worker("deepseek-v3", "b200", 8, 1, Precision.FP8, Precision.FP8)
                .weightShare()
                .attention())
        .isEqualTo(15_138_816 + 16 * (294_912 + 131_072 + 917_504));
  }

  @Test
  void windowsStopGrowing() {
    MemoryFootprint memory =
        footprint(worker("gpt-oss-120b", "b200", 1, 1, Precision.MXFP4, Precision.BF16));
    MemoryFootprint.Stage stage = memory.tightestStage();
    // 2 · 8 · 64 · 2 B a token and layer: 36 layers up to 128 tokens, then 18
    assertThat(memory.sequenceBytes(stage, 128, true)).isEqualTo(128 * 73_728);
    assertThat(memory.sequenceBytes(stage, 1128, true)).isEqualTo(128 * 73_728 + 1000 * 36_864);
    // what is kept for reuse counts every layer
    assertThat(memory.kvTokens()).isEqualTo(stage.kvBytes() / 73_728);
    assertThat(memory.sequences(1_000_000, true))
        .isEqualTo(stage.kvBytes() / (36_864_000_000L + 128 * 36_864));
  }

  @Test
  void statesAreConstantAndPagesAsLargeAsAState() {
    Deployment worker =
        worker("nemotron-3-super-120b-a12b", "b200", 1, 1, Precision.NVFP4, Precision.BF16);
    // 40 layers of 128 heads · 64 · 128 · 4 B, and 3 inputs of 10,240 channels at 2 B
    assertThat(worker.model().stateBytesPerSequence()).isEqualTo(167_772_160L + 2_457_600);
    // 4,255,744 B a layer at 1,024 B a token: 4,156 tokens, in multiples of 16
    assertThat(worker.stateBytesPerLayer()).isEqualTo(4_255_744);
    assertThat(worker.stateBoundaryTokens()).isEqualTo(4160);

    MemoryFootprint memory = footprint(worker);
    MemoryFootprint.Stage stage = memory.tightestStage();
    double page = 4160 * 1024;
    // 10,000 tokens: three pages in 8 layers, and in 40 layers the running state and 2 snapshots
    assertThat(memory.sequenceBytes(stage, 10_000, true)).isEqualTo((8 * 3 + 40 * 3) * page);
    assertThat(memory.sequenceBytes(stage, 10_000, false)).isEqualTo((8 * 3 + 40) * page);
    // kept for reuse, every page of tokens costs one page in each of 48 layers
    assertThat(memory.kvTokens()).isEqualTo(stage.kvBytes() / (48 * 1024));
    // a running state is 40 pages of 4,160 tokens; a block of 64 tokens is 48 or, without
    // snapshots,
    // 8 KiB · 64
    assertThat(memory.stateBlocksPerSequence(64, true)).isEqualTo(55); // 40 · 65 / 48, rounded up
    assertThat(memory.stateBlocksPerSequence(64, false)).isEqualTo(40 * 65 / 8);
    assertThat(memory.kvTokens(false)).isEqualTo(stage.kvBytes() / 8192);
    // pages of whole blocks: 5 · 1024 tokens
    assertThat(worker.stateBoundaryTokens(1024)).isEqualTo(5120);
  }

  /** Worked out in github.com/vllm-project/vllm/issues/41037, with blocks of 32. */
  @Test
  void pagesOfNemotronNanoAreThoseThatVllmMakes() {
    // Nemotron 3 Nano: 64 heads of 64, state 128, 8 groups, 2 KV heads of 128 in 8 bits
    StateSpace nano = new StateSpace(64, 64, 128, 8, 4, 4);
    assertThat(nano.stateBytes()).isEqualTo(2_134_016);
    assertThat(Math.ceil(nano.stateBytes() / 512.0)).isEqualTo(4168);
    assertThat(Math.ceil(nano.slice(4).stateBytes() / 256.0)).isEqualTo(2084);
  }

  @Test
  void draftLayersTakeWeightsAndKv() {
    ModelArchitecture model = catalog.model("deepseek-v3");
    Deployment plain = worker("deepseek-v3", "b200", 8, 1, Precision.FP8, Precision.FP8);
    Deployment drafting =
        new Deployment(model, plain.gpu(), 8, 1, 1, 1, 1, Precision.FP8, Precision.FP8);
    assertThat(drafting.kvBytesPerToken()).isEqualTo(62.0 * 576 * 8);
    // published: 11.5 billion parameters besides embedding and output projection; here 2 slices of
    // 8 hold the whole router, the projections down and the one that joins
    long attention = 15_138_816 + 16 * 1_343_488L;
    long experts = (256 + 1) * (3L * 7168 * 2048) / 8;
    long sixteen = 7168L * 256 + 2 * 7168 + 2L * 7168 * 7168 + 3 * 7168;
    assertThat(drafting.weightShare().draftLayerBytes())
        .isEqualTo(attention + experts + 2.0 * sixteen);
    assertThat(footprint(drafting).workerWeightBytes() - footprint(plain).workerWeightBytes())
        .isEqualTo(8 * (attention + experts + 2 * sixteen));
    assertThatThrownBy(
            () -> new Deployment(model, plain.gpu(), 8, 1, 1, 1, -1, Precision.FP8, Precision.FP8))
        .hasMessage("draftLayers -1: expected 0 or more");
  }

  @Test
  void partsAddUpToTheWhole() {
    int fitting = 0;
    for (String preset : catalog.memoryRules().enginePresets()) {
      EngineMemory engine = catalog.memoryRules().engine(preset);
      for (Deployment worker : Workers.all()) {
        MemoryFootprint memory =
            MemoryFootprint.layOut(worker, engine, OptionalDouble.empty(), 8192, 256);
        long layers = 0;
        for (MemoryFootprint.Stage stage : memory.stages()) {
          layers += stage.layers();
          assertThat(
                  stage.weightBytes()
                      + memory.activationBytes()
                      + memory.reserveBytes()
                      + stage.kvBytes()
                      + memory.unusedBytes(stage))
              .isEqualTo(worker.gpu().memoryBytes());
          assertThat(memory.unusedBytes(stage)).isNotNegative();
          if (memory.fits()) {
            assertThat(memory.kvTokens() * memory.cachedBytesPerToken(stage))
                .isLessThanOrEqualTo(stage.kvBytes());
          }
        }
        assertThat(layers).isEqualTo(worker.model().layers());
        fitting += memory.fits() ? 1 : 0;
      }
    }
    assertThat(fitting).isGreaterThan(1000);
  }

  @Test
  void theTightestStageDecides() {
    // 62 layers on 4 stages: 15 with the embedding, 16, 16, 15 with the output projection. Middle
    // stages hold one more layer, both of weights and of KV.
    MemoryFootprint memory =
        footprint(worker("minimax-m2", "h200", 1, 4, Precision.NVFP4, Precision.FP8));
    assertThat(memory.tightestStage()).isEqualTo(memory.stages().get(1));
    assertThat(memory.stages())
        .extracting(MemoryFootprint.Stage::layers)
        .containsExactly(15, 16, 16, 15);
  }

  @Test
  void tiedEmbeddingsAreHeldOncePerStageThatNeedsThem() {
    long one =
        footprint(worker("granite-4.1-8b", "b200", 1, 1, Precision.BF16, Precision.BF16))
            .workerWeightBytes();
    long two =
        footprint(worker("granite-4.1-8b", "b200", 1, 2, Precision.BF16, Precision.BF16))
            .workerWeightBytes();
    assertThat(two - one).isEqualTo(2 * 100_352L * 4096);
  }

  @Test
  void numbersOutOfRangeAreErrors() {
    Deployment worker = worker("llama-3.1-8b", "b200", 1, 1, Precision.BF16, Precision.BF16);
    for (double share : new double[] {0, -0.1, 1.01, Double.NaN}) {
      assertThatThrownBy(
              () -> MemoryFootprint.of(worker, vllm, OptionalDouble.of(share), 8192, 1024))
          .hasMessage("memory share: found " + share + ", expected above 0, at most 1");
    }
    assertThatThrownBy(() -> MemoryFootprint.of(worker, vllm, OptionalDouble.empty(), 0, 1))
        .hasMessage("maxBatchedTokens 0, maxSequences 1: expected at least 1");
    assertThatThrownBy(() -> footprint(worker).kvBlocks(0))
        .hasMessage("blockSize: found 0, expected at least 1");
    assertThatThrownBy(() -> footprint(worker).sequences(0, true))
        .hasMessage("context: found 0, expected at least 1");
  }
}
