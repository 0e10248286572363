package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.cli.Orrery.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions of twelve sessions of the quickstart, as a file and one by one. */
class ExplainCommandTest {
  @TempDir private Path folder;

  private String run(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "scenarios/quickstart.yaml",
                "--json",
                "--set",
                "trace.lanes.limit=12",
                "--set",
                "trace.lanes.count=12"));
    arguments.addAll(List.of(more));
    return Orrery.run(arguments.toArray(String[]::new)).succeeded().out();
  }

  @Test
  void everyRowIsOneDecisionAndAddsUp() throws IOException {
    Path file = folder.resolve("decisions.jsonl");
    JsonNode document = new ObjectMapper().readTree(run("--decisions", file.toString()));
    List<String> lines = Files.readAllLines(file);
    long decisions = 0;
    for (JsonNode each : document.at("/runs")) {
      decisions += each.at("/summary/router/decisions").longValue();
      assertThat(each.at("/summary/router/regret_ms/count").longValue())
          .isEqualTo(each.at("/summary/router/decisions").longValue());
    }
    assertThat(lines).hasSize((int) decisions);
    for (String line : lines) {
      JsonNode decision = new ObjectMapper().readTree(line);
      JsonNode chosen = null;
      double fastest = Double.MAX_VALUE;
      double cheapest = Double.MAX_VALUE;
      int longest = 0;
      for (JsonNode candidate : decision.at("/candidates")) {
        fastest = Math.min(fastest, candidate.at("/first_token_ms").doubleValue());
        cheapest = Math.min(cheapest, candidate.at("/cost").asDouble(Double.MAX_VALUE));
        longest = Math.max(longest, candidate.at("/held_blocks").intValue());
        if (candidate.at("/worker").equals(decision.at("/chosen"))) {
          chosen = candidate;
        }
      }
      assertThat(decision.at("/candidates")).hasSize(8);
      assertThat(chosen).isNotNull();
      assertThat(decision.at("/regret_ms").doubleValue())
          .isCloseTo(chosen.at("/first_token_ms").doubleValue() - fastest, within(1e-3));
      assertThat(decision.at("/overlap_regret_blocks").intValue())
          .isEqualTo(longest - chosen.at("/held_blocks").intValue());
      if (decision.has("cost")) {
        assertThat(decision.at("/cost").doubleValue()).isEqualTo(cheapest);
      }
      if (decision.at("/run").asText().equals("kv-aware")) {
        double cost =
            Math.max(
                    0,
                    chosen.at("/prefill_blocks").doubleValue()
                        - chosen.at("/credit_blocks").doubleValue())
                + chosen.at("/decode_blocks").doubleValue();
        assertThat(decision.at("/cost").doubleValue()).isCloseTo(cost, within(1e-3));
        assertThat(decision.at("/believed_tokens").isNumber()).isTrue();
      }
      assertThat(decision.at("/found_tokens").isNumber()).isTrue();
    }
  }

  /** The folder of -o need not be there, and holds the decisions beside the results. */
  @Test
  void theFolderOfARunExplainsItsDecisions() throws IOException {
    Path out = folder.resolve("new/out");
    Files.createDirectories(out.resolveSibling("."));
    Path file = out.resolve("decisions.jsonl");
    run("-o", out.toString(), "--decisions", file.toString());
    assertThat(
            Orrery.run("explain", out.toString(), "--request", "synthetic-1#0").succeeded().out())
        .contains("Request synthetic-1#0 of session synthetic-1");
    assertThat(out.resolve("summary.json")).exists();
    if (Files.getFileStore(out).supportsFileAttributeView("posix")) {
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(Files.getPosixFilePermissions(out.resolve("summary.json")));
    }
    // The results of another run may take its place.
    run("-o", out.toString(), "--decisions", file.toString());
    assertThat(out.getParent().toFile().list()).containsExactly("out");
  }

  /** One session in four, compressed: the same lines as of all. */
  @Test
  void aSampleHoldsWholeSessions() throws IOException {
    Path out = folder.resolve("out");
    Path sampled = out.resolve("decisions.jsonl.gz");
    Path all = folder.resolve("all.jsonl");
    run("-o", out.toString(), "--decisions", sampled.toString(), "--decisions-sample", "4");
    run("--decisions", all.toString());
    List<String> some;
    try (BufferedReader lines = DecisionsFile.reader(sampled)) {
      some = lines.lines().toList();
    }
    Set<String> sessions = new HashSet<>();
    for (String line : some) {
      sessions.add(new ObjectMapper().readTree(line).at("/session").asText());
    }
    assertThat(some)
        .hasSizeGreaterThan(20)
        .isEqualTo(
            Files.readAllLines(all).stream()
                .filter(line -> sessions.stream().anyMatch(s -> line.contains("\"" + s + "\"")))
                .toList());
    JsonNode first = new ObjectMapper().readTree(some.get(0));
    String request = first.at("/request").asText();
    assertThat(Orrery.run("explain", out.toString(), "--request", request).succeeded().out())
        .contains("Request " + request);
  }

  @Test
  void aSampleNeedsDecisions() {
    Outcome none = Orrery.run("run", "scenarios/quickstart.yaml", "--decisions-sample", "4");
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("--decisions-sample: found no --decisions beside it");
    Outcome zero =
        Orrery.run(
            "run",
            "scenarios/quickstart.yaml",
            "--decisions",
            folder.resolve("d.csv").toString(),
            "--decisions-sample",
            "0");
    assertThat(zero.err()).contains("--decisions-sample: found 0, expected at least 1");
  }

  @Test
  void recordingChangesNothingElse() throws IOException {
    JsonNode without = new ObjectMapper().readTree(run());
    JsonNode with =
        new ObjectMapper().readTree(run("--decisions", folder.resolve("d.csv").toString()));
    for (int i = 0; i < without.at("/runs").size(); i++) {
      assertThat(with.at("/runs/" + i + "/summary/ttft_ms"))
          .isEqualTo(without.at("/runs/" + i + "/summary/ttft_ms"));
      assertThat(without.at("/runs/" + i + "/summary/router/regret_ms").isMissingNode()).isTrue();
    }
    List<String> csv = Files.readAllLines(folder.resolve("d.csv"));
    assertThat(csv.get(0)).startsWith("run,request,session,copy,time_ms,");
    assertThat(csv).hasSizeGreaterThan(500);
  }

  @Test
  void oneDecisionReadsAsATableAndAsSentences() throws IOException {
    Path file = folder.resolve("decisions.jsonl");
    run("--decisions", file.toString());
    JsonNode some = new ObjectMapper().readTree(Files.readAllLines(file).get(200));
    String request = some.at("/request").asText();
    Outcome outcome =
        Orrery.run("explain", folder.toString(), "--request", request, "--run", "kv-aware");
    assertThat(outcome.succeeded().out())
        .startsWith("Request " + request + " of session ")
        .contains("prefill blocks", "decode blocks", "held blocks", "first token ms", "chosen")
        .containsPattern("Worker \\d won ")
        .contains("By the step-time model ")
        .contains("The router believed ")
        .contains("; the engine found ");
    assertThat(Orrery.run("explain", folder.toString(), "--request", "nobody"))
        .satisfies(
            refused -> {
              assertThat(refused.status()).isEqualTo(2);
              assertThat(refused.err()).contains("found no decision about request nobody");
            });
    assertThat(Orrery.run("explain", "nowhere", "--request", "x").status()).isEqualTo(2);
    assertThat(Orrery.run("run", "scenarios/quickstart.yaml", "--decisions", "x.txt").err())
        .contains("expected a name in .jsonl or .csv");
  }
}
