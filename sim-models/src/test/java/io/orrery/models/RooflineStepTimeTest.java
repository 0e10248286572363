package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RooflineStepTimeTest {
  private final Catalog catalog = Catalog.bundled();
  private final StepShape shape = new StepShape();

  private RooflineStepTime roofline(
      String model, String gpu, int tp, int pp, Precision weights, Precision kv) {
    return new RooflineStepTime(
        new Deployment(catalog.model(model), catalog.gpu(gpu), tp, pp, weights, kv),
        8192,
        0,
        false);
  }

  /** Asynchronous scheduling: the longer of GPU and host; without it their sum. */
  @Test
  void hostTimeIsHiddenOrAdded() {
    Deployment worker =
        new Deployment(
            catalog.model("llama-3.1-8b"),
            catalog.gpu("h100"),
            1,
            1,
            Precision.BF16,
            Precision.BF16);
    StepShape shape = new StepShape();
    shape.addDecode(1000);
    long gpu = new RooflineStepTime(worker, 64, 0, false).stepNanos(shape);
    assertThat(new RooflineStepTime(worker, 64, 30e6, true).stepNanos(shape)).isEqualTo(30_000_000);
    assertThat(new RooflineStepTime(worker, 64, 1e3, true).stepNanos(shape)).isEqualTo(gpu);
    assertThat(new RooflineStepTime(worker, 64, 1e3, false).stepNanos(shape)).isEqualTo(gpu + 1000);
  }

  /** A dense model whose decode is bound by memory: bytes / bandwidth, added up by hand. */
  @Test
  void decodeOfADenseModel() {
    RooflineStepTime model = roofline("llama-3.1-8b", "h100", 1, 1, Precision.BF16, Precision.BF16);
    shape.addDecode(1000);
    shape.addDecode(3000);
    // matrices of 32 layers: (1,342,177,280 + 5,637,144,576) · 2 B; output projection
    // 525,336,576 · 2 B; KV 4000 · 131,072 B; at 3.35e12 B/s
    double bytes = 2.0 * (1_342_177_280L + 5_637_144_576L + 525_336_576L) + 4000.0 * 131_072;
    assertThat(model.stepNanos(shape)).isEqualTo(Math.round(bytes / 3.35e12 * 1e9));
  }

  /** Four tokens of a decode fetch what one does; sixteen on an H20 are bound by arithmetic. */
  @Test
  void decodesOfSeveralTokensFetchTheirContextOnce() {
    RooflineStepTime model = roofline("llama-3.1-8b", "h100", 1, 1, Precision.BF16, Precision.BF16);
    shape.addDecode(1000);
    shape.addDecode(3000);
    long one = model.stepNanos(shape);
    shape.tokensPerDecode = 4;
    assertThat(model.stepNanos(shape)).isEqualTo(one);

    RooflineStepTime slow = roofline("llama-3.1-8b", "h20", 1, 1, Precision.BF16, Precision.BF16);
    shape.clear();
    shape.tokensPerDecode = 16;
    shape.addDecode(1000);
    double pairs = 16 * 1000 - 16 * 15 / 2.0;
    double seconds =
        2.0 * (6_979_321_856L + 525_336_576L) / 4e12 + 32 * pairs * 4 * 128 * 32 / 148e12;
    assertThat(slow.stepNanos(shape)).isEqualTo(Math.round(seconds * 1e9));
    assertThat(slow.boundNanos(shape)).isLessThan(slow.stepNanos(shape));
  }

  /** One layer of 218,103,808 parameters, 2 · 4096² that join it, the output projection, its KV. */
  @Test
  void aDraftHeadIsALayerAndTheOutputProjection() {
    Deployment worker =
        new Deployment(
            catalog.model("llama-3.1-8b"),
            catalog.gpu("h100"),
            1,
            1,
            1,
            1,
            1,
            Precision.BF16,
            Precision.BF16);
    RooflineStepTime model = new RooflineStepTime(worker, 64, 1e6, false);
    shape.addDecode(1000);
    double bytes = 2.0 * (218_103_808L + 2 * 4096 * 4096 + 525_336_576L) + 1000.0 * 4096;
    assertThat(model.draftHead().orElseThrow().stepNanos(shape))
        .isEqualTo(Math.round(bytes / 3.35e12 * 1e9));
  }

  /** A dense model whose prefill is bound by arithmetic. */
  @Test
  void prefillOfADenseModel() {
    RooflineStepTime model = roofline("llama-3.1-8b", "h100", 1, 1, Precision.BF16, Precision.BF16);
    shape.addPrefill(2048, 1024);
    // matrices 2 · 2048 · 6,979,321,856 FLOP; pairs 2048 · 1024 + 2048 · 2049 / 2 = 4,195,328 at
    // 4 · 128 · 32 FLOP in 32 layers; output projection for the last token, 1,050,673,152 B
    double flops = 2.0 * 2048 * 6_979_321_856L + 4_195_328.0 * 4 * 128 * 32 * 32;
    double seconds = flops / 989e12 + 1_050_673_152 / 3.35e12;
    assertThat(model.stepNanos(shape)).isEqualTo(Math.round(seconds * 1e9));
  }

  @Test
  void aLongPrefixUnderAShortChunkIsBoundByItsKv() {
    RooflineStepTime model = roofline("llama-3.1-8b", "h100", 1, 1, Precision.BF16, Precision.BF16);
    shape.addPrefill(1, 99_999);
    long oneToken = model.stepNanos(shape);
    shape.clear();
    shape.addDecode(100_000);
    assertThat(model.stepNanos(shape)).isEqualTo(oneToken);
  }

  @Test
  void slicesExchangeActivationsTwicePerLayer() {
    // a ring of 4 over 450 GB/s: 2 · 32 · 2·3/4 · 2·8192·4096 B
    RooflineStepTime one = roofline("llama-3.1-8b", "h100", 1, 1, Precision.BF16, Precision.BF16);
    RooflineStepTime four = roofline("llama-3.1-8b", "h100", 4, 1, Precision.BF16, Precision.BF16);
    shape.addPrefill(8192, 0);
    double exchange = 2 * 32 * 1.5 * (2.0 * 8192 * 4096) / 450e9 * 1e9;
    assertThat(four.stepNanos(shape) - exchange).isCloseTo(one.stepNanos(shape) / 4.0, within(2.0));
  }

  @Test
  void stagesFollowOneAnotherAndHandOver() {
    RooflineStepTime one = roofline("llama-3.1-70b", "h100", 8, 1, Precision.FP8, Precision.FP8);
    RooflineStepTime two = roofline("llama-3.1-70b", "h100", 8, 2, Precision.FP8, Precision.FP8);
    shape.addPrefill(4096, 0);
    // 16 GPUs in two NVLink domains: one hand-over of 2·4096·8192 B at 50 GB/s
    double handOver = 2.0 * 4096 * 8192 / 50e9 * 1e9;
    assertThat((double) two.stepNanos(shape) - one.stepNanos(shape))
        .isCloseTo(handOver, within(1.0));
  }

  @Test
  void onlyLastTokensMeetTheOutputProjection() {
    RooflineStepTime model = roofline("llama-3.1-8b", "h20", 1, 1, Precision.BF16, Precision.BF16);
    shape.addPrefill(4096, 0);
    double long1 = model.stepNanos(shape);
    shape.clear();
    for (int i = 0; i < 4096; i++) {
      shape.addDecode(1); // as many tokens, each one sampled
    }
    double each = model.stepNanos(shape);
    double projection = 2.0 * 525_336_576 / 148e12 * 1e9;
    double attention = 4096.0 * 4097 / 2 * 4 * 128 * 32 * 32 / 148e12 * 1e9;
    double kv = 4096.0 * 131_072 / 4e12 * 1e9;
    double least = 2.0 * 525_336_576 / 4e12 * 1e9;
    assertThat(each - long1).isCloseTo(4096 * projection - least - attention + kv, within(2.0));
  }

  /** gpt-oss-120b: 18 of 36 layers look back 128 tokens. */
  @Test
  void slidingWindowLayersReadTheWindowOnly() {
    RooflineStepTime model =
        roofline("gpt-oss-120b", "h100", 1, 1, Precision.MXFP4, Precision.BF16);
    shape.addDecode(10_000);
    long near = model.stepNanos(shape);
    shape.clear();
    shape.addDecode(20_000);
    long far = model.stepNanos(shape);
    // 10,000 tokens more in 18 layers at 2 · 8 · 64 · 2 B
    assertThat((double) far - near).isCloseTo(10_000 * 18 * 2048 / 3.35e12 * 1e9, within(1.0));
  }

  @Test
  void causalPairs() {
    // 3 tokens on a prefix of 10 meet 11, 12 and 13 keys
    assertThat(CausalPairs.count(3, 10, Integer.MAX_VALUE)).isEqualTo(36);
    assertThat(CausalPairs.count(3, 10, 12)).isEqualTo(35);
    assertThat(CausalPairs.count(3, 10, 5)).isEqualTo(15);
    assertThat(CausalPairs.count(4, 0, 2)).isEqualTo(1 + 2 + 2 + 2);
    // chunks of a prompt meet as many as the whole prompt
    assertThat(CausalPairs.count(5, 0, 7) + CausalPairs.count(6, 5, 7))
        .isEqualTo(CausalPairs.count(11, 0, 7));
    // the last 4 of 10, and 3 of its own
    assertThat(CausalPairs.kvTokens(3, 10, 5)).isEqualTo(7);
    assertThat(CausalPairs.kvTokens(3, 10, Integer.MAX_VALUE)).isEqualTo(13);
  }

  @Test
  void fourBitsOnHopperAreFetchedAsFourAndComputedAsSixteen() {
    RooflineStepTime four = roofline("llama-3.1-8b", "h100", 1, 1, Precision.NVFP4, Precision.BF16);
    RooflineStepTime sixteen =
        roofline("llama-3.1-8b", "h100", 1, 1, Precision.BF16, Precision.BF16);
    shape.addDecode(1);
    // 1.4375 B less for each of 6,979,321,856 parameters
    assertThat((double) sixteen.stepNanos(shape) - four.stepNanos(shape))
        .isCloseTo(6_979_321_856L * 1.4375 / 3.35e12 * 1e9, within(1.0));
    shape.clear();
    shape.addPrefill(8192, 0);
    assertThat(four.stepNanos(shape)).isEqualTo(sixteen.stepNanos(shape));
  }

  @Test
  void passesLargerThanTheTableAreComputed() {
    Deployment worker =
        new Deployment(
            catalog.model("minimax-m2"), catalog.gpu("b200"), 2, 1, Precision.NVFP4, Precision.FP8);
    shape.addPrefill(5000, 77);
    assertThat(new RooflineStepTime(worker, 10, 0, false).stepNanos(shape))
        .isEqualTo(new RooflineStepTime(worker, 8192, 0, false).stepNanos(shape));
  }

  @Test
  void hostTimeIsAddedToEveryPass() {
    Deployment worker =
        roofline("llama-3.1-8b", "h100", 1, 1, Precision.FP8, Precision.FP8).deployment();
    shape.addDecode(1000);
    assertThat(
            new RooflineStepTime(worker, 64, 30_000, false).stepNanos(shape)
                - new RooflineStepTime(worker, 64, 0, false).stepNanos(shape))
        .isEqualTo(30_000);
    assertThatThrownBy(() -> new RooflineStepTime(worker, 0, 0, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RooflineStepTime(worker, 1, Double.NaN, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEmptyPassTakesNoTime() {
    RooflineStepTime model = roofline("llama-3.1-8b", "h100", 1, 1, Precision.FP8, Precision.FP8);
    assertThat(model.stepNanos(shape)).isZero();
    assertThat(model.boundNanos(shape)).isZero();
    assertThat(model.name()).isEqualTo("roofline");
  }
}
