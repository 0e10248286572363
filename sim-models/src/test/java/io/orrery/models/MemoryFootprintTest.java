package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryFootprintTest {
  private final Catalog catalog = Catalog.bundled();

  private Deployment worker(
      String model, String gpu, int tp, int pp, Precision weights, Precision kv) {
    return new Deployment(catalog.model(model), catalog.gpu(gpu), tp, pp, weights, kv);
  }

  private MemoryFootprint footprint(Deployment worker) {
    return MemoryFootprint.of(worker, catalog.memoryRules(), 0.92, 8192);
  }

  @Test
  void handWorkedMiniMaxOnTwoB200() {
    MemoryFootprint memory =
        footprint(worker("minimax-m2", "b200", 2, 1, Precision.NVFP4, Precision.FP8));

    // 0.92 · 191.5e9
    assertThat(memory.usableBytes()).isEqualTo(176_180_000_000L);
    // per layer 22,020,096 attention and 256 · 7,077,888 expert parameters at 9/16 B, and
    // 786,432 + 6,144 router and norm parameters at 2 B; · 62 layers; then the halves of embedding
    // and output projection, 2 · 307,298,304, and the last norm, 3,072, at 2 B
    long layer = (22_020_096L + 256 * 7_077_888L) * 9 / 16 + 2 * 792_576;
    long weights = 62 * layer + 2 * (2 * 307_298_304L + 3_072);
    assertThat(weights).isEqualTo(65_286_813_696L);
    assertThat(memory.tightestStage().weightBytes()).isEqualTo(weights);
    // 2 · 8192 · 48 · 128 · 13  +  4 · 8192 · 3072 · 256 · 8 / 128
    assertThat(memory.activationBytes()).isEqualTo(1_308_622_848L + 1_610_612_736L);
    // 342 MiB + 3.5 GiB
    assertThat(memory.reserveBytes()).isEqualTo((342L << 20) + (3_584L << 20));
    // 103,857,241,344 B left at 62 · 2 · 4 · 128 B a token
    assertThat(memory.tightestStage().kvBytesPerToken()).isEqualTo(63_488);
    assertThat(memory.kvTokens()).isEqualTo(1_635_856);
    assertThat(memory.kvBlocks(64)).isEqualTo(25_560);
    assertThat(memory.kvBlocks(16)).isEqualTo(102_241);
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

  /** Weights on one GPU that is imagined large enough for all of them. */
  private long weightBytes(String model, Precision weights) {
    Gpu b200 = catalog.gpu("b200");
    Gpu huge =
        new Gpu(
            "huge",
            "huge",
            1L << 40,
            b200.hbmBytesPerSecond(),
            1e15,
            2e15,
            4e15,
            9e11,
            8,
            64e9,
            50e9,
            b200.lowConfidenceNotes(),
            b200.sources());
    Deployment worker = new Deployment(catalog.model(model), huge, 1, 1, weights, Precision.BF16);
    return footprint(worker).workerWeightBytes();
  }

  @ParameterizedTest
  @CsvSource({
    "llama-3.1-8b,  BF16, 131072", "llama-3.1-8b,  FP8,  65536", "llama-3.1-8b,  NVFP4, 36864",
    "llama-3.1-70b, BF16, 327680", "minimax-m2,    FP8, 126976", "minimax-m2,    NVFP4, 71424",
    "gpt-oss-120b,  BF16,  73728", "qwen3-32b,     FP8, 131072", "granite-4.1-8b, BF16, 163840",
  })
  void kvBytesPerToken(String model, Precision kv, double bytes) {
    for (int tp : new int[] {1, 2, 4, 8}) {
      assertThat(worker(model, "b200", tp, 1, Precision.FP8, kv).kvBytesPerToken())
          .isEqualTo(bytes);
    }
  }

  @Test
  void partsAddUpToTheWhole() {
    int fitting = 0;
    for (Deployment worker : Workers.all()) {
      try {
        MemoryFootprint memory = footprint(worker);
        fitting++;
        assertThat(memory.usableBytes()).isLessThanOrEqualTo(worker.gpu().memoryBytes());
        long layers = 0;
        for (MemoryFootprint.Stage stage : memory.stages()) {
          layers += stage.layers();
          assertThat(
                  stage.weightBytes()
                      + memory.activationBytes()
                      + memory.reserveBytes()
                      + stage.kvBytes())
              .isEqualTo(memory.usableBytes());
          assertThat(memory.kvTokens() * stage.kvBytesPerToken())
              .isLessThanOrEqualTo(stage.kvBytes());
        }
        assertThat(layers).isEqualTo(worker.model().layers());
        assertThat(memory.kvBlocks(16) * 16).isLessThanOrEqualTo(memory.kvTokens());
      } catch (DoesNotFitException e) {
        assertThat(e.missingBytes()).isPositive();
      }
    }
    assertThat(fitting).isGreaterThan(100);
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
    assertThat(memory.kvTokens())
        .isLessThan(memory.stages().get(0).kvTokens())
        .isLessThan(memory.stages().get(3).kvTokens());
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
  void activationsHaveAFloor() {
    Deployment worker = worker("llama-3.1-8b", "b200", 1, 1, Precision.BF16, Precision.BF16);
    assertThat(catalog.memoryRules().activationBytes(worker, 1)).isEqualTo(70L << 20);
    // 2 · 8192 · 32 · 128 · 11
    assertThat(catalog.memoryRules().activationBytes(worker, 8192)).isEqualTo(738_197_504L);
  }

  @Test
  void whatDoesNotFitSaysByHowMuchAndWhatWould() {
    Deployment worker = worker("llama-3.1-70b", "h100", 1, 1, Precision.BF16, Precision.FP8);
    DoesNotFitException e =
        catchThrowableOfType(DoesNotFitException.class, () -> footprint(worker));
    assertThat(e)
        .hasMessage(
            "llama-3.1-70b (bf16, KV fp8) on h100, TP 1, PP 1 does not fit: 62.69 GiB missing per"
                + " GPU (weights 131.42 + activations 1.38 + reserve 3.50 GiB, usable 73.60 GiB);"
                + " fits with tensorParallel 2");
    // 141,107,412,992 + 1,476,395,008 + 3,758,096,384 − floor(0.92 · 85.9e9), and one token's KV
    assertThat(e.missingBytes()).isEqualTo(67_313_904_384L + 163_840);
  }

  @Test
  void whereNoTensorParallelFitsAPipelineIsSuggested() {
    Deployment worker = worker("minimax-m2", "h100", 2, 1, Precision.BF16, Precision.FP8);
    assertThatThrownBy(() -> MemoryFootprint.of(worker, catalog.memoryRules(), 0.5, 8192))
        .hasMessageEndingWith("fits with tensorParallel 8, pipelineParallel 2");
    assertThatThrownBy(() -> MemoryFootprint.of(worker, catalog.memoryRules(), 0.01, 8192))
        .hasMessageEndingWith("no tensorParallel up to 8 fits");
  }

  @Test
  void utilizationFollowsTheEnginePreset() {
    assertThat(catalog.memoryRules().gpuMemoryUtilization("vllm-2026-07")).isEqualTo(0.92);
    assertThat(catalog.memoryRules().gpuMemoryUtilization("vllm-2026-05")).isEqualTo(0.9);
    assertThatThrownBy(() -> catalog.memoryRules().gpuMemoryUtilization("vllm-2026-06"))
        .hasMessageStartingWith("unknown engine preset 'vllm-2026-06', nearest: vllm-2026-05");
  }

  @Test
  void numbersOutOfRangeAreErrors() {
    Deployment worker = worker("llama-3.1-8b", "b200", 1, 1, Precision.BF16, Precision.BF16);
    for (double utilization : new double[] {0, -0.1, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> MemoryFootprint.of(worker, catalog.memoryRules(), utilization, 1))
          .hasMessageStartingWith("gpuMemoryUtilization: found " + utilization);
    }
    assertThatThrownBy(() -> MemoryFootprint.of(worker, catalog.memoryRules(), 0.9, 0))
        .hasMessage("maxBatchedTokens: found 0, expected at least 1");
    assertThatThrownBy(() -> footprint(worker).kvBlocks(0))
        .hasMessage("blockSize: found 0, expected at least 1");
  }
}
