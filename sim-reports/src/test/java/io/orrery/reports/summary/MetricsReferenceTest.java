package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The page of metrics says what the code says. After a change, run this test once with {@code
 * -Dorrery.regenerate=true} to write it anew.
 */
class MetricsReferenceTest {
  private static final Path PAGE = Path.of("docs/metrics.md");

  @Test
  void thePageIsWhatTheCodeSays() throws IOException {
    String page = page();
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  @Test
  void everyKeyIsUniqueAndEveryMeaningASentence() {
    Set<String> keys = new HashSet<>();
    for (MetricGroup group : Metrics.groups()) {
      for (Metric metric : group.metrics()) {
        assertThat(keys.add(metric.key())).as(metric.key()).isTrue();
        assertThat(metric.key()).matches("[a-z0-9_]+(\\.[a-z0-9_]+)*");
        assertThat(metric.meaning()).as(metric.key()).matches("[A-Z1].*\\.");
      }
    }
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Metrics

        The keys of `summary` in `--json` and `summary.json`. Dots nest: `ttft_ms.p95` is `{"ttft_ms": {"p95": …}}`. The unit is in the
        name; `_ms` and `_s` are simulated time. This page is generated from the code that computes the numbers.

        - A metric without samples is absent, never 0. Classes and tiers that a run does not use are absent as well.
        - **quantiles**: `p50 p90 p95 p99 p999 mean max count`, by nearest rank. Exact for up to a million samples; beyond that, samples are
          counted in buckets, and `relative_error` stands beside them. `mean`, `max` and `count` are always exact.
        - **level over time**: `p50 p95 p99 mean max` of something that changes over time, by how long each level lasted. What lasted no
          time does not count.
        - Numbers have at most twelve digits. Equal runs have equal summaries, digit for digit.
        - Requests that did not finish are counted, and their latencies count as far as they got.

        """);
    for (MetricGroup group : Metrics.groups()) {
      page.append("## ").append(group.title()).append("\n\n");
      page.append("| key | what | better | meaning |\n|---|---|---|---|\n");
      for (Metric metric : group.metrics()) {
        String better =
            metric.better() == Metric.Better.NEITHER
                ? ""
                : metric.better().name().toLowerCase(Locale.ROOT);
        page.append("| `")
            .append(metric.key())
            .append("` | ")
            .append(metric.shape().label())
            .append(" | ")
            .append(better)
            .append(" | ")
            .append(metric.meaning())
            .append(" |\n");
      }
      page.append('\n');
    }
    return page.toString().lines().collect(Collectors.joining("\n", "", "\n"));
  }
}
