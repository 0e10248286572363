package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Fast runs give what stepping gives, bit for bit. */
class DecodeRunTest {
  static Stream<Arguments> models() {
    SplittableRandom random = new SplittableRandom(20261129);
    PolynomialCoefficients preset = Catalog.bundled().polynomial("dynosim-2026-11");
    Stream<StepTimeModel> polynomials =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    new PolynomialStepTime(
                        preset, 0.1 + 10 * random.nextDouble(), 0.1 + random.nextDouble()));
    Stream<StepTimeModel> rooflines =
        IntStream.range(0, 60)
            .mapToObj(
                i ->
                    new RooflineStepTime(
                        Workers.random(random),
                        1 + random.nextInt(64),
                        random.nextInt(3) * 7e5,
                        random.nextBoolean()));
    Stream<StepTimeModel> windowed =
        IntStream.rangeClosed(0, 3)
            .mapToObj(
                i ->
                    new RooflineStepTime(
                        new Deployment(
                            Catalog.bundled().model("gpt-oss-120b"),
                            Catalog.bundled().gpu("h100"),
                            1 << i,
                            1,
                            Precision.MXFP4,
                            Precision.BF16),
                        8192,
                        0,
                        false));
    return Stream.concat(Stream.concat(polynomials, rooflines), windowed)
        .map(model -> Arguments.of(model.name(), model));
  }

  @ParameterizedTest(name = "{0} {index}")
  @MethodSource("models")
  void equalsSteppingEveryPass(String name, StepTimeModel model) {
    SplittableRandom random = new SplittableRandom(name.hashCode());
    for (int trial = 0; trial < 30; trial++) {
      StepShape fast = Workers.randomDecodes(random);
      if (trial % 2 == 0) { // contexts inside a window of 128
        fast.addDecode(1 + random.nextInt(128));
      }
      StepShape stepped = Workers.copy(fast);
      int steps = random.nextInt(400);
      int from = random.nextInt(3);
      long start = random.nextLong(1L << 50);
      long[] fastEnds = new long[steps + 5];
      long[] steppedEnds = new long[steps + 5];

      model.decodeRun(fast, steps, start, fastEnds, from);
      stepping(model).decodeRun(stepped, steps, start, steppedEnds, from);

      assertThat(fastEnds).isEqualTo(steppedEnds);
      assertThat(fast.decodeContextSum).isEqualTo(stepped.decodeContextSum);
      assertThat(fast.decodeContextMin).isEqualTo(stepped.decodeContextMin);
      assertThat(fast.decodeContextMax).isEqualTo(stepped.decodeContextMax);
      for (int i = 0; i < fast.decodeCount; i++) {
        assertThat(fast.decodeContext(i)).isEqualTo(stepped.decodeContext(i));
      }
    }
  }

  @ParameterizedTest(name = "{0} {index}")
  @MethodSource("models")
  void refusesPrefill(String name, StepTimeModel model) {
    StepShape shape = new StepShape();
    shape.addPrefill(1, 1);
    assertThatThrownBy(() -> model.decodeRun(shape, 1, 0, new long[1], 0))
        .hasMessage("a decode run cannot hold 1 prefill chunk(s)");
  }

  /** The same times through the interface's own loop. */
  private static StepTimeModel stepping(StepTimeModel model) {
    return new StepTimeModel() {
      @Override
      public String name() {
        return model.name();
      }

      @Override
      public long stepNanos(StepShape shape) {
        return model.stepNanos(shape);
      }
    };
  }
}
