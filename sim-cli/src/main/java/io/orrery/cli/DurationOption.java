package io.orrery.cli;

import io.orrery.scenarios.text.Quantity;

/** Durations on the command line, spelt as in scenarios. */
final class DurationOption {
  private DurationOption() {}

  /**
   * The duration in ns.
   *
   * @param option that was given it, for the message
   * @throws UsageException if it is none
   */
  static long nanos(String option, String text) {
    return Quantity.DURATION
        .parse(text)
        .orElseThrow(
            () -> new UsageException(option + ": found " + text + ", expected " + expected(text)));
  }

  private static String expected(String text) {
    return Quantity.DURATION.isTooMuch(text)
        ? "a duration of at most 292 years (2,562,047h)"
        : Quantity.DURATION.expected();
  }
}
