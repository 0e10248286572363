package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.Operator;
import io.orrery.models.Precision;
import io.orrery.models.StepShape;
import org.junit.jupiter.api.Test;

/**
 * Decodes of several tokens and the passes that draft them, worked out by hand with kernels of
 * round numbers.
 */
class VerificationTest {
  private static final double BANDWIDTH = 7.672e6; // of a B200, bytes per microsecond
  private static final double PEAK = 2250e6; // in 16 bits, FLOP per microsecond
  private static final int CONTEXT = 1024; // a knot of the table of decode attention

  private final Catalog catalog = Catalog.bundled();
  private final KernelTimes kernels = new FlatKernels();

  private Deployment worker(String model, int draftLayers, Precision weights) {
    return new Deployment(
        catalog.model(model), catalog.gpu("b200"), 1, 1, 1, 1, draftLayers, weights, Precision.FP8);
  }

  private static OperatorStepTime compile(Deployment worker, KernelTimes kernels) {
    PassOperators operators = new PassOperators(worker, kernels, true);
    return new OperatorStepTime("by hand", worker, operators, kernels, HostCosts.NONE, 1024);
  }

  private static double micros(OperatorStepTime model, int tokens) {
    StepShape shape = new StepShape();
    shape.tokensPerDecode = tokens;
    shape.addDecode(CONTEXT);
    return model.stepNanos(shape) / 1e3;
  }

  /** Two bytes per element at 80 % of the bandwidth: embedding, 64 norms, 32 activations. */
  private static double elementwiseOfLlama(int tokens) {
    double elements = 2 * 4096 + 64 * 4 * 4096 + 32 * 3 * 14336;
    return tokens * elements * 2 / (0.8 * BANDWIDTH);
  }

  /**
   * Llama-3.1-8B with 8 bits of KV: a token of context takes 2048 bytes, 0.27 ns, and 4 · 128 · 32
   * FLOP for each query, 0.007 ns. Four queries hide behind the fetching, which happens once.
   */
  @Test
  void theContextIsReadOnceForAllTokensOfADecode() {
    OperatorStepTime model = compile(worker("llama-3.1-8b", 0, Precision.FP8), kernels);
    assertThat(micros(model, 4) - micros(model, 1))
        .isCloseTo(elementwiseOfLlama(4) - elementwiseOfLlama(1), within(0.01));
  }

  /**
   * 64 of them do not: 64 · 1024 − 64 · 63 / 2 pairs take 0.4625 us at least, where fetching takes
   * 0.2734. The kernel of 20 + 0.1 · 1024 us for one token takes as many times longer.
   */
  @Test
  void manyTokensAreBoundByTheirArithmetic() {
    OperatorStepTime model = compile(worker("llama-3.1-8b", 0, Precision.FP8), kernels);
    double computing = (64 * 1024 - 64 * 63 / 2) * 4.0 * 128 * 32 / PEAK;
    double fetching = 1024 * 2048 / BANDWIDTH;
    assertThat(computing / fetching).isCloseTo(1.692, within(0.001));
    double attention = 32 * 122.4 * (computing / fetching - 1);
    assertThat(micros(model, 64) - micros(model, 1))
        .isCloseTo(attention + elementwiseOfLlama(64) - elementwiseOfLlama(1), within(0.5));
  }

  /** GEMMs, experts and logits see all tokens: kernels of 1 us a token. */
  @Test
  void everythingElseSeesAsManyTokensMore() {
    KernelTimes perToken =
        new FlatKernels() {
          @Override
          public double gemm(KernelType type, int m, int n, int k) {
            return 500 + m;
          }

          @Override
          public double experts(ExpertSite site, int tokens) {
            return 1000 + 10 * tokens;
          }
        };
    // gpt-oss-120b: 36 layers of query, output and router products and of experts; logits; and in
    // 18 layers that look back 128 tokens, 132 tokens to fetch where it was 128
    double window = 18 * (20 + 0.1 * 128) * (132 / 128.0 - 1);
    OperatorStepTime model = compile(worker("gpt-oss-120b", 0, Precision.MXFP4), perToken);
    assertThat(micros(model, 5) - micros(model, 1))
        .isCloseTo(4 * (36 * (3 + 10) + 1) + window, within(2.0)); // and elementwise, 1 us
  }

  /**
   * DeepSeek-V3 on one GPU, where 128 heads share a latent: 2 · 128 · (576 + 512) FLOP a pair take
   * longer, even for one token, than fetching 576 bytes. A block of 602.4 us is 4 projections of 50
   * and attention, which takes 4 · 1024 − 6 pairs for 1024.
   */
  @Test
  void latentAttentionComputesForEveryToken() {
    KernelTimes quick =
        new FlatKernels() {
          @Override
          public double gemm(KernelType type, int m, int n, int k) {
            return 50;
          }
        };
    OperatorStepTime model = compile(worker("deepseek-v3", 0, Precision.FP8), quick);
    double attention = (602.4 - 200) * ((4 * 1024 - 6) / 1024.0 - 1);
    // the shared expert, two products and an activation, beside routed ones that wake more
    double awake = distinct(256, 8, 4) - 8;
    double experts = 58 * 103 * awake * 3.0 * 7168 * 2048 / BANDWIDTH / 1000;
    assertThat(micros(model, 4) - micros(model, 1))
        .isCloseTo(61 * attention + experts, within(10.0)); // elementwise and logits, some us
  }

  private static double distinct(int experts, int perToken, int tokens) {
    return Operator.expectedDistinctExperts(experts, perToken, tokens);
  }

  /** Nemotron 3 Super: a state is read once and written three times, not once: 200 us for 100. */
  @Test
  void everyTokenLeavesAStateToResumeFrom() {
    OperatorStepTime model =
        compile(worker("nemotron-3-super-120b-a12b", 0, Precision.NVFP4), kernels);
    double awake = distinct(512, 22, 3) - 22;
    double experts = 40 * 403 * awake * 2.0 * 1024 * 2688 * 0.5625 / BANDWIDTH / 1000;
    assertThat(micros(model, 3) - micros(model, 1)).isCloseTo(40 * 100 + experts, within(5.0));
  }

  /**
   * A draft layer of Llama's: the product that joins it, four of a layer and the logits of 200 us;
   * embedding, two norms and an activation of 3 us; attention of 20 + 0.1 · 1024 us.
   */
  @Test
  void draftingIsALayerAndTheOutputProjection() {
    Deployment worker = worker("llama-3.1-8b", 1, Precision.FP8);
    HostCosts host = new HostCosts(1, 7, 100, 100, 1e6, 100, false, 5, 5);
    OperatorStepTime head = OperatorStepTime.ofDraftHead("by hand", worker, kernels, true, host);
    double gap = 7;
    assertThat(micros(head, 1)).isCloseTo(6 * 200 + 4 * 3 + 122.4 + gap, within(0.1));
    assertThat(head.draftHead()).isEmpty();
    assertThat(compile(worker, kernels).stepNanos(new StepShape())).isZero();
    // held, not computed: the pass itself is what it is without
    assertThat(micros(compile(worker, kernels), 1))
        .isEqualTo(micros(compile(worker("llama-3.1-8b", 0, Precision.FP8), kernels), 1));
  }
}
