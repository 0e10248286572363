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
import java.util.zip.GZIPOutputStream;

/**
 * A file that is put together of a part for each run: runs are simulated several at once, so each
 * writes a temporary file of its own.
 */
final class RunParts {
  private final String option;
  private final Path file;

  /** Where it is put together: beside the file, or above a folder that is still to be made. */
  private final Path folder;

  private final Map<ScenarioRun, Path> parts = new ConcurrentHashMap<>();

  /**
   * @param option that asks for the file
   */
  RunParts(String option, Path file) {
    this.option = option;
    this.file = file;
    Path parent = OutputFolder.parent(file.toAbsolutePath().normalize());
    folder = Files.isDirectory(parent) ? parent : OutputFolder.parent(parent);
  }

  /** Writes something, or reads it. */
  interface Step<T> {
    void with(T stream) throws IOException;
  }

  /** Opens the part of a run. */
  BufferedWriter open(ScenarioRun run) {
    try {
      Path part = OutputFolder.workFile(folder, ".orrery-part-");
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

  /**
   * Puts the file together, whole or not at all, and removes the parts.
   *
   * @param compressed whether it is written with gzip
   */
  void write(boolean compressed, Step<OutputStream> content) {
    try {
      Path work = OutputFolder.workFile(folder, "." + file.getFileName() + ".partial-");
      try (OutputStream plain = Files.newOutputStream(work);
          OutputStream out = compressed ? new GZIPOutputStream(plain) : plain) {
        content.with(out);
      }
      Files.createDirectories(OutputFolder.parent(file.toAbsolutePath().normalize()));
      Files.move(work, file, StandardCopyOption.REPLACE_EXISTING);
      for (Path part : parts.values()) {
        Files.delete(part);
      }
    } catch (IOException e) {
      throw failure(e);
    }
  }

  UncheckedIOException failure(IOException e) {
    return new UncheckedIOException(
        option + " " + file + ": cannot be written (" + IoReason.of(e) + ")", e);
  }
}
