package io.orrery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ProgressTest {
  @Test
  void saysHowFarHowFastAndHowLong() {
    assertThat(Progress.line(500, 2000, "requests", 0.5))
        .isEqualTo(
            "[######------------------]  25 %  500 requests, 1,000/s, 1.50 s left"
                .replace("]  ", "] "));
  }

  @Test
  void withoutAnEndItSaysHowFarAndHowFast() {
    assertThat(Progress.line(500, 0, "requests", 2)).isEqualTo("500 requests, 250/s");
    assertThat(Progress.line(3000, 2000, "requests", 1)).isEqualTo("3,000 requests, 3,000/s");
  }

  /** What a terminal sees after two seconds of a replay. */
  private static String onATerminal(String... arguments) {
    StringWriter err = new StringWriter();
    Console console =
        new Console(
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(err),
            new Terminal(true, true, false, true));
    Options options = new Options();
    new CommandLine(options).parseArgs(arguments);
    AtomicLong nanos = new AtomicLong();
    try (Progress progress = options.quiet.progress(console, 10, "points", nanos::get)) {
      progress.one();
      nanos.set(2_000_000_000L);
      progress.one();
    }
    return err.toString();
  }

  @Command
  static final class Options {
    @Mixin QuietOption quiet = new QuietOption();
  }

  @Test
  void appearsAfterASecondAndGoesAway() {
    assertThat(onATerminal())
        .isEqualTo(
            "\r\u001b[K[####--------------------] 20 %  2 points, 1.00/s, 8.00 s left\r\u001b[K");
  }

  @Test
  void quietHidesIt() {
    assertThat(onATerminal("--quiet")).isEmpty();
    assertThat(onATerminal("-q")).isEmpty();
  }
}
