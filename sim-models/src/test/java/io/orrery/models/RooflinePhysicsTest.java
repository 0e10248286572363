package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What must hold for every worker and every pass. One nanosecond is the rounding. */
class RooflinePhysicsTest {
  private static List<RooflineStepTime> models;
  private final SplittableRandom random = new SplittableRandom(42);

  @BeforeAll
  static void compileSome() {
    SplittableRandom random = new SplittableRandom(7);
    models =
        IntStream.range(0, 300)
            .mapToObj(i -> new RooflineStepTime(Workers.random(random), 256, 0, false))
            .toList();
  }

  /** FLOP of a pass on the whole worker, from the uncut architecture. */
  private static double flops(ModelArchitecture model, StepShape shape) {
    double perToken =
        (double) model.attentionLayers() * model.parameters().attentionPerLayer()
            + (double) model.denseLayers() * model.parameters().densePerLayer()
            + (double) model.expertLayers()
                * model.expertsPerToken()
                * model.parameters().perExpert()
            + (double) model.expertLayers() * model.parameters().sharedPerLayer();
    LatentAttention latent = model.latent();
    double widths = // of a query and a value
        latent != null ? latent.headDim() + latent.valueHeadDim() : 2.0 * model.headDim();
    double sampled = (double) shape.prefillCount + shape.decodeCount * shape.tokensPerDecode;
    double pairs = 0; // of full layers only: a lower estimate
    for (int i = 0; i < shape.prefillCount; i++) {
      double fresh = shape.prefillNew[i];
      pairs += fresh * shape.prefillPrefix[i] + fresh * fresh / 2;
    }
    pairs += shape.decodeContextSum;
    return 2 * (perToken * shape.newTokens() + sampled * model.parameters().embedding())
        + 2 * widths * model.attentionHeads() * model.fullLayers() * pairs;
  }

  /** Bytes that one GPU must fetch, weights of one token's experts only: a lower estimate. */
  private static double bytes(Deployment worker, StepShape shape) {
    double kvTokens = shape.decodeContextSum;
    for (int i = 0; i < shape.prefillCount; i++) {
      kvTokens += shape.prefillPrefix[i];
    }
    ModelArchitecture model = worker.model();
    double dense =
        model.attentionLayers()
                * worker.weightShare().attention()
                * bytes(worker, WeightPart.ATTENTION)
            + model.denseLayers() * worker.weightShare().dense() * bytes(worker, WeightPart.DENSE)
            + model.stateLayers()
                * worker.weightShare().state()
                * bytes(worker, WeightPart.STATE_SPACE)
            + model.expertLayers()
                * worker.weightShare().shared()
                * bytes(worker, WeightPart.SHARED);
    double experts =
        (double) model.expertLayers() * model.expertsPerToken() * worker.weightShare().expert();
    return dense
        + experts * worker.weights().bytesPerElement()
        + 2.0 * shape.decodeCount * model.stateLayers() * worker.stateBytesPerLayer()
        + worker.model().fullLayers() * kvTokens * worker.kvBytesPerTokenAndLayer();
  }

  private static double bytes(Deployment worker, WeightPart part) {
    return worker.precisionOf(part).bytesPerElement();
  }

  private static double peak(Gpu gpu) {
    return Math.max(
        gpu.bf16FlopsPerSecond(), Math.max(gpu.fp8FlopsPerSecond(), gpu.fp4FlopsPerSecond()));
  }

  @Test
  void neverFasterThanTheHardware() {
    for (RooflineStepTime model : models) {
      Deployment worker = model.deployment();
      for (int i = 0; i < 20; i++) {
        StepShape shape = Workers.randomShape(random);
        shape.tokensPerDecode = 1 + i % 4;
        if (shape.newTokens() > 0) {
          // stages compute one after the other: the slices of one stage work at a time
          double compute =
              flops(worker.model(), shape) / worker.tensorParallel() / peak(worker.gpu());
          double memory = bytes(worker, shape) / worker.gpu().hbmBytesPerSecond();
          double nanos = model.stepNanos(shape);
          assertThat(nanos + 1).isGreaterThanOrEqualTo(Math.max(compute, memory) * 1e9);
          assertThat(nanos + 1).isGreaterThanOrEqualTo(model.boundNanos(shape));
          assertThat(model.boundNanos(shape) * (1 + 1e-12))
              .isGreaterThanOrEqualTo(Math.max(compute, memory) * 1e9);
        }
      }
    }
  }

