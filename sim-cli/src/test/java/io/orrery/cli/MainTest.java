package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void versionGoesToStdout() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).matches("orrery \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void helpNamesTheExitCodes() {
    assertThat(execute("--help")).isZero();
    assertThat(out.toString()).contains("Usage: orrery").contains("3").contains("130");
  }

  @Test
  void noCommandIsAUsageErrorAndLeavesStdoutEmpty() {
    assertThat(execute()).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .containsExactly("orrery: Missing command", "Try 'orrery --help'.");
  }

  @Test
  void unknownOptionIsAUsageError() {
    assertThat(execute("--verison")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("--verison", "--version");
  }

  private int execute(String... args) {
    Terminal pipe = new Terminal(false, false, false, false);
    return Main.execute(
        new Console(new PrintWriter(out, true), new PrintWriter(err, true), pipe), args);
  }
}
