package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.Precision;
import io.orrery.models.StepShape;
import org.junit.jupiter.api.Test;

/** The sum of operators, worked out by hand with kernels of round numbers. */
class OperatorStepTimeTest {
  private final Catalog catalog = Catalog.bundled();
  private final KernelTimes kernels = new FlatKernels();

  private Deployment llama(int slices) {
    return new Deployment(
        catalog.model("llama-3.1-8b"),
        catalog.gpu("b200"),
        slices,
        1,
        Precision.FP8,
        Precision.FP8);
  }

  private OperatorStepTime compile(Deployment worker, HostCosts host) {
    return new OperatorStepTime(
        "by hand", worker, new PassOperators(worker, kernels, true), kernels, host, 1024);
  }

  private static double micros(OperatorStepTime model, StepShape shape) {
    return model.stepNanos(shape) / 1e3;
  }

  private static StepShape decodes(int... contexts) {
    StepShape shape = new StepShape();
    for (int context : contexts) {
      shape.addDecode(context);
    }
    return shape;
  }

  /**
   * Llama-3.1-8B, 32 layers, one sequence: 4 GEMMs and the logits of 100 us, 97 elementwise
   * operators (two norms and an activation per layer, one embedding) of 3 us and little more,
   * decode attention of 20 + 0.1 · 1000 us in each layer. 32 · 400 + 100 + 291 + 32 · 120 = 29,931
   * us.
   */
  @Test
  void aDecodeIsTheSumOfItsOperators() {
    assertThat(micros(compile(llama(1), HostCosts.NONE), decodes(1000)))
        .isCloseTo(29_931, within(2.0));
  }

  /** With TP 2, two all-reduces per layer and one of the embedding: 65 · 10 us more. */
  @Test
  void slicesAddAllReduces() {
    assertThat(micros(compile(llama(2), HostCosts.NONE), decodes(1000)))
        .isCloseTo(29_931 + 650, within(2.0));
  }

  /** gpt-oss-120b: 36 layers of 3 GEMMs and experts, no activation; half of them see 128 tokens. */
  @Test
  void expertsAndWindows() {
    Deployment worker =
        new Deployment(
            catalog.model("gpt-oss-120b"),
            catalog.gpu("b200"),
            1,
            1,
            Precision.MXFP4,
            Precision.BF16);
    double attention = 18 * (20 + 0.1 * 1000) + 18 * (20 + 0.1 * 128);
    assertThat(micros(compile(worker, HostCosts.NONE), decodes(1000)))
        .isCloseTo(36 * 1600 + 200 + 73 * 3 + attention, within(2.0));
  }

  /**
   * Two sequences of 1000 and 3000 tokens: the mean of a batch of two of either, 20 + 0.1 · 2 · K,
   * is 20 + 0.1 · 4000.
   */
  @Test
  void attentionIsTheMeanOverTheBatch() {
    OperatorStepTime model = compile(llama(1), HostCosts.NONE);
    double rest = 32 * 800 + 200 + 291;
    assertThat(micros(model, decodes(1000, 3000))).isCloseTo(rest + 32 * 420, within(3.0));
  }

  /**
   * A chunk of 64 on 64: a cold prompt of 64, and of what a prompt of 128 takes beyond its launch,
   * the time of a single token, the share of 64 · 64 of 8256 pairs.
   */
  @Test
  void aPrefixAddsItsShareOfTheWholePrompt() {
    OperatorStepTime model = compile(llama(1), HostCosts.NONE);
    StepShape cold = new StepShape();
    cold.addPrefill(128, 0);
    StepShape warm = new StepShape();
    warm.addPrefill(64, 64);
    double rest = 32 * 800 + 200 + 291;
    double whole = 0.01 * 128 * 128;
    assertThat(micros(model, cold)).isCloseTo(rest + elementwise(128) + 32 * whole, within(1.0));
    double fresh = 0.01 * 64 * 64;
    double older = (whole - 0.01) * 64 * 64 / (128 * 129 / 2.0);
    assertThat(micros(model, warm))
        .isCloseTo(rest + elementwise(64) + 32 * (fresh + older), within(1.0));
  }

  /** Two bytes per element at 80 % of 7.672 TB/s: embedding, 64 norms, 32 activations. */
  private static double elementwise(int tokens) {
    double elements = 2 * 4096 + 64 * 4 * 4096 + 32 * 3 * 14336;
    return tokens * elements * 2 / (0.8 * 7.672e6);
  }

