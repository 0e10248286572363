package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
        "by hand", worker, new PassOperators(worker, kernels, 1, true), kernels, host, 1024);
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

  /** A chunk of 64 on 64: the prompt of 128 in proportion to the new pairs, 6176 of 8256. */
  @Test
  void aPrefixTakesItsShareOfTheWholePrompt() {
    OperatorStepTime model = compile(llama(1), HostCosts.NONE);
    StepShape cold = new StepShape();
    cold.addPrefill(128, 0);
    StepShape warm = new StepShape();
    warm.addPrefill(64, 64);
    double rest = 32 * 800 + 200 + 291;
    double whole = 0.01 * 128 * 128;
    assertThat(micros(model, cold)).isCloseTo(rest + elementwise(128) + 32 * whole, within(1.0));
    double share = 64 * 64 + 64 * 65 / 2.0;
    assertThat(micros(model, warm))
        .isCloseTo(rest + elementwise(64) + 32 * whole * share / (128 * 129 / 2.0), within(1.0));
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
        new KernelTimes() {
          private final KernelTimes flat = new FlatKernels();

          @Override
          public String source() {
            return flat.source();
          }

          @Override
          public double gemm(KernelType type, int m, int n, int k) {
            return flat.gemm(type, m, n, k);
          }

          @Override
          public double prefillAttention(AttentionSite site, int batch, int length) {
            return 1e-9;
          }

          @Override
          public double decodeAttention(AttentionSite site, int batch, int context) {
            return flat.decodeAttention(site, batch, context);
          }

          @Override
          public double experts(ExpertSite site, int tokens) {
            return flat.experts(site, tokens);
          }

          @Override
          public double allReduce(int gpus, long elements) {
            return 0;
          }

          @Override
          public boolean narrowExperts() {
            return false;
          }

          @Override
          public java.util.List<String> notes(
              KernelType dense, AttentionSite attention, ExpertSite experts) {
            return java.util.List.of();
          }
        };
    Deployment worker = llama(1);
    OperatorStepTime model =
        new OperatorStepTime(
            "by hand",
            worker,
            new PassOperators(worker, quickPrefill, 1, true),
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

  @Test
  void expertsAreDealtEvenly() {
    assertThatThrownBy(() -> new PassOperators(llama(4), kernels, 3, true))
        .hasMessage("expertParallel: found 3, expected a divisor of tensorParallel 4");
  }
}
