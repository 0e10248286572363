package io.orrery.scenarios.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.orrery.engine.Draws;
import io.orrery.engine.record.RunColumns;
import io.orrery.models.Catalog;
import io.orrery.models.HostCosts;
import io.orrery.models.StepTimeProfile;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import io.orrery.scenarios.experiment.ScenarioRun;
import io.orrery.scenarios.profile.Profile;
import io.orrery.scenarios.text.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements that the simulator itself made, with noise, give back the constants behind them. */
class HostCalibrationTest {
  private static final HostCosts TRUTH = new HostCosts(1.15, 14, 25, 0, 0, 0, true, 60, 9);
  private static final int REQUESTS = 240;

  @TempDir Path folder;
  private ScenarioRun run;

  @BeforeEach
  void prepare() throws IOException {
    Draws draws = new Draws(7, "test.requests");
    StringBuilder trace = new StringBuilder();
    double at = 0;
    for (int i = 0; i < REQUESTS; i++) {
      // Bursts of up to 40 at once and lulls of single ones, so that batches differ.
      at += i % 80 < 20 ? 400 : 5;
      trace.append(
          String.format(
              Locale.ROOT,
              "{\"timestamp\": %.0f, \"input_length\": %d, \"output_length\": %d, \"hash_ids\": [%d]}%n",
              at,
              50 + draws.below(6000, i, 0),
              20 + draws.below(380, i, 1),
              i));
    }
    Files.writeString(folder.resolve("sent.jsonl"), trace.toString());
    run = run("{model: law}");
  }

  private ScenarioRun run(String stepTime) {
    String yaml =
        "trace: {files: sent.jsonl, format: mooncake, dispatch: timestamps}\n"
            + "cluster: {pools: [{gpu: h100, model: llama-3.1-8b}]}\n"
            + "engine: {blockSize: 512}\n"
            + "stepTime: "
            + stepTime
            + "\n";
    return Experiment.prepare(
            ScenarioLoader.parse(yaml, "s.yaml", folder, CommandLineSettings.none()))
        .runs()
        .get(0);
  }

  /** What the simulator takes with these constants, off by up to so much, as a file of requests. */
  private Path measured(HostCosts host, double noise, boolean csv) throws IOException {
    RunColumns columns = run.with(StepTimeProfile.of(host)).simulate(ended -> {}).columns();
    Draws draws = new Draws(11, "test.noise");
    StringBuilder text = new StringBuilder();
    if (csv) {
      text.append(
          "request_id,input_toks,output_toks,arrival_time,queued_ts,scheduled_ts,first_token_ts,last_token_ts\n");
    }
    for (int r = 0; r < REQUESTS; r++) {
      double arrival = 1000 + columns.arrivalNanos(r) / 1e9;
      double queued = 1000 + columns.queuedNanos(r) / 1e9;
      double first = (columns.firstTokenNanos(r) - columns.arrivalNanos(r)) / 1e9;
      double decode = (columns.endNanos(r) - columns.firstTokenNanos(r)) / 1e9;
      first = Math.max(queued - arrival, first * (1 + noise * (2 * draws.uniform(r, 0) - 1)));
      decode *= 1 + noise * (2 * draws.uniform(r, 1) - 1);
      text.append(
          String.format(
              Locale.ROOT,
              csv
                  ? "r%d,%d,%d,%.9f,%.9f,,%.9f,%.9f%n"
                  : "{\"request_id\": \"r%d\", \"input_toks\": %d, \"output_toks\": %d, \"arrival_time\": %.9f,"
                      + " \"queued_ts\": %.9f, \"first_token_ts\": %.9f, \"last_token_ts\": %.9f}%n",
              r,
              run.trace().inputTokens(r),
              run.trace().outputTokens(r),
              arrival,
              queued,
              arrival + first,
              arrival + first + decode));
    }
    return Files.writeString(folder.resolve(csv ? "m.csv" : "m.jsonl"), text.toString());
  }

  private Calibration fitted(Path file) throws IOException {
    Calibration calibration = new Calibration("vllm", "", "2026-11-29");
    RequestFile requests = RequestFile.read(file);
    calibration.fitRequests(
        run,
        requests.times(run.trace()),
        MeasurementFiles.source(file, requests.size()),
        OptionalInt.empty());
    return calibration;
  }

