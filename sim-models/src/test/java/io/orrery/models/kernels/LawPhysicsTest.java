package io.orrery.models.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.Gpu;
import io.orrery.models.ModelArchitecture;
import io.orrery.models.Precision;
import io.orrery.models.RooflineStepTime;
import io.orrery.models.StepShape;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for the laws that ship, whatever the worker and the pass. */
@ParameterizedClass
@MethodSource("models")
class LawPhysicsTest {
  private static final Catalog CATALOG = Catalog.bundled();
  private static final int TRIALS = 200;

  @Parameter OperatorStepTime model;

  /**
   * Every model on every GPU, precisions and slices in turn, with the kernels of both engines;
   * models with experts also dealt to 8 GPUs in turn, with and without attention data parallelism.
   */
  static Stream<OperatorStepTime> models() {
    List<Supplier<OperatorStepTime>> models = new ArrayList<>();
    int turn = 0;
    for (String name : CATALOG.modelNames()) {
      for (String gpuName : CATALOG.gpuNames()) {
        ModelArchitecture model = CATALOG.model(name);
        Gpu gpu = CATALOG.gpu(gpuName);
        Precision[] weights =
            model.nativeWeights() == Precision.MXFP4
                ? Precision.values()
                : new Precision[] {Precision.BF16, Precision.FP8, Precision.NVFP4};
        for (Precision precision : weights) {
          turn++;
          Precision kv = List.of(Precision.BF16, Precision.FP8, Precision.NVFP4).get(turn % 3);
          Deployment worker =
              new Deployment(model, gpu, 1 << turn % 4, 1 + turn % 2, precision, kv);
          Map<String, String> kernels =
              Map.of("kernels", turn % 2 == 0 ? "vllm" : "trtllm", "host", "none");
          models.add(() -> law(worker, kernels));
          if (model.isMixtureOfExperts() && model.expertIntermediate() % 8 == 0) {
            int dealt = 1 << turn % 4;
            int ranks = 1 << turn / 2 % 4;
            models.add(
                () ->
                    law(new Deployment(model, gpu, 8, 1, dealt, ranks, 0, precision, kv), kernels));
          }
        }
      }
    }
    return models.stream().map(Supplier::get); // compiled one at a time
  }

  private static OperatorStepTime law(Deployment worker, Map<String, String> parameters) {
    return (OperatorStepTime)
        StepTimeModels.compile("law", new StepTimeSetup(worker, CATALOG, 8192, parameters));
  }

  @Test
  void runsEqualSteppingEveryPass() {
    SplittableRandom random = new SplittableRandom(7);
    StepTimeModel stepping =
        new StepTimeModel() {
          @Override
          public String name() {
            return model.name();
          }

          @Override
          public long stepNanos(StepShape shape) {
            return model.stepNanos(shape);
          }
        };
    for (int trial = 0; trial < 20; trial++) {
      StepShape fast = new StepShape();
      StepShape stepped = new StepShape();
      for (int i = random.nextInt(40); i >= 0; i--) {
        int context = 1 + random.nextInt(1 + random.nextInt(trial % 2 == 0 ? 300 : 200_000));
        fast.addDecode(context);
        stepped.addDecode(context);
      }
      int steps = random.nextInt(400);
      int from = random.nextInt(3);
      long start = random.nextLong(1L << 50);
      long[] fastEnds = new long[steps + 5];
      long[] steppedEnds = new long[steps + 5];
      model.decodeRun(fast, steps, start, fastEnds, from);
      stepping.decodeRun(stepped, steps, start, steppedEnds, from);
      assertThat(fastEnds).isEqualTo(steppedEnds);
      assertThat(fast.decodeContextSum).isEqualTo(stepped.decodeContextSum);
      assertThat(fast.decodeContextMin).isEqualTo(stepped.decodeContextMin);
      assertThat(fast.decodeContextMax).isEqualTo(stepped.decodeContextMax);
    }
  }

