package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What admission does and does not do, in {@code scenarios/effects}. */
class AdmissionEffectsTest {
  private static Map<String, JsonNode> run(String name) throws IOException {
    String printed =
        Orrery.run("run", "scenarios/effects/" + name + ".yaml", "--json").succeeded().out();
    Map<String, JsonNode> summaries = new LinkedHashMap<>();
    new ObjectMapper()
        .readTree(printed)
        .at("/runs")
        .forEach(each -> summaries.put(each.at("/name").asText(), each.at("/summary")));
    return summaries;
  }

  private static double of(Map<String, JsonNode> runs, String name, String metric) {
    JsonNode number = runs.get(name).at(metric);
    assertThat(number.isNumber()).as(name + metric).isTrue();
    return number.doubleValue();
  }

  @Test
  void pausingEndsThrashing() throws IOException {
    Map<String, JsonNode> runs = run("thrashing");
    assertThat(of(runs, "open", "/hit_rate/tokens")).isLessThan(0.45);
    assertThat(of(runs, "open", "/hit_rate/eviction_loss")).isGreaterThan(0.2);
    for (String paused : new String[] {"paused-at-capacity", "paused-at-thresholds"}) {
      assertThat(of(runs, paused, "/hit_rate/tokens")).isGreaterThan(0.85);
      assertThat(of(runs, paused, "/hit_rate/eviction_loss")).isLessThan(0.05);
      assertThat(of(runs, paused, "/ttft_ms/p50"))
          .isLessThan(0.05 * of(runs, "open", "/ttft_ms/p50"));
      assertThat(of(runs, paused, "/gpu_seconds/prefill"))
          .isLessThan(0.25 * of(runs, "open", "/gpu_seconds/prefill"));
      assertThat(of(runs, paused, "/admission/pauses")).isGreaterThan(50);
      // The price: who is paused waits.
      assertThat(of(runs, paused, "/pause_ms/p95")).isGreaterThan(10_000);
      assertThat(of(runs, paused, "/session_completion_s/mean"))
          .isGreaterThan(of(runs, "open", "/session_completion_s/mean"));
    }
  }

  /** Contexts of sessions that share a beginning count in full in the ledger, once in truth. */
  @Test
  void theLedgerCountsSharedBlocksForEachSession() throws IOException {
    Map<String, JsonNode> runs = run("thrashing");
    assertThat(of(runs, "paused-at-thresholds", "/admission/believed_running_tokens/mean"))
        .isGreaterThan(1.02 * of(runs, "paused-at-thresholds", "/admission/running_tokens/mean"));
  }

  @Test
  void softDemotionDoesNothingWhileTheRoutersQueueIsOff() throws IOException {
    Map<String, JsonNode> runs = run("soft-demotion");
    assertThat(runs.get("queue-off-no-jumps")).isEqualTo(runs.get("queue-off"));
    assertThat(of(runs, "queue-on", "/router/queued")).isGreaterThan(100);
    assertThat(runs.get("queue-on-no-jumps")).isNotEqualTo(runs.get("queue-on"));
    assertThat(runs.get("queue-on-demotion-only")).isEqualTo(runs.get("queue-on-no-jumps"));
    assertThat(of(runs, "queue-off", "/admission/pauses")).isGreaterThan(30);
  }
}