  @Test
  void constantsAreFoundAgain() throws IOException {
    HostCalibration.Result result = fitted(measured(TRUTH, 0, false)).result();

    assertThat(result.fitted())
        .contains(
            "kernelMultiplier",
            "requestMillis",
            "layerMicros",
            "sequenceMicros",
            "promptTokenMicros");
    HostCosts host = result.host();
    assertThat(host.kernelMultiplier()).isCloseTo(TRUTH.kernelMultiplier(), withinPercentage(2));
    // which trade off: a request of 3,000 tokens is told well, its two parts less so
    assertThat(host.requestNanos(3000) / 1e6)
        .isCloseTo(TRUTH.requestNanos(3000) / 1e6, withinPercentage(3));
    assertThat(host.requestMillis()).isCloseTo(TRUTH.requestMillis(), withinPercentage(10));
    assertThat(host.promptTokenMicros()).isCloseTo(TRUTH.promptTokenMicros(), withinPercentage(10));
    assertThat(host.sequenceMicros()).isCloseTo(TRUTH.sequenceMicros(), withinPercentage(25));
    assertThat(host.layerMicros()).isCloseTo(TRUTH.layerMicros(), withinPercentage(25));
    assertThat(result.after().get("tpot").mean()).isLessThan(0.01);
    assertThat(result.after().get("ttft").mean()).isLessThan(0.02);
    assertThat(result.before().get("tpot").mean())
        .isGreaterThan(5 * result.after().get("tpot").mean());
  }

  @Test
  void noiseOfTenPerCentStaysOutOfTheMeans() throws IOException {
    HostCalibration.Result result = fitted(measured(TRUTH, 0.1, true)).result();

    assertThat(result.host().kernelMultiplier()).isBetween(1.0, 1.3);
    assertThat(result.after().get("tpot").mean()).isLessThan(0.02);
    assertThat(result.after().get("ttft").mean()).isLessThan(0.03);
    assertThat(result.after().get("tpot").median()).isBetween(0.02, 0.08);
  }

  @Test
  void theSameMeasurementsGiveTheSameProfileWhateverTheirFormat() throws IOException {
    Profile lines = fitted(measured(TRUTH, 0.02, false)).profile();
    Profile table = fitted(measured(TRUTH, 0.02, true)).profile();
    assertThat(table.hostCosts()).isEqualTo(lines.hostCosts());
    assertThat(fitted(folder.resolve("m.csv")).profile().hostCosts()).isEqualTo(table.hostCosts());
  }

  @Test
  void timesThatBeginInTheQueueSayNothingAboutTheHostBeforeIt() throws IOException {
    Path file = measured(TRUTH, 0, true);
    Files.writeString(
        file, Files.readString(file).replaceAll("(?m)^(r\\d+,\\d+,\\d+),[^,]*,", "$1,,"));
    HostCalibration.Result result = fitted(file).result();
    assertThat(result.fitted()).contains("kernelMultiplier").doesNotContain("requestMillis");
    assertThat(result.reasons().get("requestMillis")).contains("hardly depend on it");
    assertThat(result.host().requestMillis())
        .isEqualTo(Catalog.bundled().hostCosts("vllm").requestMillis());
  }

  /**
   * As spreadsheets and log shippers write it: quotes, a name with a comma, columns of one's own.
   */
  @Test
  void csvMayBeQuotedAndHaveOtherColumns() throws IOException {
    Path file = measured(TRUTH, 0.02, true);
    double[] plain = RequestFile.read(file).times(run.trace()).ttftMillis();
    Files.writeString(
        file,
        Files.readString(file)
            .replaceAll("(?m)^(r\\d+),(\\d+),(.*)$", "\"$1\",$2,$3,\"a note, with a comma\"")
            .replace("last_token_ts", "last_token_ts,note"));
    assertThat(RequestFile.read(file).times(run.trace()).ttftMillis()).isEqualTo(plain);
  }

  /** A log in lines of JSON says counts as JSON does. */
  @Test
  void countsInJsonAreWholeNumbers() throws IOException {
    Path file = measured(TRUTH, 0, false);
    String good = Files.readString(file);
    assertRefused(
        file,
        good.replaceFirst("\"input_toks\": \\d+", "\"input_toks\": 12.5"),
        "m.jsonl:1: input_toks: found 12.5, expected a whole number of tokens, at least 1");
  }

