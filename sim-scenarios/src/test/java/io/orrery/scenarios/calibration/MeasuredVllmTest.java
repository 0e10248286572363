package io.orrery.scenarios.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * A real run of vLLM 0.19, Qwen3-32B on two RTX PRO 6000, measured by LLMServingSim. Skipped where
 * -Dorrery.data is absent.
 */
class MeasuredVllmTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("orrery.data", "none"), "groundtruth/vllm-0.19-requests");

  @Test
  void constantsOfTheFirstHalfTellTheSecondHalf() throws IOException {
    assumeTrue(Files.isDirectory(FOLDER), "skipped: no -Dorrery.data");
    String yaml =
        """
        trace: {files: sharegpt-qwen3-32b-300-sps10.mooncake16.jsonl, format: mooncake, blockSize: 16, dispatch: timestamps}
        cluster:
          pools: [{gpu: rtx-pro-6000, model: qwen3-32b, tensorParallel: 2, gpuMemoryUtilization: 0.9}]
        engine: {preset: vllm-2026-05, blockSize: 16, maxBatchedTokens: 2048, maxSequences: 128}
        """;
    ScenarioRun run =
        Experiment.prepare(
                ScenarioLoader.parse(yaml, "real.yaml", FOLDER, CommandLineSettings.none()))
            .runs()
            .get(0);
    Path file = FOLDER.resolve("RTXPRO6000-Qwen3-32B.vllm_requests.jsonl");
    RequestFile requests = RequestFile.read(file);
    Calibration calibration = new Calibration("vllm", "0.19.0", "2026-11-29");
    calibration.fitRequests(
        run,
        requests.times(run.trace()),
        MeasurementFiles.source(file, requests.size()),
        OptionalInt.of(150));

    assertThat(calibration.judgedBy()).isEqualTo(150);
    assertThat(calibration.result().after().get("tpot").mean()).isLessThan(0.03);
    assertThat(calibration.result().after().get("e2e").mean()).isLessThan(0.03);
  }
}
