package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is known to go wrong with routers goes wrong here, too: {@code scenarios/effects}. */
class RoutingEffectsTest {
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
  void aCreditTooHighSendsEverybodyWhereTheSystemPromptIs() throws IOException {
    Map<String, JsonNode> runs = run("shared-system-prompt");
    assertThat(of(runs, "credit-20", "/imbalance/busy"))
        .isGreaterThan(1.1 * of(runs, "credit-1", "/imbalance/busy"));
    assertThat(of(runs, "credit-20", "/ttft_ms/p50"))
        .isGreaterThan(5 * of(runs, "credit-1", "/ttft_ms/p50"));
  }

  @Test
  void replicasThatDoNotTalkHerd() throws IOException {
    Map<String, JsonNode> runs = run("replicas-herd");
    assertThat(of(runs, "apart", "/ttft_ms/p99"))
        .isGreaterThan(1.2 * of(runs, "one", "/ttft_ms/p99"));
    assertThat(of(runs, "apart", "/imbalance/busy"))
        .isGreaterThan(of(runs, "one", "/imbalance/busy"));
    assertThat(runs.get("together").at("/ttft_ms")).isEqualTo(runs.get("one").at("/ttft_ms"));
    assertThat(of(runs, "affinity-apart", "/hit_rate/tokens"))
        .isLessThan(of(runs, "affinity-together", "/hit_rate/tokens") - 0.1);
  }

  @Test
  void aLowQueueThresholdStarvesLongPrompts() throws IOException {
    Map<String, JsonNode> runs = run("queue-threshold");
    assertThat(of(runs, "no-queue", "/router/queued")).isZero();
    assertThat(of(runs, "wspt", "/router/queued")).isGreaterThan(100);
    assertThat(of(runs, "wspt", "/ttft_ms/p50"))
        .isLessThan(0.5 * of(runs, "no-queue", "/ttft_ms/p50"));
    assertThat(of(runs, "wspt", "/ttft_ms/max"))
        .isGreaterThan(5 * of(runs, "no-queue", "/ttft_ms/max"));
    assertThat(of(runs, "fcfs", "/ttft_ms/max"))
        .isLessThan(2 * of(runs, "no-queue", "/ttft_ms/max"));
  }

  @Test
  void stickySessionsStarveTheTail() throws IOException {
    Map<String, JsonNode> runs = run("sticky-sessions");
    assertThat(of(runs, "hashed", "/ttft_ms/max"))
        .isGreaterThan(of(runs, "weighed", "/ttft_ms/max"));
    assertThat(of(runs, "hashed", "/ttft_ms/p99"))
        .isGreaterThan(of(runs, "weighed", "/ttft_ms/p99"));
    assertThat(of(runs, "hashed", "/imbalance/busy"))
        .isGreaterThan(1.1 * of(runs, "weighed", "/imbalance/busy"));
    assertThat(of(runs, "hashed", "/ttft_ms/p50")).isLessThan(of(runs, "weighed", "/ttft_ms/p50"));
  }

  @Test
  void lateEventsCostHits() throws IOException {
    Map<String, JsonNode> runs = run("event-delay");
    double atOnce = of(runs, "at-once", "/hit_rate/tokens");
    assertThat(of(runs, "five-seconds", "/hit_rate/tokens")).isGreaterThan(atOnce - 0.01);
    assertThat(of(runs, "a-minute", "/hit_rate/tokens")).isLessThan(atOnce - 0.02);
    assertThat(of(runs, "a-minute-predicted", "/hit_rate/tokens"))
        .isGreaterThan(of(runs, "a-minute", "/hit_rate/tokens") + 0.01);
    assertThat(of(runs, "a-minute", "/router/estimate_error_tokens/mean"))
        .isGreaterThan(of(runs, "at-once", "/router/estimate_error_tokens/mean"));
  }
}
