package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that a trace, a scenario or a file's name holds takes over the terminal. */
class PrintableOutputTest {
  private static final String CLEAR = "\u001b[2J";

  @TempDir Path folder;
  private TraceFolder files;

  @BeforeEach
  void write() throws IOException {
    files = new TraceFolder(folder);
  }

  private void trace(String name, String... rows) throws IOException {
    Files.writeString(folder.resolve(name), String.join("\n", rows) + "\n");
  }

  private static String row(String id, String timestamp) {
    return ("{\"request_id\":\"%s\",\"timestamp\":%s,\"input_length\":64,\"output_length\":1,"
            + "\"hash_ids\":[1]}")
        .formatted(id, timestamp);
  }

  private static void assertPrintable(Outcome outcome) {
    assertThat(outcome.out() + outcome.err())
        .matches(
            text ->
                text.chars()
                    .noneMatch(
                        c ->
                            (Character.isISOControl(c) && c != '\n')
                                || (c >= 0x202a && c <= 0x202e)
                                || (c >= 0x2066 && c <= 0x2069)),
            "nothing but printed characters and line ends");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"trace validate @bad", "trace stats @bad", "trace head @bad", "run --trace @bad"})
  void aValueThatIsRefusedIsShownInEscapes(String line) throws IOException {
    trace("bad", row("a", "\"\\u001b[2J\\u202e\\u009b31m\\n\""));

    Outcome outcome = files.run(line);

    assertThat(outcome.status()).isEqualTo(3);
    assertPrintable(outcome);
    assertThat((outcome.out() + outcome.err()).replace("\n  ", " "))
        .contains("bad:1:", "found the string \"\\u001b[2J\\u202e\\u009b31m\\n\", expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trace validate @t", "trace stats @t", "trace head @t", "run --trace @t"})
  void halfAnEmojiIsShownInEscapes(String line) throws IOException {
    trace("t", row("?", "0"), row("\\ud83d", "1"));

    Outcome outcome = files.run(line);

    assertThat(outcome.status()).isEqualTo(3);
    assertThat((outcome.out() + outcome.err()).replace("\n  ", " "))
        .contains("t:2:", "found the string \"\\ud83d\", expected text without half a surrogate");
  }

  @Test
  void anIdStaysInItsCell() throws IOException {
    trace("t", row("a\\nb\\u001b[2J\\u2066", "0"), row("c", "1"));

    Outcome outcome = files.run("trace head @t").succeeded();

    assertPrintable(outcome);
    List<String> lines = outcome.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).startsWith("a\\nb\\u001b[2J\\u2066  ");
    assertThat(lines.get(2)).hasSameSizeAs(lines.get(1));
  }

  @Test
  void aDocumentHoldsTheIdItself() throws IOException {
    trace("t", row("a\\nb\\u001b[2J\\u009b\\u2066", "0"));

    Outcome outcome = files.run("trace head @t --json");

    assertPrintable(outcome);
    assertThat(outcome.json().at("/head/0/request").textValue())
        .isEqualTo("a\nb" + CLEAR + "\u009b\u2066");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trace validate", "trace stats", "trace head", "run --trace"})
  void aFileMayHaveAnyName(String command) throws IOException {
    String name = "x" + CLEAR + "\u202e";
    trace(name, row("a", "0"), row("b", "1"));

    Outcome good = files.run(command + " @" + name);
    Outcome none = files.run(command + " @none" + CLEAR);

    assertPrintable(good.succeeded());
    assertPrintable(none);
    assertThat(none.out() + none.err()).contains("none\\u001b[2J");
  }

  @Test
  void aNoteIsALineWhateverTheFileIsCalled() throws IOException {
    String name = files.in("a\nb.jsonl");

    Outcome outcome =
        Orrery.run("trace", "convert", files.in("small.jsonl"), "--block-size", "64", "-o", name);

    assertThat(outcome.succeeded().err()).contains("a\\nb.jsonl").doesNotContain("a\nb");
  }

  @Test
  void variantsMayHaveAnyName() throws IOException {
    Path scenario = folder.resolve("s.yaml");
    Files.writeString(
        scenario,
        """
        trace: {files: small.jsonl, blockSize: 64}
        engine: {blockSize: 64}
        variants:
          - {name: "a\\e[2J", set: {routing.policy: round-robin}}
          - {name: "b\\nc", set: {routing.policy: random}}
        """);

    Outcome run = Orrery.run("run", scenario.toString());

    assertPrintable(run);
    assertThat(run.out() + run.err()).contains("\\u001b[2J");
  }

  @Test
  void aScenarioThatIsRefusedIsShownInEscapes() throws IOException {
    Path scenario = folder.resolve("s.yaml");
    Files.writeString(scenario, "routing: {policy: \"\\e[2J\\u202E\", \"\\e]0;\": 1}\n");

    Outcome outcome = Orrery.run("run", scenario.toString());

    assertThat(outcome.status()).isEqualTo(2);
    assertPrintable(outcome);
    assertThat(outcome.err()).contains("\\u001b[2J\\u202e", "\\u001b]0;");
  }

  /** Colours are the program's own; a name has none. */
  @Test
  void coloursAreForThemselves() throws IOException {
    trace("t" + CLEAR, row("a", "0"));

    Outcome outcome = files.run("run --color always --trace @t" + CLEAR).succeeded();

    assertThat(outcome.out()).contains("\u001b[1m", "t\\u001b[2J").doesNotContain(CLEAR);
  }
}
