package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import io.orrery.scenarios.CommandLineSettings;
import io.orrery.scenarios.ScenarioLoader;
import io.orrery.scenarios.experiment.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the documentation says. Commands in {@code console} blocks are run; where output is shown,
 * it is the output. After a change, run this test once with {@code -Dorrery.regenerate=true} to
 * write the shown output and the page of commands anew.
 */
class DocumentationTest {
  private static final boolean REGENERATE = Boolean.getBoolean("orrery.regenerate");
  private static final Path README = Path.of("README.md");
  private static final Path GETTING_STARTED = Path.of("docs/getting-started.md");
  private static final Path MEMORY = Path.of("docs/memory.md");
  private static final Path STEP_TIME = Path.of("docs/step-time.md");
  private static final Path CALIBRATION = Path.of("docs/calibration.md");
  private static final Path FIDELITY = Path.of("docs/fidelity.md");
  private static final Path ADMISSION = Path.of("docs/admission.md");
  private static final Path TRACES = Path.of("docs/traces.md");
  private static final Path REPORTS = Path.of("docs/reports.md");
  private static final Path COMMANDS = Path.of("docs/commands.md");
  private static final Pattern BLOCK =
      Pattern.compile("```console\n\\$ \\./orrery ([^\n]*)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern EXIT_CODE = Pattern.compile("# exit code (\\d+)\n");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  private static final Map<String, Outcome> OUTCOMES = new HashMap<>();

  @Test
  void theReadmeShowsWhatTheQuickstartPrints() throws IOException {
    assertThat(run(README, true)).contains("run scenarios/quickstart.yaml");
  }

  @Test
  void everyCommandOfTheFirstStepsWorks() throws IOException {
    assertThat(run(GETTING_STARTED, false)).hasSizeGreaterThan(5);
  }

  @Test
  void theCommandsOfThePageOnReportsWork() throws IOException {
    assertThat(run(REPORTS, false)).hasSize(3);
  }

  @Test
  void thePageOnMemoryShowsWhatFootprintsPrint() throws IOException {
    assertThat(run(MEMORY, true)).hasSizeGreaterThan(4);
  }

  @Test
  void everyCommandOfThePageOnStepTimesWorks() throws IOException {
    assertThat(run(STEP_TIME, false)).contains("run scenarios/speculation.yaml");
  }

  @Test
  void thePageOnCalibrationShowsWhatIsPrinted() throws IOException {
    assertThat(run(CALIBRATION, true)).hasSize(2);
  }

  @Test
  void everyCommandOfThePageOnFidelityWorks() throws IOException {
    assertThat(run(FIDELITY, false)).hasSize(3);
  }

  @Test
  void everyCommandOfThePageOnAdmissionWorks() throws IOException {
    assertThat(run(ADMISSION, false)).hasSize(3);
  }

  @Test
  void everyCommandOfThePageOnTracesWorks(@TempDir Path folder) throws IOException {
    List<String> subcommands =
        DocumentedCommands.run(TRACES, folder).stream().map(line -> line.split(" ")[1]).toList();
    assertThat(subcommands).containsAll(Main.subcommandNames("trace"));
  }

  /** Runs the commands of a page; returns them. */
  private static List<String> run(Path page, boolean showing) throws IOException {
    String text = Files.readString(page);
    StringBuilder updated = new StringBuilder();
    List<String> commands = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      String command = block.group(1);
      String shown = block.group(2);
      commands.add(command);
      Outcome outcome = OUTCOMES.computeIfAbsent(command, c -> Orrery.run(c.split(" ")));
      String printed = outcome.out().replace(System.lineSeparator(), "\n");
      Matcher exitCode = EXIT_CODE.matcher(shown);
      if (exitCode.matches()) {
        assertThat(outcome.status()).isEqualTo(Integer.parseInt(exitCode.group(1)));
        assertThat(printed).isEmpty();
        printed = shown;
      } else {
        assertThat(outcome.status()).as(command + "\n" + outcome.err()).isZero();
        printed = showing || !shown.isEmpty() ? printed : "";
      }
      String replacement = "```console\n$ ./orrery " + command + "\n" + printed + "```";
      block.appendReplacement(updated, Matcher.quoteReplacement(replacement));
    }
    block.appendTail(updated);
    assertSame(page, updated.toString());
    return commands;
  }

  @Test
  void scenariosInTheDocumentationCanBeRun() throws IOException {
    Matcher yaml = YAML.matcher(Files.readString(GETTING_STARTED));
    int scenarios = 0;
    while (yaml.find()) {
      Experiment experiment =
          Experiment.prepare(
              ScenarioLoader.parse(
                  yaml.group(1), "mine.yaml", Path.of("scenarios"), CommandLineSettings.none()));
      assertThat(experiment.runs()).hasSize(3);
      scenarios++;
    }
    assertThat(scenarios).isEqualTo(1);
  }

  @Test
  void thePageOfCommandsIsWhatTheirHelpSays() throws IOException {
    StringBuilder page = new StringBuilder();
    page.append("# Commands\n\n");
    page.append("Generated from the help of the commands.\n\n");
    append(page, "orrery", "--help");
    for (String command : Main.commandNames()) {
      append(page, "orrery " + command, command, "--help");
      for (String subcommand : Main.subcommandNames(command)) {
        append(page, "orrery " + command + " " + subcommand, command, subcommand, "--help");
      }
    }
    page.append(
        """
        ## Environment

        | variable | |
        |---|---|
        | `JAVA_HOME` | the Java to use, 17 or later; otherwise the one on the `PATH` |
        | `ORRERY_JAVA_OPTS` | more options for the virtual machine, for example `-Xmx16g` |
        | `ORRERY_BUILD` | `never`: do not build the jar when sources are newer |
        | `ORRERY_ARCHIVE` | `never`: no class data archive; `now`: make it before running |
        | `ORRERY_DEBUG` | `1`: show stack traces |
        | `NO_COLOR` | if set, no colour unless `--color=always` |
        | `CI` | if set, no progress bar |
        """);
    assertSame(COMMANDS, page.toString());
  }

  private static void append(StringBuilder page, String title, String... args) {
    Outcome outcome = Orrery.run(args).succeeded();
    page.append("## ").append(title).append("\n\n```\n");
    page.append(outcome.out().replace(System.lineSeparator(), "\n")).append("```\n\n");
  }

  private static void assertSame(Path page, String expected) throws IOException {
    if (REGENERATE) {
      Files.writeString(page, expected);
    }
    assertThat(Files.readString(page))
        .as(page + ", which -Dorrery.regenerate=true writes anew")
        .isEqualTo(expected);
  }

  @Test
  void linksBetweenPagesLeadSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    for (Path page :
        List.of(
            README,
            GETTING_STARTED,
            MEMORY,
            REPORTS,
            COMMANDS,
            TRACES,
            Path.of("docs/metrics.md"))) {
      Matcher target = link.matcher(Files.readString(page));
      while (target.find()) {
        Path folder = page.getParent() == null ? Path.of("") : page.getParent();
        assertThat(folder.resolve(target.group(1))).exists();
      }
    }
  }
}
