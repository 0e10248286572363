package io.orrery.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolynomialStepTimeTest {
  private static final PolynomialCoefficients PRESET =
      Catalog.bundled().polynomial("dynosim-2026-11");

  private final StepTimeModel model = new PolynomialStepTime(PRESET, 1, 1);
  private final StepShape shape = new StepShape();

  private static double millis(long nanos) {
    return Math.round(nanos / 1e4) / 100.0;
  }

  /** Milliseconds that DynoSim's mock engine gives, to two decimals. */
  @ParameterizedTest
  @CsvSource({"64, 17.47", "1000, 32.11", "8192, 169.14", "32768, 966.08"})
  void prefill(int tokens, double expected) {
    shape.addPrefill(tokens, 0);
    assertThat(millis(model.stepNanos(shape))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 10.88", "0.5, 26.31", "0.9, 33.50", "1, 34.01"})
  void decode(double occupancy, double expected) {
    shape.kvPoolTokens = 10_000;
    shape.addDecode((int) (occupancy * 10_000));
    assertThat(millis(model.stepNanos(shape))).isEqualTo(expected);
  }

  @Test
  void decodeOfAnAllButEmptyPool() {
    shape.kvPoolTokens = 1L << 40;
    shape.addDecode(1);
    assertThat(millis(model.stepNanos(shape))).isEqualTo(5.74);
  }

  @Test
  void occupancyIsAtMostOne() {
    shape.kvPoolTokens = 1000;
    shape.addDecode(5000);
    assertThat(millis(model.stepNanos(shape))).isEqualTo(34.01);
  }

  @Test
  void chunksCountTogetherAndPrefixesNot() {
    // 4.209989e-7 · 1000² + 15.18344 + 16.50142 = 32.1058589 ms, whatever the prefixes are
    shape.addPrefill(400, 50_000);
    shape.addPrefill(600, 0);
    assertThat(model.stepNanos(shape)).isEqualTo(32_105_859);
  }

  @Test
  void prefillAndDecodeAddUp() {
    shape.kvPoolTokens = 10_000;
    shape.addPrefill(1000, 0);
    shape.addDecode(2000);
    shape.addDecode(3000);
    // u = 0.5: −6.435 + 27.005 + 5.74 = 26.31 ms
    assertThat(model.stepNanos(shape)).isEqualTo(32_105_859 + 26_310_000);
  }

  @Test
  void speedups() {
    StepTimeModel faster = new PolynomialStepTime(PRESET, 2, 5);
    shape.kvPoolTokens = 10_000;
    shape.addPrefill(1000, 0);
    assertThat(faster.stepNanos(shape)).isEqualTo(16_052_929); // 32.1058589 / 2
    shape.clear();
    shape.addDecode(5000);
    assertThat(faster.stepNanos(shape)).isEqualTo(2_631_000); // 26.31 / (2 · 5)
  }

  @Test
  void anEmptyPassTakesNoTime() {
    assertThat(model.stepNanos(shape)).isZero();
    long[] ends = new long[2];
    model.decodeRun(shape, 2, 7, ends, 0);
    assertThat(ends).containsExactly(7, 7);
  }

  @Test
  void wrongInputIsAnError() {
    shape.addDecode(5);
    assertThatThrownBy(() -> model.stepNanos(shape))
        .hasMessage("kvPoolTokens is 0, the polynomial needs the KV pool's size");
    assertThatThrownBy(() -> new PolynomialStepTime(PRESET, 0, 1))
        .hasMessage("speedup: found 0.0, expected a positive number");
    assertThatThrownBy(() -> new PolynomialStepTime(PRESET, 1, Double.NaN))
        .hasMessage("decodeSpeedup: found NaN, expected a positive number");
    assertThat(model.name()).isEqualTo("polynomial dynosim-2026-11");
  }
}
