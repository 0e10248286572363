package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What other replayers and simulators were reported to get wrong when they run a trace; small
 * inputs of that kind, and what is right. Each names the report.
 */
@Timeout(120)
class PublicReportsOnRunsTest {
  @TempDir Path folder;

  /** Runs rows on one worker, with further settings; the summary of its only run. */
  private JsonNode summary(List<String> rows, String... settings) throws IOException {
    return new ObjectMapper().readTree(run(rows, settings).succeeded().out()).at("/runs/0/summary");
  }

  private Outcome run(List<String> rows, String... settings) throws IOException {
    Path trace = Files.write(folder.resolve("t.jsonl"), rows);
    List<String> words =
        new ArrayList<>(
            List.of("run", "--json", "--trace", trace.toString(), "--set", "engine.blockSize=16"));
    if (rows.get(0).contains("hash_ids")) {
      words.addAll(List.of("--set", "trace.blockSize=16"));
    }
    for (String setting : settings) {
      words.addAll(List.of("--set", setting));
    }
    return Orrery.run(words.toArray(new String[0]));
  }

  private static String row(long timestamp, int input, int output) {
    return String.join(
        "",
        "{\"timestamp\": " + timestamp,
        ", \"input_length\": " + input,
        ", \"output_length\": " + output,
        "}");
  }

  private static int whole(JsonNode summary, String key) {
    return summary.at("/requests/" + key).intValue();
  }

  /** kubernetes-sigs/inference-perf#617: the prompt fits, prompt and output together do not. */
  @Test
  @Tag("report-12")
  void anOutputThatDoesNotFitIsCutOffAndCounted() throws IOException {
    JsonNode summary =
        summary(List.of(row(0, 32_758, 400), row(1, 10, 4)), "engine.maxModelLength=32768");

    assertThat(whole(summary, "completed")).isEqualTo(2);
    assertThat(whole(summary, "clipped")).isEqualTo(1);
    assertThat(summary.at("/tokens/output").intValue()).isEqualTo(10 + 4);
  }

  /** kubernetes-sigs/inference-perf#615: one session of nine hours hides what the others got. */
  @Test
  @Tag("report-13")
  void theDrainTailIsNamedAndCanBeLeftOut() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add(row(0, 500, 20).replace("{", "{\"session_id\": \"long\", "));
    rows.add(
        "{\"session_id\": \"long\", \"delay\": 32400000, \"input_length\": 600, \"output_length\": 20}");
    for (int i = 0; i < 50; i++) {
      rows.add(row(1000 * i, 500, 20));
    }

    Outcome whole = run(rows);
    JsonNode diluted = new ObjectMapper().readTree(whole.succeeded().out()).at("/runs/0/summary");
    assertThat(whole.err())
        .contains("No session begins in the last 8.99 h of 9.00 h (100 %)")
        .contains("limits.simulatedTime ends a run before it");
    assertThat(diluted.at("/simulated_s").doubleValue()).isGreaterThan(32_400);

