package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of {@code run -o}, compared and reported again. */
class CompareCommandTest {
  @TempDir Path folder;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    SmallTrace.write(folder.resolve("small.jsonl"));
    Path file = folder.resolve("two.yaml");
    Files.writeString(
        file,
        """
        trace: {files: small.jsonl, blockSize: 64}
        cluster: {pools: [{workers: 3}]}
        engine: {blockSize: 64, kvBlocks: 400}
        variants:
          - {name: turns, set: {routing.policy: round-robin}}
          - {name: luck, set: {routing.policy: random}}
        """);
    scenario = file.toString();
  }

  private String run(String name, String... more) {
    Path out = folder.resolve(name);
    String[] all = new String[more.length + 4];
    all[0] = "run";
    all[1] = scenario;
    all[2] = "-o";
    all[3] = out.toString();
    System.arraycopy(more, 0, all, 4, more.length);
    Orrery.run(all).succeeded();
    return out.toString();
  }

  @Test
  void equalRunsAreIdentical() {
    String a = run("a");
    assertThat(Orrery.run("compare", a, run("b")).succeeded().out())
        .contains("is identical to", "turns against", "luck against");
  }

  @Test
  void seedsGiveIntervals() throws IOException {
    String a = run("a", "--seeds", "3", "--no-parquet");
    JsonNode document = Orrery.run("compare", a, "--json").json();
    JsonNode comparison = document.path("comparisons").path(0);
    assertThat(comparison.path("before").asText()).isEqualTo("turns");
    assertThat(comparison.path("after").asText()).isEqualTo("luck");
    assertThat(comparison.path("changes"))
        .anyMatch(c -> c.path("seeds").asInt() == 3 && c.has("interval_low"));
  }

  @Test
  void theTableNeedsAHundredColumnsAtMost() {
    String out =
        Orrery.run("compare", run("a"), run("b", "--set", "cluster.pools[0].workers=1"))
            .succeeded()
            .out();
    assertThat(out.lines().filter(line -> line.contains(" %") && !line.contains("against")))
        .allMatch(line -> line.length() <= 100);
    assertThat(out).contains("before", "after", "- worse");
  }

  @Test
  void pagesAreWritten() throws IOException {
    Path html = folder.resolve("c.html");
    Path markdown = folder.resolve("c.md");
    Orrery.run("compare", run("a"), "--html", html.toString(), "--markdown", markdown.toString())
        .succeeded();
    assertThat(Files.readString(html)).startsWith("<!DOCTYPE html>").contains("luck against turns");
    assertThat(Files.readString(markdown)).startsWith("# Comparison");
  }

  @Test
  void whatCannotBeComparedIsNamed() throws IOException {
    Outcome missing = Orrery.run("compare", folder.resolve("none").toString());
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("none", "cannot be read");
    Path text = Files.writeString(folder.resolve("x.json"), "{}");
    Outcome wrong = Orrery.run("compare", text.toString());
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("x.json", "expected a summary of schemaVersion 1");
  }

  @Test
  void aReportMadeAgainIsTheSame() throws IOException {
    Path a = Path.of(run("a"));
    String html = Files.readString(a.resolve("report.html"));
    Files.delete(a.resolve("report.html"));
    Orrery.run("report", a.toString()).succeeded();
    assertThat(Files.readString(a.resolve("report.html"))).isEqualTo(html);
    assertThat(Files.exists(a.resolve("summary.json"))).isTrue();

    Outcome none = Orrery.run("report", folder.toString());
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("report.json", "expected a folder of run -o");
  }
}
