package io.orrery.cli;

import java.util.function.LongSupplier;
import picocli.CommandLine.Option;

/** {@code --quiet}: whether anything but errors appears on the error stream. */
final class QuietOption {
  @Option(
      names = {"-q", "--quiet"},
      description = "Only errors on standard error.")
  private boolean quiet;

  /** Notes for the user; none if quiet. */
  Notes notes(Console console) {
    return new Notes(quiet ? null : console.err());
  }

  /** Progress of requests, see {@link Progress}; none if quiet. */
  Progress progress(Console console, long expected) {
    return progress(console, expected, "requests");
  }

  /**
   * Progress, see {@link Progress}; none if quiet.
   *
   * @param expected how many in all, or 0 if nobody knows
   * @param things what is counted
   */
  Progress progress(Console console, long expected, String things) {
    return progress(console, expected, things, System::nanoTime);
  }

  /**
   * As above.
   *
   * @param clock nanoseconds that go on
   */
  Progress progress(Console console, long expected, String things, LongSupplier clock) {
    boolean shown = console.terminal().progress() && !quiet;
    return new Progress(console.styledErr(), shown, expected, things, clock);
  }
}
