package io.orrery.cli;

import picocli.CommandLine.Option;

/** {@code --json}: for programs that read the result. */
final class JsonOption {
  @Option(names = "--json", description = "Print one JSON document instead of text.")
  private boolean json;

  boolean asked() {
    return json;
  }
}