  @Test
  void requestsThatMakeNoSenseAreRefusedWithFileAndLine() throws IOException {
    Path file = measured(TRUTH, 0, true);
    String good = Files.readString(file);
    assertRefused(
        file,
        good.replace("first_token_ts", "first_ts"),
        "m.csv:1: first_token_ts: found no such column");
    assertRefused(
        file,
        good.replaceAll("(?m)^r3,\\d+", "r3,7"),
        "m.csv:5: input_toks, output_toks: found 7, ");
    for (String count : new String[] {"7.5", "1e3", "0", "-2", "99999999999"}) {
      assertRefused(
          file,
          good.replaceAll("(?m)^r3,\\d+", "r3," + count),
          "m.csv:5: input_toks: found "
              + count
              + ", expected a whole number of tokens, at least 1");
    }
    assertRefused(
        file, good.replaceAll("(?m)^(r3,\\d+),\\d+", "$1,"), "m.csv:5: output_toks: found nothing");
    assertRefused(
        file, good.replaceAll("(?m)^(r3,.*)$", "$1,7"), "m.csv:5: found 9 fields, expected 8");
    assertRefused(
        file,
        good.replaceAll("(?m)^r3,(\\d+),(\\d+),[^,]*,", "r3,$1,$2,1e400,"),
        "m.csv:5: arrival_time");
    assertRefused(file, good.lines().findFirst().orElseThrow() + "\n", "m.csv: found no rows");
    assertRefused(
        file, good.replaceAll("(?m)^r5,.*$\\R", ""), "239 requests, expected 240, as in the trace");
    assertRefused(
        file,
        good.replaceAll("(?m)^(r4,.*),([^,]*),([^,]*)$", "$1,$3,$2"),
        "m.csv:6: last_token_ts: found");
    // Microseconds, where seconds are meant.
    String micros = good.replaceAll("(?m)^(r\\d+,\\d+,\\d+),.*$", "$1,0,0,,1000000,9000000000000");
    assertRefused(file, micros, "expected times in seconds");
  }

  private void assertRefused(Path file, String text, String expected) throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(() -> fitted(file))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void aFitNeedsEnoughRequestsAndSomeLeftToJudge() throws IOException {
    Path file = measured(TRUTH, 0, false);
    RequestTimes times = RequestFile.read(file).times(run.trace());
    Profile.Source source = new Profile.Source("m.jsonl", "", REQUESTS);
    assertThatThrownBy(
            () ->
                new Calibration("vllm", "", "2026-11-29")
                    .fitRequests(run, times, source, OptionalInt.of(REQUESTS)))
        .hasMessageContaining("expected some left to judge by");
    assertThatThrownBy(
            () ->
                new Calibration("vllm", "", "2026-11-29")
                    .fitRequests(run, times, source, OptionalInt.of(3)))
        .hasMessageContaining("2 measured times to fit to, expected at least 6");
    assertThatThrownBy(() -> new Calibration("sglangg", "", "2026-11-29"))
        .hasMessageContaining("unknown kernel family 'sglangg'");
  }

  @Test
  void theProfileSaysWhatStandsBehindEveryConstant() throws IOException {
    Profile profile = fitted(measured(TRUTH, 0.02, false)).profile();
    assertThat(profile.gpus()).isEqualTo(List.of("h100"));
    assertThat(profile.models()).isEqualTo(List.of("llama-3.1-8b"));
    assertThat(profile.host().get("requestMillis").fit().heldOut().metric()).isEqualTo("ttft");
    assertThat(profile.host().get("kernelMultiplier").fit().heldOut().points())
        .isEqualTo(REQUESTS / 2);
    assertThat(profile.host().get("kernelMultiplier").fit().ranges().get("inputTokens")[1])
        .isGreaterThan(5000);
    assertThat(profile.host().get("hostMicros").fit()).isNull();
    assertThat(profile.host().get("hostMicros").why()).startsWith("shipped with vllm");
    assertThat(profile.sources().get(0).sha256()).matches("[0-9a-f]{64}");
  }
}
