package io.orrery.scenarios.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.engine.Draws;
import io.orrery.engine.record.RunColumns;
import io.orrery.models.Catalog;
import io.orrery.models.Deployment;
import io.orrery.models.HostCosts;
import io.orrery.models.Precision;
import io.orrery.models.StepTimeModel;
import io.orrery.models.StepTimeModels;
import io.orrery.models.StepTimeProfile;
import io.orrery.models.StepTimeSetup;
import io.orrery.models.kernels.ClosedForm;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.measured.ClosedLoopFile;
import io.orrery.scenarios.measured.ClosedLoopRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The sample measurements under {@code scenarios/calibration}: made by the simulator with the
 * constants below and noise of 5 per cent, by this test with {@code -Dorrery.regenerate=true}.
 */
class CalibrationSampleTest {
  private static final HostCosts TRUTH = new HostCosts(1.1, 8, 20, 0, 0, 0, true, 40, 6);
  private static final double NOISE = 0.05;
  private static final int REQUESTS = 240;
  private static final Path FOLDER = Path.of("scenarios/calibration");

  @BeforeAll
  static void regenerate() throws IOException {
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(FOLDER.resolve("sent.jsonl"), sent());
      Files.writeString(FOLDER.resolve("requests.csv"), requests());
      Files.writeString(FOLDER.resolve("closed-loops.csv"), closedLoops());
    }
  }

  private static ScenarioRun run() {
    return Experiment.prepare(
            ScenarioLoader.load(FOLDER.resolve("measured.yaml"), CommandLineSettings.none()))
        .runs()
        .get(0);
  }

  private static String sent() {
    Draws draws = new Draws(3, "sample.requests");
    StringBuilder text = new StringBuilder();
    int at = 0;
    for (int i = 0; i < REQUESTS; i++) {
      at += i % 80 < 20 ? 400 : 5;
      text.append(
          String.format(
              Locale.ROOT,
              "{\"timestamp\": %d, \"input_length\": %d, \"output_length\": %d, \"hash_ids\": [%d]}%n",
              at,
              50 + draws.below(6000, i, 0),
              20 + draws.below(380, i, 1),
              i));
    }
    return text.toString();
  }

  private static String requests() {
    ScenarioRun run = run();
    RunColumns columns = run.with(StepTimeProfile.of(TRUTH)).simulate(ended -> {}).columns();
    Draws draws = new Draws(4, "sample.noise");
    StringBuilder text =
        new StringBuilder(
            "request_id,input_toks,output_toks,arrival_time,queued_ts,first_token_ts,last_token_ts\n");
    for (int r = 0; r < REQUESTS; r++) {
      double arrival = columns.arrivalNanos(r) / 1e9;
      double queued = columns.queuedNanos(r) / 1e9;
      double first = noisy(columns.firstTokenNanos(r) - columns.arrivalNanos(r), draws, r, 0);
      double decode = noisy(columns.endNanos(r) - columns.firstTokenNanos(r), draws, r, 1);
      first = Math.max(first, queued - arrival);
      text.append(
          String.format(
              Locale.ROOT,
              "r%d,%d,%d,%.6f,%.6f,%.6f,%.6f%n",
              r,
              run.trace().inputTokens(r),
              run.trace().outputTokens(r),
              arrival,
              queued,
              arrival + first + 1e-6,
              arrival + first + decode + 1e-6));
    }
    return text.toString();
  }

  private static double noisy(double nanos, Draws draws, int row, int which) {
    return nanos / 1e9 * (1 + NOISE * (2 * draws.uniform(row, which) - 1));
  }

  private static String closedLoops() {
    Catalog catalog = Catalog.bundled();
    Draws draws = new Draws(5, "sample.noise");
    StringBuilder text =
        new StringBuilder(
            "system,model,engine,engine_version,gemm_quant,moe_quant,isl,osl,concurrency,tp,pp,attention_dp,moe_tp,moe_ep,ttft_ms,tpot_ms,repeats,ttft_spread,tpot_spread\n");
    int row = 0;
    for (String model : List.of("Llama-3.1-70B", "Llama-3.1-8B")) {
      for (int tp : new int[] {1, 2, 4, 8}) {
        StepTimeModel time = law(catalog, model, tp);
        for (int input : new int[] {1024, 8192}) {
          for (int c : new int[] {1, 8, 64, 256}) {
            ClosedForm form = ClosedForm.of(time, input, 1024, c);
            double ttft = form.ttftMillis() + TRUTH.requestNanos((int) (0.9 * input)) / 1e6;
            text.append(
                String.format(
                    Locale.ROOT,
                    "h200_sxm,meta-llama/%s,vllm,,fp8,fp8,%d,1024,%d,%d,1,1,1,1,%.3f,%.4f,1,,%n",
                    model,
                    input,
                    c,
                    tp,
                    1e3 * noisy(ttft * 1e6, draws, row, 0),
                    1e3 * noisy(form.tpotMillis() * 1e6, draws, row, 1)));
            row++;
          }
        }
      }
    }
    return text.toString();
  }

  private static StepTimeModel law(Catalog catalog, String model, int tp) {
    Deployment worker =
        new Deployment(
            catalog.model(model.toLowerCase(Locale.ROOT)),
            catalog.gpu("h200"),
            tp,
            1,
            Precision.FP8,
            Precision.FP8);
    return StepTimeModels.compile(
        "law",
        new StepTimeSetup(
            worker, catalog, 8192, Map.of("kernels", "vllm"), StepTimeProfile.of(TRUTH)));
  }

  @Test
  void theSampleOfRequestsGivesItsConstantsBack() throws IOException {
    ScenarioRun run = run();
    Path file = FOLDER.resolve("requests.csv");
    Calibration calibration = new Calibration("vllm", "", "2026-11-29");
    RequestFile requests = RequestFile.read(file);
    calibration.fitRequests(
        run,
        requests.times(run.trace()),
        MeasurementFiles.source(file, requests.size()),
        OptionalInt.empty());
    assertThat(calibration.result().host().requestMillis()).isBetween(30.0, 50.0);
    assertThat(calibration.result().after().get("tpot").mean()).isLessThan(0.03);
    assertThat(calibration.result().after().get("ttft").mean()).isLessThan(0.03);
  }

  @Test
  void theSampleOfClosedLoopsGivesItsConstantsBack() throws IOException {
    Path file = FOLDER.resolve("closed-loops.csv");
    List<ClosedLoopRow> rows = ClosedLoopFile.read(file, Catalog.bundled());
    Calibration calibration = new Calibration("vllm", "", "2026-11-29");
    calibration.fitClosedLoops(rows, MeasurementFiles.source(file, rows.size()), 0.25, 1);
    assertThat(calibration.result().host().kernelMultiplier()).isBetween(1.05, 1.15);
    assertThat(calibration.result().after().get("tpot").median()).isLessThan(0.05);
  }
}
