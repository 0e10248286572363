package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The public measurements, all of them (a few minutes). What the command writes is what {@code
 * reports/fidelity.md} says, but for the last section, which is written by hand; {@code
 * -Dorrery.regenerate=true} writes page and chart anew.
 */
class FidelityIT {
  private static final Path PAGE = Path.of("reports/fidelity.md");
  private static final Path CHART = Path.of("reports/fidelity.svg");
  private static final String BY_HAND = "## What is off, and why\n";

  @TempDir Path folder;

  private static Path measured(String name) {
    Path file =
        Path.of(System.getProperty("orrery.data", "no-such-folder"), "groundtruth").resolve(name);
    assumeTrue(Files.exists(file), "skipped: needs " + name + " (-Dorrery.data=DIR)");
    return file;
  }

  @Test
  void thePublicMeasurementsAreToldWithinTheBars() throws IOException {
    List<String> words = new ArrayList<>(List.of("fidelity"));
    words.add(measured("inferencex_closed_loop.csv").toString());
    for (String run : List.of("RTX4090-Llama-3.1-8B", "RTXPRO6000-Qwen3-32B")) {
      words.add(measured("vllm-0.19-requests/" + run + ".vllm_requests.jsonl").toString());
    }
    Path out = folder.resolve("out");
    words.addAll(List.of("-o", out.toString(), "--json"));
    JsonNode root = Orrery.run(words.toArray(String[]::new)).json();

    String told = Files.readString(out.resolve("fidelity.md"));
    String kept = Files.readString(PAGE);
    int byHand = kept.indexOf(BY_HAND);
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(PAGE, told + "\n" + (byHand < 0 ? BY_HAND : kept.substring(byHand)));
      Files.copy(out.resolve("fidelity.svg"), CHART, StandardCopyOption.REPLACE_EXISTING);
    } else {
      assertThat(kept.substring(0, Math.max(0, byHand - 1)))
          .as(PAGE + ", which -Dorrery.regenerate=true writes anew")
          .isEqualTo(told);
    }
    closedLoops(root);
    openLoops(root);
  }

  /** Medians, each model judged by constants that were fitted without it. */
  private static void closedLoops(JsonNode root) {
    assertThat(root.get("rows").size() + root.get("skipped").size()).isEqualTo(1028 + 4);
    assertThat(median(root, "vllm", "tpot")).isLessThan(0.09);
    assertThat(median(root, "vllm", "ttft")).isLessThan(0.25);
    assertThat(median(root, "trtllm", "tpot")).isLessThan(0.13);
    assertThat(median(root, "trtllm", "ttft")).isLessThan(0.25);
  }

  private static double median(JsonNode root, String engine, String metric) {
    List<Double> errors = new ArrayList<>();
    for (JsonNode row : root.get("rows")) {
      if (row.get("engine").asText().equals(engine)
          && row.get("judged_by").asText().equals("leave_model_out")) {
        errors.add(row.get("ape").get(metric).asDouble());
      }
    }
    errors.sort(null);
    return errors.get(errors.size() / 2);
  }

  /** vLLM 0.19 on two RTX PRO 6000: 10 % as shipped, 3 % where the first half was fitted. */
  private static void openLoops(JsonNode root) {
    for (JsonNode row : root.get("rows")) {
      boolean fitted = row.get("judged_by").asText().equals("first_half");
      if (row.get("system").asText().equals("rtx-pro-6000")) {
        for (String metric : List.of("tpot", "e2e")) {
          assertThat(row.get("ape").get(metric).asDouble())
              .as(metric + " of requests " + row.get("requests").asText())
              .isLessThan(fitted ? 0.03 : 0.10);
        }
      }
    }
    JsonNode pool = root.get("pools").get(0);
    assertThat(pool.get("told_blocks").asDouble() / pool.get("measured_blocks").asDouble())
        .isBetween(0.9, 1.1);
  }
}
