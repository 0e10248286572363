package io.orrery.scenarios.fidelity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.models.Catalog;
import io.orrery.models.HostCosts;
import io.orrery.scenarios.measured.ClosedLoopFile;
import io.orrery.scenarios.measured.ClosedLoopRow;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measurements that the engine itself has made, with host constants that nobody ships: a fit finds
 * them, also without the rows that it is judged on.
 */
class FidelityRunTest {
  private static final Catalog CATALOG = Catalog.bundled();
  private static final HostCosts TRUTH = new HostCosts(1.3, 10, 12, 60, 0, 0, true, 40, 0);
  private static final String HEADER =
      "system,model,engine,engine_version,gemm_quant,moe_quant,isl,osl,concurrency,tp,pp,"
          + "attention_dp,moe_tp,moe_ep,ttft_ms,tpot_ms,repeats,ttft_spread,tpot_spread";

  @TempDir Path folder;

  private static String line(
      String system,
      String model,
      String weights,
      int input,
      int concurrency,
      double ttft,
      double tpot) {
    return String.format(
        Locale.ROOT,
        "%s,%s,vllm,,%s,%s,%d,64,%d,4,1,1,4,1,%.6f,%.6f,1,,",
        system,
        model,
        weights.equals("fp8") ? "fp8" : "bfloat16",
        weights,
        input,
        concurrency,
        ttft,
        tpot);
  }

  private Path measurements(HostCosts host) throws IOException {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (String system : List.of("h100_sxm", "h200_sxm")) {
      for (int concurrency : new int[] {2, 8, 24}) {
        for (int input : new int[] {512, 4096}) {
          lines.add(line(system, "meta-llama/Llama-3.1-70B", "fp8", input, concurrency, 1, 1));
          lines.add(line(system, "openai/gpt-oss-120b", "w4a16_mxfp4", input, concurrency, 1, 1));
        }
      }
    }
    Path file = folder.resolve("measured.csv");
    Files.write(file, lines);
    ClosedLoops loops = new ClosedLoops(CATALOG, StepTimeChoice.LAW);
    List<String> measured = new ArrayList<>(List.of(HEADER));
    for (ClosedLoopRow row : ClosedLoopFile.read(file, CATALOG)) {
      Replay replay = loops.replay(row);
      Told told = Told.of(replay.run(host), 0, replay.trace().requestCount());
      measured.add(
          line(
              row.system(),
              row.model(),
              row.expertFormat(),
              row.inputTokens(),
              row.concurrency(),
              told.ttftMillis(),
              told.tpotMillis()));
    }
    Files.write(file, measured);
    return file;
  }

  private static FidelityResult run(Path file, int threads) {
    FidelityRun run = new FidelityRun(CATALOG, StepTimeChoice.LAW, threads);
    run.add(file, configuration -> true);
    return run.run(replayed -> {});
  }

  @Test
  void constantsAreFoundWithoutTheRowsThatTheyAreJudgedOn() throws IOException {
    FidelityResult result = run(measurements(TRUTH), 2);
    assertThat(result.skipped()).isEmpty();
    assertThat(result.rows()).hasSize(24);
    assertThat(result.rows())
        .allMatch(row -> row.judgement() == Judgement.LEAVE_MODEL_OUT && row.note().isEmpty());
    for (Metric metric : Metric.values()) {
      double shipped = median(result, metric, Judgement.SHIPPED);
      assertThat(median(result, metric, Judgement.LEAVE_MODEL_OUT)).isLessThan(shipped / 2);
      assertThat(median(result, metric, Judgement.LEAVE_GPU_OUT)).isLessThan(shipped / 2);
      assertThat(median(result, metric, Judgement.LEAVE_GPU_OUT)).isLessThan(0.08);
    }
    FidelityResult.Fit all =
        result.fits().stream().filter(fit -> fit.without().isEmpty()).findFirst().orElseThrow();
    assertThat(all.rows()).isEqualTo(24);
    assertThat(all.host().kernelMultiplier()).isBetween(1.25, 1.35);
    assertThat(all.host().requestMillis()).isBetween(30.0, 50.0);
  }

