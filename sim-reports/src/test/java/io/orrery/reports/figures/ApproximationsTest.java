package io.orrery.reports.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ApproximationsTest {
  private static RunReport run(String name, Object... numbers) {
    Map<String, Number> values = new LinkedHashMap<>();
    for (int i = 0; i < numbers.length; i += 2) {
      values.put((String) numbers[i], (Number) numbers[i + 1]);
    }
    return new RunReport(name, Map.of(), "", "", Map.of(), Summary.of(values), List.of());
  }

  @Test
  void whatIsExactNeedsNoWords() {
    assertThat(Approximations.of(List.of(run("a", "ttft_ms.p50", 3.5, "ttft_ms.count", 9L))))
        .isEmpty();
  }

  @Test
  void percentilesFromBucketsAreNamedOnce() {
    RunReport one = run("a", "ttft_ms.p50", 3.5, "ttft_ms.relative_error", 0.002);
    RunReport other =
        run("b", "ttft_ms.relative_error", 0.002, "concurrency.live.relative_error", 0.001);

    assertThat(Approximations.of(List.of(one, other)))
        .containsExactly(
            "Percentiles of ttft_ms, concurrency.live are read from buckets, since there are more than a"
                + " million samples: at most 0.2 % off. Means, counts and extremes are exact.");
  }

  @Test
  void aRunTooLongForItsBoundSaysSo() {
    RunReport run = run("kv-aware", "hit_rate.tokens", 0.5, "hit_rate.look_up_limit", 8_000_000L);

    assertThat(Approximations.of(List.of(run)))
        .containsExactly(
            "Not told: how much placement and eviction lose, since there were more look-ups than the"
                + " 8,000,000 runs of blocks that are kept for that (hit_rate.look_up_limit).");
    assertThat(Approximations.of(List.of(run, run("b"))).get(0)).startsWith("Not told of kv-aware");
  }
}
