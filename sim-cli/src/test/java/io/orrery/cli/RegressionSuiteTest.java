package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.cli.Orrery.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The project's own policy-regression suite: three shipped scenarios against the gates and
 * baselines in {@code scenarios/gates}. After an intended change of numbers, {@code
 * -Dorrery.regenerate=true} writes the baselines anew, as {@code orrery check --update-baseline}
 * does.
 */
class RegressionSuiteTest {
  private static final Path GATES = Path.of("scenarios/gates");
  private static final Path REPORT = Path.of("sim-cli/target/gates");

  @ParameterizedTest
  @ValueSource(strings = {"quickstart", "effects/event-delay", "effects/thrashing"})
  void noGateFails(String scenario) throws IOException {
    String name = scenario.substring(scenario.lastIndexOf('/') + 1);
    String file = "scenarios/" + scenario + ".yaml";
    String baseline = GATES.resolve(name + ".baseline.json").toString();
    if (Boolean.getBoolean("orrery.regenerate")) {
      Orrery.run("check", file, "--baseline", baseline, "--update-baseline").succeeded();
    }
    Files.createDirectories(REPORT);
    Outcome outcome =
        Orrery.run(
            "check",
            file,
            "--gates",
            GATES.resolve(name + ".gates.yaml").toString(),
            "--baseline",
            baseline,
            "--junit",
            REPORT.resolve(name + ".xml").toString());
    assertThat(outcome.status()).as(outcome.out() + outcome.err()).isZero();
    assertThat(outcome.out()).startsWith("passed: ").contains(" gates");
  }

  @Test
  void everyGatesFileHasABaselineThatCanBeReviewed() throws IOException {
    List<Path> files;
    try (Stream<Path> list = Files.list(GATES)) {
      files = list.sorted().toList();
    }
    assertThat(files).hasSize(6);
    for (Path file : files) {
      assertThat(Files.size(file)).as(file.toString()).isLessThan(40_000);
    }
  }
}