  /** One token on a long prefix: not faster than decoding one token there, 20 + 0.1 · K. */
  @Test
  void aShortQueryOnALongPrefixIsBoundByADecode() {
    KernelTimes quickPrefill =
        new FlatKernels() {
          @Override
          public double prefillAttention(AttentionSite site, int batch, int length) {
            return 1e-9;
          }

          @Override
          public double collective(Collective collective, int gpus, long elements) {
            return 0;
          }
        };
    Deployment worker = llama(1);
    OperatorStepTime model =
        new OperatorStepTime(
            "by hand",
            worker,
            new PassOperators(worker, quickPrefill, true),
            quickPrefill,
            HostCosts.NONE,
            1024);
    StepShape shape = new StepShape();
    shape.addPrefill(1, 9_999);
    double rest = 32 * 800 + 200 + 291;
    assertThat(micros(model, shape)).isCloseTo(rest + 32 * 1020, within(3.0));
    assertThat(model.floor().report())
        .anySatisfy(line -> assertThat(line).startsWith("prefill attention: "));
  }

  /**
   * 29,931 us of kernels, halved (but for the logits, which the hardware does not allow in 100 us:
   * 128,256 · 4096 · 2 bytes take 137), and gaps of 32 · 2 + 3 us; the host needs 5 or 20 ms.
   */
  @Test
  void theHostRunsBesideTheGpuOrAfterIt() {
    StepShape shape = decodes(1000);
    double gpu = (29_931 - 200) / 2.0 + 137 + 67;
    assertThat(micros(compile(llama(1), host(0, true)), shape)).isCloseTo(gpu, within(2.0));
    assertThat(micros(compile(llama(1), host(5_000, true)), shape)).isCloseTo(gpu, within(2.0));
    assertThat(micros(compile(llama(1), host(20_000, true)), shape))
        .isCloseTo(20_007, within(0.01));
    assertThat(micros(compile(llama(1), host(5_000, false)), shape))
        .isCloseTo(gpu + 5_007, within(2.0));
  }

  private static HostCosts host(double micros, boolean asynchronous) {
    return new HostCosts(0.5, 2, 3, 0, micros, 7, asynchronous, 0, 0);
  }

  @Test
  void anEmptyPassTakesNoTime() {
    assertThat(compile(llama(1), host(5, false)).stepNanos(new StepShape())).isZero();
  }

  /**
   * DeepSeek-V3, 61 layers, one token: blocks of 500 + 0.1 · 1000 us; 3 layers with two GEMMs and
   * an activation; 58 with a router, two GEMMs and an activation of the shared expert, and experts
   * of 1000 us; logits, the embedding and 122 norms.
   */
  @Test
  void latentAttentionIsABlock() {
    Deployment worker = deepSeek(1, 1, 1);
    double least = 8 * 3.0 * 7168 * 2048 / 7.672e6;
    double experts = 58 * (200 + 1000 + 403 * least / 1000);
    double rest = 3 * 400 + 200 + (1 + 122 + 3) * 3;
    assertThat(micros(compile(worker, HostCosts.NONE), decodes(1000)))
        .isCloseTo(61 * 600 + experts + rest, within(60.0)); // logits take 242 us at least
  }

  private Deployment deepSeek(int slices, int groups, int dealt) {
    return new Deployment(
        catalog.model("deepseek-v3"),
        catalog.gpu("b200"),
        slices,
        1,
        dealt,
        groups,
        0,
        Precision.FP8,
        Precision.FP8);
  }

  /** A chunk of 64 on 64: 1000 + 0.01 · 64², and what the pairs of 64 new and 64 old ones add. */
  @Test
  void aLatentPrefixAddsItsPairsAndWritesOutItsKeys() {
    OperatorStepTime model = compile(deepSeek(1, 1, 1), HostCosts.NONE);
    StepShape cold = new StepShape();
    cold.addPrefill(64, 0);
    StepShape warm = new StepShape();
    warm.addPrefill(64, 64);
    // of the whole prompt of 128: 1000 + 0.01 · 128² less four projections of 200, less the launch
    double attention = (1000 + 0.01 * 128 * 128 - 800) - (1000 + 0.01 - 800);
    double added = attention * 64 * 64 / (128 * 129 / 2.0) + 200;
    assertThat(micros(model, warm) - micros(model, cold)).isCloseTo(61 * added, within(1.0));
  }

  /** Eight groups: each decodes 4 of 32 sequences; experts see all, between two collectives. */
  @Test
  void groupsOfAttentionShareTheExperts() {
    OperatorStepTime eight = compile(deepSeek(8, 8, 8), HostCosts.NONE);
    OperatorStepTime one = compile(deepSeek(1, 1, 1), HostCosts.NONE);
    StepShape all = new StepShape();
    StepShape share = new StepShape();
    for (int i = 0; i < 32; i++) {
      all.addDecode(1000);
      if (i < 4) {
        share.addDecode(1000);
      }
    }
    // what experts leave idle differs: 32 tokens wake an eighth of the experts of each of 8 GPUs
    double least = 3.0 * 7168 * 2048 / 7.672e6;
    double more = (awake(32) / 8 - awake(4)) * least * 403 / 1000;
    assertThat(micros(eight, all)).isCloseTo(micros(one, share) + 58 * (20 + more), within(5.0));
  }

