package io.orrery.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.scenarios.text.ScenarioException;
import java.nio.file.Path;

/** Scenarios that are refused, and in which words. */
final class Refusals {
  private Refusals() {}

  static Scenario load(String yaml) {
    return ScenarioLoader.parse(yaml, "x.yaml", Path.of(""), CommandLineSettings.none());
  }

  /** What is wrong with a scenario, which stands from line 2 on below its trace. */
  static ScenarioException refusal(String yamlAfterTrace) {
    return assertThrows(
        ScenarioException.class, () -> load("trace: {files: t.jsonl}\n" + yamlAfterTrace));
  }

  /** That a scenario is refused, which stands from line 2 on below its trace. */
  static void refused(String yamlAfterTrace, String message) {
    assertThat(refusal(yamlAfterTrace)).hasMessage(message);
  }

  /** That a scenario is refused as it stands. */
  static void refusedWhole(String yaml, String message) {
    assertThatThrownBy(() -> load(yaml)).isInstanceOf(ScenarioException.class).hasMessage(message);
  }

  /** That a setting of the command line is refused. */
  static void refusedSet(String assignment, String message) {
    CommandLineSettings settings =
        CommandLineSettings.none().with("trace.files=t.jsonl").with(assignment);
    assertThatThrownBy(() -> ScenarioLoader.withoutFile(settings))
        .isInstanceOf(ScenarioException.class)
        .hasMessage(message);
  }
}
