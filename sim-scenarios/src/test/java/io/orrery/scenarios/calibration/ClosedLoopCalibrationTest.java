package io.orrery.scenarios.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.orrery.engine.Draws;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import io.orrery.models.kernels.ClosedForm;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Means of closed loops that the closed form itself made give back the constants behind them. */
class ClosedLoopCalibrationTest {
  private static final HostCosts TRUTH = new HostCosts(1.1, 12, 30, 0, 0, 0, true, 45, 8);
  private static final Profile.Source SOURCE = new Profile.Source("runs.csv", "ab", 1);

  /** Rows of two models on one to eight GPUs, off by up to so much. */
  private static List<ClosedLoopRow> rows(int[] concurrency, int[] slices, double noise) {
    Catalog catalog = Catalog.bundled();
    Draws draws = new Draws(5, "test.rows");
    List<ClosedLoopRow> rows = new ArrayList<>();
    for (String model : List.of("Llama-3.1-70B", "Llama-3.1-8B")) {
      for (int tp : slices) {
        Deployment worker =
            new Deployment(
                catalog.model(model.toLowerCase(java.util.Locale.ROOT)),
                catalog.gpu("h200"),
                tp,
                1,
                Precision.FP8,
                Precision.FP8);
        var time =
            StepTimeModels.compile(
                "law",
                new StepTimeSetup(
                    worker, catalog, 8192, Map.of("kernels", "vllm"), StepTimeProfile.of(TRUTH)));
        for (int input : new int[] {512, 1024, 8192}) {
          for (int c : concurrency) {
            ClosedForm form = ClosedForm.of(time, input, 1024, c);
            double ttft = form.ttftMillis() + TRUTH.requestNanos((int) (0.9 * input)) / 1e6;
            rows.add(
                new ClosedLoopRow(
                    "runs.csv",
                    rows.size() + 2,
                    "h200_sxm",
                    "meta-llama/" + model,
                    "vllm",
                    "",
                    "fp8",
                    "fp8",
                    input,
                    1024,
                    c,
                    tp,
                    1,
                    1,
                    1,
                    ttft * (1 + noise * (2 * draws.uniform(rows.size(), 0) - 1)),
                    form.tpotMillis() * (1 + noise * (2 * draws.uniform(rows.size(), 1) - 1)),
                    1,
                    Double.NaN,
                    Double.NaN));
          }
        }
      }
    }
    return rows;
  }

  private static Calibration fitted(List<ClosedLoopRow> rows) {
    Calibration calibration = new Calibration("vllm", "", "2026-11-29");
    calibration.fitClosedLoops(rows, SOURCE, 0.25, 1);
    return calibration;
  }

  @Test
  void constantsAreFoundAgain() {
    Calibration calibration =
        fitted(rows(new int[] {1, 4, 16, 64, 256}, new int[] {1, 2, 4, 8}, 0.03));
    HostCalibration.Result result = calibration.result();

    HostCosts host = result.host();
    assertThat(host.kernelMultiplier()).isCloseTo(1.1, withinPercentage(3));
    assertThat(host.requestMillis()).isCloseTo(45, withinPercentage(10));
    assertThat(host.layerMicros()).isCloseTo(12, withinPercentage(25));
    assertThat(host.sequenceMicros()).isCloseTo(30, withinPercentage(25));
    assertThat(result.after().get("tpot").median()).isLessThan(0.03);
    assertThat(result.after().get("tpot").points()).isEqualTo(calibration.judgedBy());
    assertThat(calibration.judgedBy()).isBetween(20, 40);
    assertThat(calibration.method()).isEqualTo("closed-form");
    assertThat(calibration.profile().host().get("layerMicros").fit().ranges().get("concurrency"))
        .containsExactly(1, 256);
  }

  @Test
  void rowsOfOneConcurrencyDoNotTellSequencesFromTheRest() {
    List<ClosedLoopRow> one =
        rows(new int[] {16}, new int[] {1, 1, 1}, 0.02).stream()
            .filter(row -> row.model().endsWith("8B"))
            .toList();
    HostCalibration.Result result = fitted(one).result();
    assertThat(result.fitted()).contains("kernelMultiplier").doesNotContain("sequenceMicros");
    assertThat(result.reasons().get("sequenceMicros"))
        .startsWith("not identifiable: what the measurements vary in moves them as");
    assertThat(result.host().sequenceMicros())
        .isEqualTo(Catalog.bundled().hostCosts("vllm").sequenceMicros());
  }

  @Test
  void theSeedDrawsTheRowsThatJudge() {
    List<ClosedLoopRow> rows = rows(new int[] {1, 16, 64}, new int[] {1, 4}, 0.02);
    assertThat(fitted(rows).result()).isEqualTo(fitted(rows).result());
    Calibration other = new Calibration("vllm", "", "2026-11-29");
    other.fitClosedLoops(rows, SOURCE, 0.25, 2);
    assertThat(other.result().host()).isNotEqualTo(fitted(rows).result().host());
  }

  @Test
  void whatCannotBeFittedToIsRefused() {
    List<ClosedLoopRow> rows = rows(new int[] {1, 16}, new int[] {1}, 0);
    assertThatThrownBy(() -> fitted(rows.subList(0, 2)))
        .hasMessageContaining("measured times to fit to, expected at least 6");
    List<ClosedLoopRow> seconds =
        rows.stream()
            .map(
                row ->
                    new ClosedLoopRow(
                        row.file(),
                        row.line(),
                        row.system(),
                        row.model(),
                        row.engine(),
                        "",
                        "fp8",
                        "fp8",
                        row.inputTokens(),
                        row.outputTokens(),
                        row.concurrency(),
                        row.tensorParallel(),
                        1,
                        1,
                        1,
                        row.ttftMillis() / 1e3,
                        row.tpotMillis() / 1e3,
                        1,
                        Double.NaN,
                        Double.NaN))
            .toList();
    assertThatThrownBy(() -> fitted(seconds)).hasMessageContaining("not milliseconds");
    Calibration trtllm = new Calibration("trtllm", "", "2026-11-29");
    assertThatThrownBy(() -> trtllm.fitClosedLoops(rows, SOURCE, 0.25, 1))
        .hasMessage("no row can be used: {of engine vllm=12}");
  }
}