  private static double awake(int tokens) {
    return 256 * (1 - Math.pow(31 / 32.0, tokens));
  }

  /** A chunk belongs to one group: the others wait for it. */
  @Test
  void aChunkIsOfOneGroup() {
    OperatorStepTime eight = compile(deepSeek(8, 8, 8), HostCosts.NONE);
    StepShape one = new StepShape();
    one.addPrefill(512, 0);
    StepShape two = new StepShape();
    two.addPrefill(512, 0);
    two.addPrefill(512, 0);
    assertThat(micros(eight, two)).isCloseTo(micros(eight, one), within(2.0));
  }

  /**
   * 64 new tokens on a prefix: 10 ms of launch a layer, and 1 us for every 1000 pairs. The launch
   * is paid once, by the new tokens, and what comes on top grows with the prefix.
   */
  @Test
  void aLaunchIsNoShareOfAPrefix() {
    KernelTimes launches =
        new FlatKernels() {
          @Override
          public double prefillAttention(AttentionSite site, int batch, int length) {
            return 10_000 + length * (length + 1.0) / 2 / 1000;
          }
        };
    Deployment worker = llama(1);
    OperatorStepTime model =
        new OperatorStepTime(
            "by hand",
            worker,
            new PassOperators(worker, launches, true),
            launches,
            HostCosts.NONE,
            1024);
    double cold = 32 * 800 + 200 + 291 + elementwise(64) + 32 * (10_000 + 64 * 65 / 2 / 1000.0);
    for (int prefix : new int[] {0, 64, 1000, 10_000}) {
      StepShape shape = new StepShape();
      shape.addPrefill(64, prefix);
      assertThat(micros(model, shape))
          .isCloseTo(cold + 32 * 64.0 * prefix / 1000, within(1e-3 * cold));
    }
  }

  /** Ten minutes of attention: longer than the units of a pass hold. */
  @Test
  void aPassMayTakeMinutes() {
    KernelTimes slow =
        new FlatKernels() {
          @Override
          public double prefillAttention(AttentionSite site, int batch, int length) {
            return 6e8 / 32;
          }
        };
    Deployment worker = llama(1);
    OperatorStepTime model =
        new OperatorStepTime(
            "by hand", worker, new PassOperators(worker, slow, true), slow, HostCosts.NONE, 1024);
    StepShape shape = new StepShape();
    shape.addPrefill(128, 0);
    double rest = 32 * 800 + 200 + 291 + elementwise(128);
    assertThat(micros(model, shape)).isCloseTo(6e8 + rest, within(1.0));
  }

  /**
   * Nemotron 3 Super, one token: 40 Mamba2 layers of two GEMMs, a gated norm and 100 us of state; 8
   * of attention; 40 of experts with router, latent in and out, beside them a shared expert of two
   * GEMMs.
   */
  @Test
  void hybridsAddTheirStates() {
    Deployment worker =
        new Deployment(
            catalog.model("nemotron-3-super-120b-a12b"),
            catalog.gpu("b200"),
            1,
            1,
            Precision.NVFP4,
            Precision.FP8);
    double states = 40 * (400 + 3 + 100);
    double attention = 8 * (400 + 120);
    double least = 22 * 2.0 * 1024 * 2688 * 0.5625 / 7.672e6;
    double experts = 40 * (3 * 200 + 1000 + 403 * least / 1000);
    double rest = 200 + 89 * 3;
    OperatorStepTime model = compile(worker, HostCosts.NONE);
    assertThat(micros(model, decodes(1000)))
        .isCloseTo(states + attention + experts + rest, within(2.0));
    StepShape prompt = new StepShape();
    prompt.addPrefill(128, 0);
    double more = 40 * (40 + 128 - 100) + 8 * (0.01 * 128 * 128 - 120);
    double elements = 2 * 4096 + 88 * 4 * 4096 + 40 * 3 * 8192;
    double all = 512 * (1 - Math.pow(1 - 22 / 512.0, 128)) / 22;
    double filled = 40 * 403 * least / 1000 * (all - 1);
    assertThat(micros(model, prompt) - micros(model, decodes(1000)))
        .isCloseTo(more + filled + 127 * elements * 2 / (0.8 * 7.672e6), within(5.0));
  }
}
