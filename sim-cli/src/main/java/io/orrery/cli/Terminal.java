package io.orrery.cli;

/**
 * Which of the two output streams a person is looking at. Java 17 cannot tell for one stream alone,
 * so the launcher says it in {@code orrery.stdout.tty} and {@code orrery.stderr.tty}; without the
 * launcher neither is taken for a terminal.
 *
 * @param stdout whether standard output is a terminal
 * @param stderr whether standard error is a terminal
 * @param colour whether standard output may be coloured: a terminal, and no {@code NO_COLOR}
 * @param progress whether standard error may show progress: a terminal, and no {@code CI}
 */
public record Terminal(boolean stdout, boolean stderr, boolean colour, boolean progress) {
  /** As the launcher and the environment of this process say. */
  static Terminal ofProcess() {
    boolean stdout = Boolean.getBoolean("orrery.stdout.tty");
    boolean stderr = Boolean.getBoolean("orrery.stderr.tty");
    return new Terminal(stdout, stderr, stdout && !isSet("NO_COLOR"), stderr && !isSet("CI"));
  }

  private static boolean isSet(String variable) {
    String value = System.getenv(variable);
    return value != null && !value.isEmpty();
  }
}