  @Test
  void aColdPromptOf32kIsNeverFasterThanItsArithmetic() {
    for (RooflineStepTime model : models) {
      Deployment worker = model.deployment();
      StepShape shape = new StepShape();
      shape.addPrefill(32_768, 0);
      double least = flops(worker.model(), shape) / worker.tensorParallel() / peak(worker.gpu());
      long chunked = 0;
      for (int done = 0; done < 32_768; done += 8192) {
        shape.clear();
        shape.addPrefill(8192, done);
        chunked += model.stepNanos(shape);
      }
      assertThat(chunked + 4.0).isGreaterThanOrEqualTo(least * 1e9);
    }
  }

  @Test
  void moreWorkNeverTakesLess() {
    List<Consumer<StepShape>> more =
        List.of(
            shape -> shape.addDecode(1 + random.nextInt(5000)),
            shape -> shape.addPrefill(1 + random.nextInt(5000), random.nextInt(5000)),
            StepShape::advanceDecodes,
            shape -> longerChunk(shape, 1 + random.nextInt(100), 0),
            shape -> longerChunk(shape, 0, 1 + random.nextInt(100)));
    for (RooflineStepTime model : models) {
      for (Consumer<StepShape> change : more) {
        StepShape shape = Workers.randomShape(random);
        long before = model.stepNanos(shape);
        double bound = model.boundNanos(shape);
        change.accept(shape);
        assertThat(model.stepNanos(shape)).isGreaterThanOrEqualTo(before);
        assertThat(model.boundNanos(shape)).isGreaterThanOrEqualTo(bound);
      }
    }
  }

  private static void longerChunk(StepShape shape, int newTokens, int prefixTokens) {
    if (shape.prefillCount > 0) {
      shape.prefillNew[0] += newTokens;
      shape.prefillNewSum += newTokens;
      shape.prefillPrefix[0] += prefixTokens;
    }
  }

  @Test
  void chunksTakeNoLessThanTheWhole() {
    for (RooflineStepTime model : models) {
      int prefix = random.nextInt(20_000);
      int tokens = 2 + random.nextInt(8000);
      int first = 1 + random.nextInt(tokens - 1);
      StepShape shape = new StepShape();
      shape.addPrefill(tokens, prefix);
      long whole = model.stepNanos(shape);
      shape.clear();
      shape.addPrefill(first, prefix);
      long chunks = model.stepNanos(shape);
      shape.clear();
      shape.addPrefill(tokens - first, prefix + first);
      chunks += model.stepNanos(shape);
      assertThat(chunks + 2).isGreaterThanOrEqualTo(whole);
    }
  }

  @Test
  void batchesTakeNoLessThanTheirLargestPart() {
    for (RooflineStepTime model : models) {
      StepShape shape = Workers.randomShape(random);
      long together = model.stepNanos(shape);
      for (int i = 0; i < shape.decodeCount; i++) {
        StepShape alone = new StepShape();
        alone.addDecode(shape.decodeContext(i));
        assertThat(together).isGreaterThanOrEqualTo(model.stepNanos(alone));
      }
    }
  }

  @Test
  void moreSlicesNeverScaleSuperlinearly() {
    for (RooflineStepTime wide : models) {
      Deployment worker = wide.deployment();
      int tp = worker.tensorParallel();
      RooflineStepTime one =
          new RooflineStepTime(worker.with(1, worker.pipelineParallel()), 256, 0, false);
      for (int i = 0; i < 10; i++) {
        StepShape shape = Workers.randomShape(random);
        assertThat(tp * (wide.stepNanos(shape) + 1)).isGreaterThanOrEqualTo(one.stepNanos(shape));
      }
    }
  }

  @Test
  void narrowerWeightsAreNeverSlower() {
    for (RooflineStepTime model : models) {
      Deployment w = model.deployment();
      RooflineStepTime sixteen =
          new RooflineStepTime(
              new Deployment(
                  w.model(),
                  w.gpu(),
                  w.tensorParallel(),
                  w.pipelineParallel(),
                  Precision.BF16,
                  Precision.BF16),
              256,
              0,
              false);
      StepShape shape = Workers.randomShape(random);
      assertThat(model.stepNanos(shape)).isLessThanOrEqualTo(sixteen.stepNanos(shape));
    }
  }
}
