package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
  @TempDir Path folder;
  private String trace;
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    trace = SmallTrace.write(folder.resolve("small.jsonl")).toString();
    Path file = folder.resolve("routers.yaml");
    Files.writeString(
        file,
        """
        trace: {files: small.jsonl, blockSize: 64}
        cluster: {pools: [{workers: 3}]}
        engine: {blockSize: 64, kvBlocks: 400}
        variants:
          - {name: turns, set: {routing.policy: round-robin}}
          - {name: luck, set: {routing.policy: random}}
          - {name: kv, set: {routing.policy: kv-aware}}
        """);
    scenario = file.toString();
  }

  private Path path(String name) {
    return folder.resolve(name);
  }

  @Test
  void printsATableOnStdoutAndEverythingElseOnStderr() {
    Outcome outcome = Orrery.run("run", scenario).succeeded();

    assertThat(outcome.out())
        .startsWith("routers: small.jsonl (mooncake), 40 requests in 10 sessions on 3 workers")
        .contains("TTFT p95", "turns", "luck", "kv", "+ best, - worst")
        .doesNotContain("\u001b", "replayed");
    assertThat(outcome.err())
        .contains("Dispatch is closed-loop")
        .contains("120 requests replayed in ");
  }

  @Test
  void printsOneJsonDocument() throws IOException {
    JsonNode document = json(Orrery.run("run", scenario, "--json").succeeded());

    assertThat(document.get("schemaVersion").intValue()).isEqualTo(1);
    assertThat(document.get("version").textValue()).isEqualTo(Version.current());
    assertThat(document.get("name").textValue()).isEqualTo("routers");
    assertThat(document.get("assumptions")).isNotEmpty();
    JsonNode source = document.get("traces").get(0);
    assertThat(source.get("format").textValue()).isEqualTo("mooncake");
    assertThat(source.get("files").get(0).get("name").textValue()).isEqualTo("small.jsonl");
    assertThat(source.get("files").get(0).get("sha256").textValue()).hasSize(64);
    assertThat(document.get("runs")).hasSize(3);
    for (JsonNode run : document.get("runs")) {
      assertThat(run.get("config").get("engine").get("blockSize").intValue()).isEqualTo(64);
      assertThat(run.get("digest").textValue()).matches("[0-9a-f]{64}");
      assertThat(run.get("trace")).isEqualTo(source.get("digest"));
      assertThat(run.get("summary").get("requests").get("completed").intValue()).isEqualTo(40);
      assertThat(run.get("summary").get("ttft_ms").get("count").intValue()).isEqualTo(40);
    }
    assertThat(document.at("/runs/2/name").textValue()).isEqualTo("kv");
    assertThat(document.at("/runs/2/config/routing/policy").textValue()).isEqualTo("kv-aware");
  }

  /** Ten requests with the same two blocks, ninety of the same length without hashes. */
  @Test
  void aBoundIsOneOfTheInputThatIsKnown() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      rows.append("{\"timestamp\": ").append(i).append(", \"input_length\": 1024,");
      rows.append(" \"output_length\": 5").append(i < 10 ? ", \"hash_ids\": [1, 2]}\n" : "}\n");
    }
    Path half = Files.writeString(path("half.jsonl"), rows);
    Path out = path("half");

    String printed =
        Orrery.run("run", "--trace", half.toString(), "-o", out.toString()).succeeded().out();

    assertThat(printed.replace("\n", " "))
        .contains(
            "90.0 % of the input has no identity and is never found; of the known input 88.6 %")
        .contains("no cache could give more than 88.6 % of it")
        .doesNotContain("reuses more than");
    JsonNode document = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    assertThat(document.at("/runs/0/summary/hit_rate/unidentified_share").doubleValue())
        .isEqualTo(0.9);
    Orrery.run("report", out.toString()).succeeded();
    assertThat(Files.readString(out.resolve("report.md")))
        .contains("no cache reuses more than, if all input without identity is new | 8.9 %")
        .contains(
            "of 90.0 % of the input, which has no identity, nobody knows; 88.6 % of the known")
        .contains("of the known input, 88.6 % did");
  }

  @Test
  void partsSumToWholes() throws IOException {
    for (JsonNode run : json(Orrery.run("run", scenario, "--json").succeeded()).get("runs")) {
      JsonNode summary = run.get("summary");
      assertThat(sum(summary.get("ledger_tokens")))
          .isEqualByComparingTo(number(summary, "/tokens/input"));
      assertThat(sum(summary.get("misplaced_tokens")))
          .isEqualByComparingTo(number(summary, "/ledger_tokens/misplaced"));
      assertThat(sum(summary.get("gpu_seconds")))
          .isEqualByComparingTo(number(summary, "/simulated_s").multiply(BigDecimal.valueOf(3)));
      assertThat(summary.at("/hit_rate/tokens").doubleValue())
          .isLessThanOrEqualTo(summary.at("/hit_rate/bound").doubleValue());
    }
  }

  private static BigDecimal sum(JsonNode parts) {
    BigDecimal sum = BigDecimal.ZERO;
    for (JsonNode part : parts) {
      sum = sum.add(new BigDecimal(part.asText()));
    }
    return sum;
  }

  private static BigDecimal number(JsonNode node, String path) {
    return new BigDecimal(node.at(path).asText());
  }

  @Test
  void theSameInputsGiveTheSameBytesWithAnyNumberOfThreads() {
    String once = Orrery.run("run", scenario, "--json", "--threads", "1").succeeded().out();

    for (String threads : List.of("1", "2", "3", "17")) {
      assertThat(Orrery.run("run", scenario, "--json", "--threads", threads).out()).isEqualTo(once);
    }
    String table = Orrery.run("run", scenario, "--threads", "1").out();
    assertThat(Orrery.run("run", scenario, "--threads", "3").out()).isEqualTo(table);
  }

  @Test
  void theSeedDecidesWhatIsDrawnAndNothingElse() throws IOException {
    JsonNode one = json(Orrery.run("run", scenario, "--json", "--seed", "1").succeeded());
    JsonNode two = json(Orrery.run("run", scenario, "--json", "--seed", "2").succeeded());

    assertThat(two.at("/runs/2/config/seed").intValue()).isEqualTo(2);
    assertThat(two.at("/runs/0/summary")).isEqualTo(one.at("/runs/0/summary"));
    assertThat(two.at("/runs/1/summary")).isNotEqualTo(one.at("/runs/1/summary"));
    assertThat(two.at("/runs/1/digest")).isNotEqualTo(one.at("/runs/1/digest"));
  }

  @Test
  void theCommandLineHasTheLastWord() throws IOException {
    Outcome outcome =
        Orrery.run("run", scenario, "--json", "--set", "routing.policy=least-loaded").succeeded();

    for (JsonNode run : json(outcome).get("runs")) {
      assertThat(run.at("/config/routing/policy").textValue()).isEqualTo("least-loaded");
    }
    assertThat(outcome.err()).contains("overrides what the variants set");
    assertThat(Orrery.run("run", scenario, "--set", "routing.policy=least-loaded").out())
        .contains("identical results");
  }

  @Test
  void withoutAScenarioDefaultsHoldAndAreNamed() {
    Outcome outcome = Orrery.run("run", "--trace", trace, "--set", "trace.blockSize=64");

    assertThat(outcome.succeeded().err())
        .startsWith("No scenario file, so defaults hold: 1 worker, 1 b200 GPU, qwen3-coder-30b-a3b")
        .contains("vllm-2026-07", "routing round-robin", "step times by law");
    assertThat(outcome.out()).startsWith("run: small.jsonl (mooncake)").doesNotContain("best");
  }

  @Test
  void quietMeansOnlyErrors() {
    assertThat(Orrery.run("run", scenario, "--quiet").succeeded().err()).isEmpty();
    assertThat(Orrery.run("run", scenario, "-q", "--set", "seed=x").err()).contains("seed");
  }

  @Test
  void colourIsForTerminalsUnlessAskedFor() {
    Terminal screen = new Terminal(true, true, true, false);

    assertThat(Orrery.run(screen, "run", scenario).out()).contains("\u001b[3");
    assertThat(Orrery.run(screen, "run", scenario, "--color", "never").out())
        .doesNotContain("\u001b");
    assertThat(Orrery.run("run", scenario, "--color=always").out()).contains("\u001b[3");
    assertThat(Orrery.run("run", scenario, "--color", "sometimes").status()).isEqualTo(2);
  }

  @Test
  void aWideTerminalShowsHowTtftWent() {
    Terminal wide = new Terminal(true, true, false, false, true);

    assertThat(Orrery.run(wide, "run", scenario).out())
        .containsPattern(
            "Mean TTFT from start to end, up to .*\n  turns  .*█|  luck   .*█|  kv     .*█");
    assertThat(Orrery.run("run", scenario).out()).doesNotContain("█");
    assertThat(Orrery.run(wide, "run", scenario, "--json").out()).doesNotContain("█");
  }

  @Test
  void writesAllOfItsFilesIntoAFolder() throws IOException {
    Path out = path("deep/er/out");
    String json =
        Orrery.run("run", scenario, "--json", "--csv", "-o", out.toString()).succeeded().out();

    assertThat(names(out))
        .containsExactly(
            "charts",
            "report.html",
            "report.json",
            "report.md",
            "requests.csv",
            "requests.parquet",
            "run.yaml",
            "sessions.csv",
            "sessions.parquet",
            "summary.json",
            "timeseries.csv",
            "timeseries.parquet",
            "workers.csv",
            "workers.parquet");
    assertThat(names(out.getParent())).containsExactly("out");
    assertThat(out.resolve("summary.json")).hasContent(json.strip());
    assertThat(Files.readString(out.resolve("summary.json"))).isEqualTo(json);
    List<String> requests = Files.readAllLines(out.resolve("requests.csv"));
    assertThat(requests).hasSize(1 + 3 * 40);
    assertThat(requests.get(1)).startsWith("turns,");
    assertThat(Files.readString(out.resolve("run.yaml")))
        .contains("# turns\n", "---\n# kv\n")
        .contains("workers: 3  # " + scenario + ":2")
        .contains("policy: kv-aware  # variant kv (" + scenario + ":7)")
        .contains("maxSequences: 1024  # preset vllm-2026-07");

    // A second run takes the place of the first.
    Orrery.run("run", scenario, "--seed", "9", "-o", out.toString()).succeeded();
    assertThat(Files.readString(out.resolve("summary.json"))).contains("\"seed\": 9");
  }

  @Test
  void chartsAreSvgAndOnDemandPngAsWell() throws IOException {
    Path svg = path("svg");
    Path both = path("both");
    Path none = path("none");
    Orrery.run("run", scenario, "--no-parquet", "-o", svg.toString()).succeeded();
    Orrery.run("run", scenario, "--no-parquet", "--png", "-o", both.toString()).succeeded();
    Orrery.run("run", scenario, "--no-parquet", "--no-charts", "-o", none.toString()).succeeded();

    List<String> drawn = names(svg.resolve("charts"));
    assertThat(drawn).contains("ttft-cdf.svg").allMatch(name -> name.endsWith(".svg"));
    assertThat(names(both.resolve("charts")))
        .containsAll(drawn)
        .contains("ttft-cdf.png")
        .hasSize(2 * drawn.size());
    assertThat(names(none)).contains("report.html").doesNotContain("charts");
    Orrery.run("report", svg.toString()).succeeded();
    assertThat(names(svg.resolve("charts"))).isEqualTo(names(both.resolve("charts")));

    Orrery.Outcome refused =
        Orrery.run("run", scenario, "--png", "--no-charts", "-o", path("x").toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err())
        .contains("--png: found --no-charts beside it, expected one of the two");
  }

  @Test
  void theEffectiveConfigurationOfASingleRunRunsAgain() throws IOException {
    Path out = path("out");
    Path single = path("single.yaml");
    Files.writeString(
        single, "trace: {files: small.jsonl, blockSize: 64}\nengine: {blockSize: 64}\n");
    String first = Orrery.run("run", single.toString(), "--json", "-o", out.toString()).out();
    Path again = Files.copy(out.resolve("run.yaml"), path("again.yaml"));

    String second = Orrery.run("run", again.toString(), "--json").succeeded().out();

    assertThat(second.replace("\"again\"", "\"single\"")).isEqualTo(first);
  }

  @Test
  void doesNotWriteIntoAFolderOfOthers() throws IOException {
    Path out = Files.createDirectory(path("out"));
    Files.writeString(out.resolve("thesis.tex"), "years of work");

    Outcome outcome = Orrery.run("run", scenario, "-o", out.toString());

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "orrery: -o "
                    + out
                    + ": found thesis.tex, which is none of our reports; expected an empty or new"
                    + " folder, or --force"
                    + System.lineSeparator()));
    Orrery.run("run", scenario, "-o", out.toString(), "--force").succeeded();
    assertThat(names(out)).contains("summary.json", "thesis.tex");
  }

  @Test
  void refusesPlacesThatCannotBeWrittenBeforeItWorks() {
    assertThat(Orrery.run("run", scenario, "-o", trace).err()).contains("found a file");
    assertThat(Orrery.run("run", scenario, "-o", trace + "/out").err()).contains("is a file");
    assertThat(Orrery.run("run", scenario, "--timing", folder.toString()).err())
        .contains("found a folder");
    assertThat(Orrery.run("run", scenario, "--timing", path("no/t.json").toString()))
        .satisfies(outcome -> assertThat(outcome.status()).isEqualTo(2))
        .satisfies(outcome -> assertThat(outcome.err()).contains("in a folder that exists"));
  }

  @Test
  void aFailedRunLeavesNothingBehind() throws IOException {
    Files.writeString(path("bad.jsonl"), "{\"timestamp\": 0}\n");
    List<String> before = names(folder);

    Outcome outcome =
        Orrery.run(
            "run",
            scenario,
            "--trace",
            path("bad.jsonl").toString(),
            "-o",
            path("out").toString(),
            "--timing",
            path("timing.json").toString());

    assertThat(outcome.status()).isEqualTo(3);
    assertThat(outcome.out()).isEmpty();
    assertThat(names(folder)).isEqualTo(before);
  }

  @Test
  void wallClockTimesGoToAFileOfTheirOwn() throws IOException {
    Path file = path("timing.json");

    String json =
        Orrery.run("run", scenario, "--json", "--timing", file.toString()).succeeded().out();

    JsonNode timing = new ObjectMapper().readTree(file.toFile());
    assertThat(timing.get("load_ms").doubleValue()).isPositive();
    assertThat(timing.get("runs")).hasSize(3);
    assertThat(timing.at("/runs/2/name").textValue()).isEqualTo("kv");
    assertThat(timing.at("/runs/2/replay_ms").doubleValue()).isPositive();
    assertThat(timing.get("process_ms").doubleValue()).isPositive();
    assertThat(json).doesNotContain("replay_ms", "process_ms", "rss");
    assertThat(names(folder)).noneMatch(name -> name.contains("partial"));
  }

  @Test
  void aPromptLargerThanThePoolIsRejectedAndCounted() throws IOException {
    Outcome outcome =
        Orrery.run("run", scenario, "--json", "--set", "engine.kvBlocks=8").succeeded();

    JsonNode requests = json(outcome).at("/runs/0/summary/requests");
    assertThat(requests.get("rejected").intValue()).isPositive();
    assertThat(requests.get("rejected").intValue() + requests.get("completed").intValue())
        .isEqualTo(40);
    assertThat(requests.get("dispatched").intValue()).isEqualTo(40);
  }

  @Test
  void threadsAreAtLeastOne() {
    assertThat(Orrery.run("run", scenario, "--threads", "0"))
        .isEqualTo(
            new Outcome(
                2, "", "orrery: --threads: found 0, expected at least 1" + System.lineSeparator()));
    assertThat(Orrery.run("run", scenario, "--threads", "many").status()).isEqualTo(2);
  }

  private static JsonNode json(Outcome outcome) throws IOException {
    return new ObjectMapper().readTree(outcome.out());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
