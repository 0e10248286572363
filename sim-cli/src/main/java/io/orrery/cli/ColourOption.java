package io.orrery.cli;

import picocli.CommandLine.Option;

/** {@code --color}: the flag is over the environment, which is over what the terminal can do. */
final class ColourOption {
  /** Spelt as on the command line. */
  enum When {
    auto,
    always,
    never
  }

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description =
          "Colour the table: auto (on a terminal, unless NO_COLOR is set), always or never.")
  private When when = When.auto;

  boolean of(Terminal terminal) {
    return switch (when) {
      case auto -> terminal.colour();
      case always -> true;
      case never -> false;
    };
  }
}