    Outcome cut = run(rows, "limits.simulatedTime=55 s");
    JsonNode window = new ObjectMapper().readTree(cut.succeeded().out()).at("/runs/0/summary");
    assertThat(cut.err()).doesNotContain("No session begins");
    assertThat(window.at("/simulated_s").doubleValue()).isLessThanOrEqualTo(55);
    assertThat(whole(window, "completed")).isEqualTo(51);
    assertThat(window.at("/requests_per_s").doubleValue())
        .isGreaterThan(500 * diluted.at("/requests_per_s").doubleValue());
  }

  /** Azure/AzurePublicDataset#53: without hashes a hit rate is not 0, it is not known. */
  @Test
  @Tag("report-16")
  void withoutHashesThereIsNoHitRate() throws IOException {
    Outcome outcome = run(List.of(row(0, 500, 5), row(10, 500, 5)));

    assertThat(outcome.succeeded().err()).contains("hit rates are unknown");
    JsonNode summary = new ObjectMapper().readTree(outcome.out()).at("/runs/0/summary");
    assertThat(summary.at("/hit_rate/tokens").isNumber()).isFalse();
    assertThat(summary.at("/hit_rate/bound").isNumber()).isFalse();
  }

  /** ai-dynamo/aiperf#1201: the wait of a session is as long in a run as it was recorded. */
  @Test
  @Tag("report-21")
  void idleGapsAreNotShortened() throws IOException {
    String turn =
        "{\"session_id\": \"s\", %s, \"input_length\": 64, \"output_length\": 2, \"hash_ids\": [1, 2, 3, 4]}";
    JsonNode summary =
        summary(
            List.of(
                String.format(java.util.Locale.ROOT, turn, "\"timestamp\": 0"),
                String.format(java.util.Locale.ROOT, turn, "\"delay\": 7200000")));

    assertThat(summary.at("/simulated_s").doubleValue()).isBetween(7200.0, 7210.0);
    assertThat(summary.at("/hit_rate/tokens").doubleValue()).isGreaterThan(0.3);
  }

  /** inference-sim#1615: 29 of 200 requests of a recorded run were replayed. */
  @Test
  @Tag("report-25")
  void everyRequestOfARecordedRunIsReplayed() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add(
        "request_id,session_id,round_index,input_tokens,output_tokens,arrival_time_us,send_time_us,first_chunk_time_us,last_chunk_time_us,status");
    for (int i = 0; i < 200; i++) {
      int round = i % 5;
      long at = 1_000_000L * round + 10_000L * (i / 5);
      rows.add(
          String.join(
              ",",
              "" + i,
              "s" + i / 5,
              "" + round,
              "" + (round % 3 == 1 ? 900 : 300 + 10 * round),
              "9",
              "" + at,
              "" + at,
              "" + (at + 100_000),
              "" + (at + 200_000),
              i % 7 == 0 ? "timeout" : "ok"));
    }

    assertThat(whole(summary(rows), "completed")).isEqualTo(200);
  }

  /**
   * inference-sim#373 (also #297, #529): a request larger than the KV pool was preempted for ever.
   * Nine blocks of 16 tokens can be used.
   */
  @Test
  @Tag("report-26")
  void aRequestLargerThanThePoolIsRefusedAtOnce() throws IOException {
    JsonNode summary =
        summary(
            List.of(row(0, 200, 5), row(0, 100, 20), row(0, 100, 400), row(1, 50, 9)),
            "engine.kvBlocks=10");

    assertThat(whole(summary, "rejected")).isEqualTo(1);
    assertThat(whole(summary, "completed")).isEqualTo(3);
    assertThat(whole(summary, "clipped")).as("100 + 400 tokens in 144").isEqualTo(1);
    assertThat(summary.at("/preemptions").asInt(0)).isLessThan(20);
    assertThat(summary.at("/simulated_s").doubleValue()).isLessThan(10);
  }

  /** ai-dynamo/dynamo#10193: a request that never fits stood at the queue's head for ever. */
  @Test
  @Tag("report-27")
  void aRequestThatNeverFitsDoesNotHoldUpTheQueue() throws IOException {
    List<String> others = List.of(row(0, 60, 5), row(3, 70, 5), row(4, 80, 5));
    List<String> behind = new ArrayList<>();
    behind.add(row(0, 5_000, 5));
    behind.addAll(others);

    JsonNode without = summary(others, "engine.kvBlocks=10");
    JsonNode with = summary(behind, "engine.kvBlocks=10");

    assertThat(whole(with, "rejected")).isEqualTo(1);
    assertThat(whole(with, "completed")).isEqualTo(3);
    assertThat(with.at("/ttft_ms")).isEqualTo(without.at("/ttft_ms"));
    assertThat(with.at("/simulated_s")).isEqualTo(without.at("/simulated_s"));
  }

  /** ai-dynamo/dynamo#10944: the cap on simulated time was ignored for graphs of requests. */
  @Test
  @Tag("report-30")
  void theCapOnSimulatedTimeHoldsForGraphsOfRequests() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add(
        "{\"request_id\": \"r0\", \"input_length\": 50, \"output_length\": 5, \"hash_ids\": [], \"timestamp\": 0}");
    for (int i = 1; i < 100; i++) {
      rows.add(
          "{\"request_id\": \"r"
              + i
              + "\", \"input_length\": 50, \"output_length\": 5, \"hash_ids\": [], \"wait_for\": [\"r"
              + (i - 1)
              + "\"], \"delay\": 1000}");
    }

    JsonNode summary = summary(rows, "limits.simulatedTime=10 s");

    assertThat(summary.at("/simulated_s").doubleValue()).isLessThanOrEqualTo(10);
    assertThat(whole(summary, "completed")).isBetween(8, 10);
  }

  /** ai-dynamo/dynamo#2557: an interval of no time must not be divided by. */
  @Test
  @Tag("report-31")
  void aTraceOfOneInstantHasStatisticsAndAReport() throws IOException {
    String hashed = row(7, 64, 4).replace("}", ", \"hash_ids\": [1, 2, 3, 4]}");
    Path trace = Files.write(folder.resolve("t.jsonl"), List.of(hashed, hashed));

    Outcome stats =
        Orrery.run("trace", "stats", trace.toString(), "--block-size", "16", "--json").succeeded();
    Outcome report =
        Orrery.run(
                "run",
                "--trace",
                trace.toString(),
                "--set",
                "trace.blockSize=16",
                "-o",
                folder.resolve("out").toString())
            .succeeded();

    assertThat(stats.out()).doesNotContain("NaN", "Infinity");
    assertThat(report.out()).doesNotContain("NaN", "Infinity");
    assertThat(Files.readString(folder.resolve("out/summary.json")))
        .doesNotContain("NaN", "Infinity");
  }

  /** vllm-project/vllm#56730 and vllm-project/aibrix#2505: outputs are as long as recorded. */
  @Test
  @Tag("report-39")
  @Tag("report-42")
  void outputsAreAsLongAsRecorded() throws IOException {
    JsonNode summary = summary(List.of(row(0, 100, 5_000), row(1, 100, 17), row(2, 100, 1)));

    assertThat(summary.at("/tokens/output").intValue()).isEqualTo(5_000 + 17 + 1);
    assertThat(whole(summary, "completed")).isEqualTo(3);
  }

  /** vllm-project/guidellm#620: twice the speed is half the time, under every name. */
  @Test
  @Tag("report-40")
  void twiceTheSpeedIsHalfTheTime() throws IOException {
    List<String> rows = List.of(row(1_777_312_800_000L, 10, 1), row(1_777_312_900_000L, 10, 1));
    String[] open = {"trace.dispatch=timestamps"};
    double recorded = summary(rows, open).at("/simulated_s").doubleValue();
    double faster =
        summary(rows, open[0], "trace.timestamps.speedup=2").at("/simulated_s").doubleValue();
    assertThat(recorded).isCloseTo(100, within(1.0));
    assertThat(faster).isCloseTo(50, within(1.0));

    String trace = folder.resolve("t.jsonl").toString();
    String dense = folder.resolve("dense.jsonl").toString();
    Orrery.run("trace", "scale", trace, "--load", "2", "-o", dense).succeeded();
    JsonNode scaled =
        new ObjectMapper()
            .readTree(
                Orrery.run("run", "--json", "--trace", dense, "--set", open[0]).succeeded().out());
    assertThat(scaled.at("/runs/0/summary/simulated_s").doubleValue()).isCloseTo(50, within(1.0));
  }

  /** triton-inference-server/tensorrtllm_backend#619: time per token of outputs of one token. */
  @Test
  @Tag("report-44")
  void outputsOfOneTokenHaveNoTimePerToken() throws IOException {
    Outcome outcome = run(List.of(row(0, 100, 1), row(1, 100, 0)));

    assertThat(outcome.succeeded().out()).doesNotContain("NaN", "Infinity");
    JsonNode summary = new ObjectMapper().readTree(outcome.out()).at("/runs/0/summary");
    assertThat(whole(summary, "completed")).isEqualTo(2);
    assertThat(summary.at("/tpot_ms/count").asInt(0)).isZero();
    assertThat(summary.at("/ttft_ms/count").intValue()).isEqualTo(2);
  }

  /** kubernetes-sigs/inference-perf#802: what is kept of each request grew to gigabytes. */
  @Test
  @Tag("report-45")
  void aRequestTakesFewBytesOfTheOutput() throws IOException {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      rows.add(row(50L * i, 100 + i % 500, 1 + i % 90));
    }
    Path trace = Files.write(folder.resolve("t.jsonl"), rows);
    Path out = folder.resolve("out");

    Orrery.run("run", "--trace", trace.toString(), "-o", out.toString(), "--no-charts").succeeded();
    Path without = folder.resolve("without");
    Orrery.run("run", "--trace", trace.toString(), "-o", without.toString(), "--no-parquet")
        .succeeded();

    assertThat(Files.size(out.resolve("requests.parquet"))).isLessThan(3_000 * 120);
    assertThat(without.resolve("requests.parquet")).doesNotExist();
  }
}
