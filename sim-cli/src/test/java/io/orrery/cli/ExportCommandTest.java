package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
  @TempDir Path folder;
  private Path run;
  private JsonNode summary;

  @BeforeEach
  void simulate() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    Path scenario = folder.resolve("two.yaml");
    Files.writeString(
        scenario,
        """
        trace: {files: small.jsonl, blockSize: 64}
        cluster: {pools: [{workers: 2}]}
        engine: {blockSize: 64, kvBlocks: 400}
        variants:
          - {name: in turn, set: {routing.policy: round-robin}}
          - {name: kv, set: {routing.policy: kv-aware}}
        """);
    run = folder.resolve("run");
    Orrery.run("run", scenario.toString(), "-q", "-o", run.toString()).succeeded();
    summary =
        new ObjectMapper()
            .readTree(Files.readString(run.resolve("summary.json")))
            .at("/runs/1/summary");
  }

  @Test
  void aiperfReadsTheSameNumbersAsTheSummary() throws IOException {
    Orrery.run("export", run.toString(), "--format", "aiperf-json").succeeded();
    JsonNode profile =
        new ObjectMapper()
            .readTree(Files.readString(run.resolve("export/kv/profile_export_aiperf.json")));

    assertThat(profile.at("/time_to_first_token/unit").asText()).isEqualTo("ms");
    assertThat(profile.at("/time_to_first_token/count").asInt()).isEqualTo(40);
    assertSame(profile.at("/time_to_first_token/avg"), "/ttft_ms/mean");
    assertSame(profile.at("/time_to_first_token/max"), "/ttft_ms/max");
    assertSame(profile.at("/request_latency/avg"), "/e2e_ms/mean");
    assertSame(profile.at("/inter_token_latency/avg"), "/tpot_ms/mean");
    assertSame(profile.at("/time_to_second_token/avg"), "/ttst_ms/mean");
    assertSame(profile.at("/output_sequence_length/sum"), "/tokens/output");
    assertSame(profile.at("/request_count/avg"), "/requests/completed");
    assertThat(profile.at("/request_throughput/avg").asDouble())
        .isCloseTo(40 / profile.at("/benchmark_duration/avg").asDouble(), within(1e-6));
    double before = 0;
    for (String part : List.of("min", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p99")) {
      double value = profile.at("/time_to_first_token/" + part).asDouble();
      assertThat(value).isGreaterThanOrEqualTo(before);
      before = value;
    }
  }

  private void assertSame(JsonNode found, String key) {
    assertThat(found.asDouble())
        .as(key)
        .isCloseTo(summary.at(key).asDouble(), within(1e-6 * summary.at(key).asDouble()));
  }

  @Test
  void theCsvHasTwoTables() throws IOException {
    Orrery.run("export", run.toString(), "--format", "aiperf-csv").succeeded();
    String[] lines =
        Files.readString(run.resolve("export/kv/profile_export_aiperf.csv")).split("\r\n");

    assertThat(lines[0]).isEqualTo("Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std");
    assertThat(lines[1]).startsWith("Time to First Token (ms),").matches("[^,]*(,[0-9.]*){14}");
    assertThat(lines).contains("", "Metric,Value", "Request Count,40.00");
  }

  @Test
  void everyLineOfThePrometheusTextIsASample() throws IOException {
    Orrery.run("export", run.toString(), "--format", "prometheus").succeeded();
    List<String> lines = Files.readAllLines(run.resolve("export/orrery.prom"));
    Pattern sample =
        Pattern.compile(
            "orrery_[a-z0-9_]+\\{run=\"(?:[^\"\\\\]|\\\\.)*\",seed=\"1\"(?:,[a-z]+=\"[a-z0-9.]+\")?\\}"
                + " -?[0-9]+(?:\\.[0-9]+)?");

    assertThat(lines).hasSizeGreaterThan(200);
    List<String> typed = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("# TYPE ")) {
        typed.add(line.split(" ")[2]);
      } else if (!line.startsWith("# HELP ")) {
        assertThat(line).matches(sample);
        assertThat(line).startsWith(typed.get(typed.size() - 1));
      }
    }
    assertThat(typed).doesNotHaveDuplicates().contains("orrery_ttft_ms", "orrery_hit_rate_tokens");
    assertThat(lines)
        .contains("orrery_requests_completed{run=\"in turn\",seed=\"1\"} 40")
        .anyMatch(
            line -> line.startsWith("orrery_ttft_ms{run=\"kv\",seed=\"1\",quantile=\"0.99\"}"))
        .contains("orrery_ttft_ms_count{run=\"kv\",seed=\"1\"} 40");
  }

  @Test
  void histogramsHoldEveryRequest() throws IOException {
    Orrery.run("export", run.toString(), "--format", "hgrm").succeeded();
    String text = Files.readString(run.resolve("export/in turn/ttft_ms.hgrm"));

    assertThat(text)
        .contains("Value     Percentile TotalCount 1/(1-Percentile)", "Total count    =");
    assertThat(text).containsPattern("Total count +=\\s+40\\]");
    assertThat(run.resolve("export/in turn/e2e_ms.hgrm")).isRegularFile();
    assertThat(run.resolve("export/in turn/tpot_ms.hgrm")).isRegularFile();
  }

  @Test
  void allFormatsAreWrittenUnlessSomeAreNamed() throws IOException {
    Path out = folder.resolve("elsewhere");
    String printed = Orrery.run("export", run.toString(), "-o", out.toString()).succeeded().out();

    assertThat(printed.lines()).hasSize(11);
    assertThat(out.resolve("orrery.prom")).isRegularFile();
    assertThat(out.resolve("kv/profile_export_aiperf.csv")).isRegularFile();
    String again = Files.readString(out.resolve("kv/profile_export_aiperf.json"));
    Orrery.run("export", run.toString(), "-o", out.toString()).succeeded();
    assertThat(Files.readString(out.resolve("kv/profile_export_aiperf.json"))).isEqualTo(again);
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    assertThat(Orrery.run("export", run.toString(), "--format", "xml"))
        .satisfies(outcome -> assertThat(outcome.status()).isEqualTo(2))
        .satisfies(outcome -> assertThat(outcome.err()).contains("found xml", "aiperf-json"));
    Files.delete(run.resolve("requests.parquet"));
    assertThat(Orrery.run("export", run.toString()).err()).contains("requests.parquet");
    Orrery.run("export", run.toString(), "--format", "prometheus").succeeded();
    assertThat(Orrery.run("export", folder.toString(), "--format", "prometheus").status())
        .isEqualTo(2);
  }
}