  @Test
  void isNeverFasterThanTheHardware() {
    RooflineStepTime roofline = new RooflineStepTime(model.deployment(), 1, 0, false);
    SplittableRandom random = new SplittableRandom(8);
    for (int trial = 0; trial < TRIALS; trial++) {
      StepShape shape = new StepShape();
      shape.tokensPerDecode = trial % 2 == 0 ? 1 : 4;
      for (int i = random.nextInt(4); i > 0; i--) {
        shape.addPrefill(1 + random.nextInt(1 + random.nextInt(8192)), random.nextInt(100_000));
      }
      for (int i = random.nextInt(1 + random.nextInt(600)); i > 0; i--) {
        shape.addDecode(1 + random.nextInt(1 + random.nextInt(200_000)));
      }
      if (shape.newTokens() > 0) {
        // half a nanosecond goes into rounding
        assertThat(model.stepNanos(shape) + 0.5).isGreaterThanOrEqualTo(roofline.boundNanos(shape));
      }
    }
  }

  @Test
  void moreWorkNeverTakesLess() {
    SplittableRandom random = new SplittableRandom(9);
    for (int trial = 0; trial < TRIALS; trial++) {
      int batch = 1 + random.nextInt(1 + random.nextInt(500));
      int context = 1 + random.nextInt(1 + random.nextInt(150_000));
      long base = model.stepNanos(batchOf(batch, context));
      assertThat(model.stepNanos(batchOf(batch, context + 1))).isGreaterThanOrEqualTo(base);
      assertThat(model.stepNanos(batchOf(batch + 1, context))).isGreaterThanOrEqualTo(base);
      StepShape verified = batchOf(batch, context);
      verified.tokensPerDecode = 4;
      assertThat(model.stepNanos(verified)).isGreaterThanOrEqualTo(base);
      int length = 1 + random.nextInt(1 + random.nextInt(8192));
      assertThat(model.stepNanos(prompt(length + 1)))
          .isGreaterThanOrEqualTo(model.stepNanos(prompt(length)));
    }
  }

  /** From one token more to a prefix many times as long, alone and beside another chunk. */
  @Test
  void aLongerPrefixOrMoreNewTokensNeverTakeLess() {
    SplittableRandom random = new SplittableRandom(10);
    for (int trial = 0; trial < TRIALS; trial++) {
      int fresh = 1 + spread(random, 16_384);
      int prefix = spread(random, 1 << 20);
      int more = 1 + spread(random, trial % 2 == 0 ? 64 : 200_000);
      int others = random.nextInt(3);
      long base = model.stepNanos(chunks(fresh, prefix, others));
      assertThat(model.stepNanos(chunks(fresh, prefix + more, others)))
          .as("%d new tokens on %d and on %d more", fresh, prefix, more)
          .isGreaterThanOrEqualTo(base);
      assertThat(model.stepNanos(chunks(fresh + more, prefix, others)))
          .as("%d new tokens and %d more, on %d", fresh, more, prefix)
          .isGreaterThanOrEqualTo(base);
    }
  }

  /** Small numbers are as likely as large ones. */
  private static int spread(SplittableRandom random, int bound) {
    return (int) Math.exp(random.nextDouble(Math.log(bound))) - 1;
  }

  private static StepShape chunks(int fresh, int prefix, int others) {
    StepShape shape = new StepShape();
    shape.addPrefill(fresh, prefix);
    for (int i = 0; i < others; i++) {
      shape.addPrefill(100, 1000);
    }
    return shape;
  }

  private static StepShape batchOf(int batch, int context) {
    StepShape shape = new StepShape();
    for (int i = 0; i < batch; i++) {
      shape.addDecode(context);
    }
    return shape;
  }

  private static StepShape prompt(int length) {
    StepShape shape = new StepShape();
    shape.addPrefill(length, 0);
    return shape;
  }
}
