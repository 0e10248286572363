package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as its users see it, on the five rows of the documentation. */
class FidelityCommandTest {
  private static final String EXAMPLE = "docs/examples/closed-loops.csv";

  @TempDir Path folder;

  @Test
  void jsonHoldsRowsMediansAndGroups() throws IOException {
    String printed = Orrery.run("fidelity", EXAMPLE, "--json").succeeded().out();
    JsonNode root = new ObjectMapper().readTree(printed);
    assertThat(root.get("schemaVersion").asInt()).isEqualTo(1);
    assertThat(root.get("rows")).hasSize(5);
    for (String metric : new String[] {"ttft", "tpot", "throughput"}) {
      assertThat(root.get("median_ape").get(metric).asDouble()).isBetween(0.0, 0.5);
    }
    assertThat(root.get("groups")).hasSize(5);
    assertThat(root.get("groups").get(0).get("engine").asText()).isEqualTo("vllm");
    JsonNode row = root.get("rows").get(0);
    assertThat(row.get("judged_by").asText()).isEqualTo("leave_model_out");
    assertThat(row.get("measured").get("ttft_ms").asDouble()).isEqualTo(59.3);
    assertThat(row.get("told").has("closed_form")).isTrue();
    assertThat(row.get("told").has("leave_gpu_out")).isTrue();
  }

  @Test
  void threadsDoNotChangeTheBytes() {
    String one = Orrery.run("fidelity", EXAMPLE, "--json", "--threads", "1").succeeded().out();
    assertThat(Orrery.run("fidelity", EXAMPLE, "--json", "--threads", "2").succeeded().out())
        .isEqualTo(one);
  }

  @Test
  void theFolderHoldsPageChartAndDocument() throws IOException {
    Path out = folder.resolve("out");
    Orrery.run("fidelity", EXAMPLE, "-o", out.toString()).succeeded();
    String page = Files.readString(out.resolve("fidelity.md"));
    assertThat(page)
        .startsWith("# Fidelity: told and measured serving\n\n5 measurements,")
        .contains("![Scatter plot of told against measured", "](fidelity.svg)")
        .contains("| vllm | gpt-oss-120b | w4a16_mxfp4 | h100 | 3 |");
    String chart = Files.readString(out.resolve("fidelity.svg"));
    assertThat(chart)
        .contains("<svg", ">Scatter plot of told", "Time per output token, ms", "</svg");
    JsonNode root = new ObjectMapper().readTree(out.resolve("fidelity.json").toFile());
    assertThat(root.get("rows")).hasSize(5);
  }

  @Test
  void filtersLeaveWhatFits() {
    String printed =
        Orrery.run("fidelity", EXAMPLE, "--filter", "system=h100", "--filter", "concurrency=16")
            .succeeded()
            .out();
    assertThat(printed).contains("gpt-oss-120b w4a16_mxfp4 h100").doesNotContain("llama");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --filter color=red          | --filter: found color=red, expected KEY=VALUE with one of system
          --filter engine             | --filter: found engine, expected KEY=VALUE
          --filter engine=sglang      | found no measurement
          --step-time roofline        | --step-time: found roofline, expected law or table
          --step-time table           | --perf-data: found nothing, expected the folder
          --perf-data nowhere         | --perf-data: found nowhere, which is no folder
          --threads 0                 | --threads: found 0, expected at least 1
          docs                        | docs: found a folder, expected measurements
          nothing.csv                 | nothing.csv: found no such file, expected measurements
          """)
  void badInputIsRefused(String arguments, String message) {
    String[] words = ("fidelity " + EXAMPLE + " " + arguments).split(" ");
    Outcome outcome = Orrery.run(words);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains(message);
  }
}
