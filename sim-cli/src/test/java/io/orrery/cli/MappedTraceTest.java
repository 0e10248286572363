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

/** A table of no known format, mapped by {@code trace.map} of a scenario. */
class MappedTraceTest {
  private static final String MAP = "input=prompt,output=gen,timestamp=at:s";

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("table.csv"), "at,prompt,gen,alt\n10,120,7,3000\n12,200,3,4000\n");
  }

  private Path scenario(String text) throws IOException {
    return Files.writeString(folder.resolve("s.yaml"), text);
  }

  @Test
  void aScenarioSaysWhatColumnsMean() throws IOException {
    Path scenario =
        scenario(
            "trace: {files: table.csv, map: \"" + MAP + "\", dispatch: timestamps}\nseed: 3\n");

    JsonNode run = Orrery.run("run", scenario.toString(), "--json").json();

    assertThat(run.at("/traces/0/format").textValue()).isEqualTo("mapped");
    assertThat(run.at("/runs/0/config/trace/map").textValue()).isEqualTo(MAP);
    assertThat(run.at("/runs/0/summary/tokens/input").intValue()).isEqualTo(320);
    assertThat(run.at("/runs/0/summary/simulated_s").doubleValue()).isBetween(2.0, 3.0);
  }

  @Test
  void soDoesTheCommandLine() throws IOException {
    String table = folder.resolve("table.csv").toString();

    JsonNode run =
        Orrery.run("run", "--trace", table, "--set", "trace.map=" + MAP, "--json").json();

    assertThat(run.at("/runs/0/summary/requests/completed").intValue()).isEqualTo(2);
  }

  /** As those of {@code orrery trace} have it; it has the last word. */
  @Test
  void runsHaveAnOptionForIt() throws IOException {
    Path scenario = scenario("trace: {files: table.csv, map: \"" + MAP + "\"}\n");
    String other = MAP.replace("prompt", "alt");

    JsonNode run = Orrery.run("run", scenario.toString(), "--map", other, "--json").json();
    Outcome wrong = Orrery.run("run", scenario.toString(), "--map", "input=prompt,output=gen");

    assertThat(run.at("/runs/0/config/trace/map").textValue()).isEqualTo(other);
    assertThat(run.at("/runs/0/summary/tokens/input").intValue()).isEqualTo(7000);
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("--map: trace.map: found no timestamp, expected ");
  }

  @Test
  void aPlanReadsATableAsMapped() throws IOException {
    Path scenario =
        scenario(
            """
            trace: {files: table.csv, map: "%s", dispatch: lanes}
            plan: {slo: {ttftP95: 5 s}, window: 5 s, sizes: {to: 2}}
            """
                .formatted(MAP));

    JsonNode plan = Orrery.run("plan", scenario.toString(), "--json").json();
    Outcome wrong = Orrery.run("plan", scenario.toString(), "--map", "input=prompt,output=gen");

    assertThat(plan.at("/answer").textValue()).contains("(2 at once on 1 GPU)");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("--map: trace.map: found no timestamp, expected ");
  }

  /** Each mapping is a trace of its own, though the files are the same. */
  @Test
  void variantsMayDiffer() throws IOException {
    String other = MAP.replace("prompt", "alt");
    Path scenario =
        scenario(
            """
            trace: {files: table.csv, map: "%s"}
            variants:
              - {name: short, set: {trace.map: "%s"}}
              - {name: long, set: {trace.map: "%s"}}
            """
                .formatted(MAP, MAP, other));

    JsonNode run = Orrery.run("run", scenario.toString(), "--json").json();

    assertThat(run.at("/runs/0/summary/tokens/input").intValue()).isEqualTo(320);
    assertThat(run.at("/runs/1/summary/tokens/input").intValue()).isEqualTo(7000);
  }

  @Test
  void aSweepGoesThroughMappings() throws IOException {
    Path scenario =
        scenario(
            """
            trace: {files: table.csv}
            sweep:
              list:
                - {name: short, set: {trace.map: "%s"}}
                - {name: long, set: {trace.map: "%s"}}
            """
                .formatted(MAP, MAP.replace("prompt", "alt")));
    Path out = folder.resolve("swept");

    Orrery.run("sweep", scenario.toString(), "-o", out.toString()).succeeded();

    assertThat(Files.list(out)).isNotEmpty();
  }

  @Test
  void aMappingThatMakesNoSenseIsNamed() throws IOException {
    Path scenario = scenario("trace:\n  files: table.csv\n  map: \"input=prompt,output=gen\"\n");
    Outcome missing = Orrery.run("run", scenario.toString());
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err())
        .contains(
            "s.yaml:3: trace.map: found no timestamp, expected timestamp, input and output at least");
    scenario("trace: {files: table.csv, format: azure, map: \"" + MAP + "\"}\n");
    Outcome both = Orrery.run("run", scenario.toString());
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err())
        .contains("found a column mapping beside trace.format azure, expected trace.format auto");
    scenario("trace: {files: table.csv, map: [\"" + MAP + "\"]}\n");
    assertThat(Orrery.run("run", scenario.toString()).err())
        .contains("trace.map: found a list, expected NAME=COLUMN pairs");
    scenario("trace: {files: table.csv, format: mapped}\n");
    assertThat(Orrery.run("run", scenario.toString()).status()).isEqualTo(3);
  }
}