  private static double median(FidelityResult result, Metric metric, Judgement judgement) {
    double[] errors =
        result.rows().stream().mapToDouble(row -> row.error(metric, judgement)).sorted().toArray();
    return errors[errors.length / 2];
  }

  @Test
  void anyNumberOfThreadsGivesTheSame() throws IOException {
    Path file = measurements(TRUTH);
    assertThat(run(file, 3)).isEqualTo(run(file, 1));
  }

  /** Who is in which step does not depend on how long steps last: the engine is linear. */
  @Test
  void theFirstOrderIsTheEnginesAnswerWhereNoRequestWaitsForTheHost() throws IOException {
    ClosedLoops loops = new ClosedLoops(CATALOG, StepTimeChoice.LAW);
    ClosedLoopRow row = ClosedLoopFile.read(measurements(TRUTH), CATALOG).get(1);
    Replay replay = loops.replay(row);
    int requests = replay.trace().requestCount();
    Response response = Response.of(HostCosts.NONE, host -> Told.of(replay.run(host), 0, requests));
    HostCosts far = new HostCosts(1.4, 30, 40, 200, 0, 0, true, 0, 0);
    Told told = Told.of(replay.run(far), 0, requests);
    double[] constants = {1.4, 30, 40, 200, 0};
    assertThat(response.ttftMillis(constants)).isCloseTo(told.ttftMillis(), within(2e-3));
    assertThat(response.tpotMillis(constants)).isCloseTo(told.tpotMillis(), within(2e-3));
  }

  private static org.assertj.core.data.Percentage within(double share) {
    return org.assertj.core.data.Percentage.withPercentage(100 * share);
  }

  @Test
  void whatTheEngineCannotDoIsListedWithItsReason() throws IOException {
    Path file = folder.resolve("measured.csv");
    Files.write(
        file,
        List.of(
            HEADER,
            "h100_sxm,meta-llama/Llama-3.1-70B,vllm,,bfloat16,bfloat16,512,64,2,1,1,1,1,1,1,1,1,,"));
    FidelityResult result = run(file, 1);
    assertThat(result.rows()).isEmpty();
    assertThat(result.skipped()).hasSize(1);
    assertThat(result.skipped().get(0).reason()).contains("does not fit", "GiB missing");
    assertThat(result.skipped().get(0).configuration().line()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          isl   | isll       | measured.csv:1: isl: found no such column
          isl   | isll       | measured.csv:1: isll: found an unknown column (did you mean isl?)
          512   | many       | measured.csv:2: isl: found "many", expected a whole number of at least 1
          ,2,4  | ,0,4       | measured.csv:2: concurrency: found "0"
          vllm  | vlm        | measured.csv:2: engine: found "vlm", expected a known one: vllm, trtllm, sglang
          h100  | h1000      | measured.csv:2: system: found "h1000_sxm", expected a known one: b200
          70B   | 71B        | measured.csv:2: model: found "meta-llama/Llama-3.1-71B"
          fp8   | fp7        | measured.csv:2: gemm_quant: found "fp7"
          3.5   | -3.5       | measured.csv:2: ttft_ms: found "-3.5", expected a number above 0
          3.5   | NaN        | measured.csv:2: ttft_ms: found "NaN", expected a number
          ,1,,  | ,1,,,      | measured.csv:2: found 20 fields, expected 19, as in the header
          """)
  void badInputIsNamed(String from, String to, String message) throws IOException {
    Path file = folder.resolve("measured.csv");
    String text =
        HEADER
            + "\n"
            + line("h100_sxm", "meta-llama/Llama-3.1-70B", "fp8", 512, 2, 3.5, 1)
                .replace("3.500000", "3.5")
            + "\n";
    Files.writeString(file, text.replaceFirst(java.util.regex.Pattern.quote(from), to));
    assertThatThrownBy(() -> run(file, 1))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(message);
  }
}
