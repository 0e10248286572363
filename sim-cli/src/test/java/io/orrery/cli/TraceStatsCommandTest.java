package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code orrery trace stats} says of traces, with and without blocks. */
class TraceStatsCommandTest {
  @TempDir Path folder;

  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
  }

  @Test
  void statsAreATableOfAtMostAHundredColumns() {
    Outcome outcome = files.run("trace stats @small.jsonl --block-size 64").succeeded();

    assertThat(outcome.out())
        .startsWith("small.jsonl: mooncake, 40 requests in 10 sessions, over ")
        .contains("input tokens", "resent tokens of a turn", "between sessions", "routing can add");
    assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void statsAsJsonHaveAVersion() throws IOException {
    JsonNode stats = files.run("trace stats @small.jsonl --block-size 64 --json").json();

    assertThat(stats.at("/schemaVersion").intValue()).isEqualTo(1);
    assertThat(stats.at("/format").textValue()).isEqualTo("mooncake");
    assertThat(stats.at("/requests").intValue()).isEqualTo(40);
    assertThat(stats.at("/sessions").intValue()).isEqualTo(10);
    assertThat(stats.at("/distributions/turns/max").intValue()).isEqualTo(4);
    assertThat(stats.at("/distributions/inter_arrival_s/p50").doubleValue()).isEqualTo(0.07);
    assertThat(stats.at("/distributions/other_wait_s/mean").doubleValue()).isEqualTo(0.04);
    assertThat(stats.at("/routing/by_workers/2/workers").intValue()).isEqualTo(8);
    double atBest = stats.at("/reuse/share").doubleValue();
    double atRandom = stats.at("/routing/by_workers/2/random_share").doubleValue();
    assertThat(stats.at("/routing/by_workers/2/upside_share").doubleValue())
        .isCloseTo(atBest - atRandom, within(1e-8));
    assertThat(stats.at("/reuse/by_time_kept/8/kept_s").isNull()).isTrue();
  }

  /** The description's digest is of the files, and so another one. */
  @Test
  void aTraceHasOneContentDigestWhateverFileHoldsIt() throws IOException {
    files.run("trace convert @small.jsonl --block-size 64 -o @small.parquet").succeeded();

    JsonNode rows = files.run("trace stats @small.jsonl --block-size 64 --json").json();
    JsonNode columns = files.run("trace stats @small.parquet --json").json();

    assertThat(rows.at("/content_digest").textValue()).matches("[0-9a-f]{64}");
    assertThat(columns.at("/content_digest")).isEqualTo(rows.at("/content_digest"));
    assertThat(columns.at("/trace/digest")).isNotEqualTo(rows.at("/trace/digest"));
  }

  @Test
  void statsOfATraceWithoutBlocksSayThatHitRatesAreUnknown() throws IOException {
    Path azure = folder.resolve("azure.csv");
    Files.writeString(
        azure,
        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
            + "2023-11-16 18:17:03.9799600,4808,10\n"
            + "2023-11-16 18:17:04.0319600,3180,8\n");

    assertThat(files.run("trace stats @azure.csv").succeeded().out())
        .contains("neither are hit rates")
        .doesNotContain("found");
    JsonNode stats = files.run("trace stats @azure.csv --json").json();
    assertThat(stats.get("reuse").isNull()).isTrue();
    assertThat(stats.get("routing").isNull()).isTrue();
  }

  @Test
  void statsSayWhereStartsStandOnTicks() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      rows.append("{\"timestamp\":")
          .append(i / 10 * 3000)
          .append(",\"input_length\":100,\"output_length\":5,\"hash_ids\":[")
          .append(i)
          .append("]}\n");
    }
    Files.writeString(folder.resolve("ticks.jsonl"), rows);

    assertThat(files.run("trace stats @ticks.jsonl").succeeded().out())
        .contains("Most of them start at the time of\nanother");
    assertThat(files.run("trace stats @small.jsonl --block-size 64").succeeded().out())
        .doesNotContain("at the time of another");
  }

  @Test
  void statsAreAPage() throws IOException {
    files.run("trace stats @small.jsonl --block-size 64 --html @stats.html").succeeded();

    assertThat(Files.readString(folder.resolve("stats.html")))
        .startsWith("<!DOCTYPE html>")
        .contains("What routing can change", "Input found in a cache of any size", "Working set")
        .contains("SHA-256")
        .doesNotContain("src=\"http", "NaN");
  }
}
