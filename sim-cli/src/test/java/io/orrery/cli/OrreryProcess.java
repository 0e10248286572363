package io.orrery.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs commands in processes of their own, that can be killed. */
final class OrreryProcess {
  private OrreryProcess() {}

  /** Starts a command with the classes of the test; what it prints is thrown away. */
  static Process start(String... arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-XX:TieredStopAtLevel=1");
    words.add("-cp");
    words.add(System.getProperty("java.class.path"));
    words.add("io.orrery.cli.Main");
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
