package io.orrery.cli;

import io.orrery.scenarios.experiment.ScenarioRun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that is put together of a part for each run: runs are simulated several at once, so each
 * writes a temporary file of its own.
 */
final class RunParts {
  private final String option;
  private final Path file;
  private final Map<ScenarioRun, Path> parts = new ConcurrentHashMap<>();

  /**
   * @param option that asks for the file
   */
  RunParts(String option, Path file) {
    this.option = option;
    this.file = file;
  }

  /** Writes something, or reads it. */
  interface Step<T> {
    void with(T stream) throws IOException;
  }

  /** Opens the part of a run. */
  BufferedWriter open(ScenarioRun run) {
    try {
      Path part = Files.createTempFile(folder(), ".orrery-part-", "");
      part.toFile().deleteOnExit();
      parts.put(run, part);
      return Files.newBufferedWriter(part, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** The part of a run that was opened. */
  Path part(ScenarioRun run) {
    Path part = parts.get(run);
    if (part == null) {
      throw new IllegalStateException("no part of " + run.variant().name());
    }
    return part;
  }

  /** Puts the file together, whole or not at all, and removes the parts. */
  void write(Step<OutputStream> content) {
    try {
      Path work = Files.createTempFile(folder(), "." + file.getFileName() + ".partial-", "");
      work.toFile().deleteOnExit();
      try (OutputStream out = Files.newOutputStream(work)) {
        content.with(out);
      }
      Files.move(work, file, StandardCopyOption.REPLACE_EXISTING);
      for (Path part : parts.values()) {
        Files.delete(part);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private Path folder() {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("") : parent;
  }

  UncheckedIOException failure(IOException e) {
    return new UncheckedIOException(
        option + " " + file + ": cannot be written (" + IoReason.of(e) + ")", e);
  }
}
