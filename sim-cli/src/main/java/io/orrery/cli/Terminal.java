package io.orrery.cli;

import java.util.List;
import java.util.Locale;

/**
 * Which of the two output streams a person is looking at. Java 17 cannot tell for one stream alone,
 * so the launcher says it in {@code orrery.stdout.tty} and {@code orrery.stderr.tty}; without the
 * launcher neither is taken for a terminal.
 *
 * @param stdout whether standard output is a terminal
 * @param stderr whether standard error is a terminal
 * @param colour whether standard output may be coloured: a terminal, and no {@code NO_COLOR}
 * @param progress whether standard error may show progress: a terminal, and no {@code CI}
 * @param pictures whether standard output takes pictures of block characters: a terminal of at
 *     least {@value #WIDE} columns that reads UTF-8
 */
public record Terminal(
    boolean stdout, boolean stderr, boolean colour, boolean progress, boolean pictures) {
  private static final int WIDE = 100;

  /** A terminal without pictures. */
  Terminal(boolean stdout, boolean stderr, boolean colour, boolean progress) {
    this(stdout, stderr, colour, progress, false);
  }

  /** As the launcher and the environment of this process say. */
  static Terminal ofProcess() {
    boolean stdout = Boolean.getBoolean("orrery.stdout.tty");
    boolean stderr = Boolean.getBoolean("orrery.stderr.tty");
    return new Terminal(
        stdout,
        stderr,
        stdout && !isSet("NO_COLOR"),
        stderr && !isSet("CI"),
        stdout && Integer.getInteger("orrery.stdout.columns", 0) >= WIDE && readsUtf8());
  }

  /** As the environment says, in the order in which it is asked. */
  private static boolean readsUtf8() {
    for (String variable : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
      if (isSet(variable)) {
        String charset = System.getenv(variable).toLowerCase(Locale.ROOT);
        return charset.contains("utf-8") || charset.contains("utf8");
      }
    }
    return false;
  }

  private static boolean isSet(String variable) {
    String value = System.getenv(variable);
    return value != null && !value.isEmpty();
  }
}
