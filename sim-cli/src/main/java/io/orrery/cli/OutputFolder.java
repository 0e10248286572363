package io.orrery.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The folder of {@code -o}. Files are written beside it and moved in when all of them are complete,
 * so that a failure leaves nothing half-written.
 */
final class OutputFolder {
  /** Writes the content of a file. */
  interface Content {
    void writeTo(Writer out) throws IOException;
  }

  private final Path asked;
  private final Path folder;
  private final List<String> names;

  private OutputFolder(Path asked, Path folder, List<String> names) {
    this.asked = asked;
    this.folder = folder;
    this.names = names;
  }

  /**
   * Checks, before any work is done, that the folder may be written.
   *
   * @param names of the files that will be written
   * @param force whether files that are not among {@code names} may stand beside them
   * @throws UsageException if it may not
   */
  static OutputFolder claim(Path folder, List<String> names, boolean force) {
    Path absolute = folder.toAbsolutePath().normalize();
    requireWritable("-o " + folder, Files.isDirectory(absolute) ? absolute : parent(absolute));
    if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
      throw new UsageException("-o " + folder + ": found a file, expected a folder or a new name");
    }
    if (Files.isDirectory(absolute) && !force) {
      for (String entry : entries(absolute)) {
        if (!names.contains(entry)) {
          throw new UsageException(
              "-o "
                  + folder
                  + ": found "
                  + entry
                  + ", which is none of our reports; expected an empty or new folder, or --force");
        }
      }
    }
    return new OutputFolder(folder, absolute, names);
  }

  /**
   * Checks, before any work is done, that a file may be written.
   *
   * @param option that asks for it
   * @throws UsageException if it may not
   */
  static void claimFile(String option, Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    if (Files.isDirectory(absolute)) {
      throw new UsageException(option + " " + file + ": found a folder, expected a file");
    }
    if (!Files.isDirectory(parent(absolute))) {
      throw new UsageException(option + " " + file + ": expected a file in a folder that exists");
    }
    requireWritable(option + " " + file, parent(absolute));
  }

  private static Path parent(Path absolute) {
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent;
  }

  /** The folder, or the nearest above it that exists, must be writable. */
  private static void requireWritable(String what, Path folder) {
    Path existing = folder;
    while (!Files.exists(existing)) {
      existing = parent(existing);
    }
    if (!Files.isDirectory(existing)) {
      throw new UsageException(what + ": " + existing + " is a file, expected a folder");
    }
    if (!Files.isWritable(existing)) {
      throw new UsageException(what + ": " + existing + " is not writable");
    }
    // Some folders, as /proc, say that they are writable and are not.
    try {
      Files.delete(Files.createTempFile(existing, ".orrery-", ""));
    } catch (IOException e) {
      throw new UsageException(what + ": cannot be written (" + IoReason.of(e) + ")");
    }
  }

  private static List<String> entries(Path folder) {
    try (Stream<Path> list = Files.list(folder)) {
      return list.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UsageException("-o " + folder + ": cannot be read (" + IoReason.of(e) + ")");
    }
  }

  /** Writes the files, all or none. */
  void write(Map<String, Content> files) {
    if (!names.containsAll(files.keySet())) {
      throw new IllegalArgumentException("unclaimed file among " + files.keySet());
    }
    List<Path> written = new ArrayList<>();
    Path parent = parent(folder);
    try {
      Files.createDirectories(parent);
      Path work = Files.createTempDirectory(parent, "." + folder.getFileName() + ".partial-");
      work.toFile().deleteOnExit();
      try {
        for (Map.Entry<String, Content> file : files.entrySet()) {
          Path path = work.resolve(file.getKey());
          path.toFile().deleteOnExit();
          written.add(path);
          try (Writer out = Files.newBufferedWriter(path, StandardCharsets.UTF_8)) {
            file.getValue().writeTo(out);
          }
        }
        Files.createDirectories(folder);
        for (Path path : written) {
          Files.move(path, folder.resolve(path.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
      } finally {
        for (Path path : written) {
          Files.deleteIfExists(path);
        }
        Files.deleteIfExists(work);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "-o " + asked + ": cannot be written (" + IoReason.of(e) + ")", e);
    }
  }

  /** Writes one file, whole or not at all. */
  static void writeFile(Path file, String text) {
    Path absolute = file.toAbsolutePath();
    try {
      Path work =
          Files.createTempFile(parent(absolute), "." + file.getFileName() + ".partial-", "");
      work.toFile().deleteOnExit();
      try {
        Files.writeString(work, text);
        Files.move(work, absolute, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(work);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": cannot be written (" + IoReason.of(e) + ")", e);
    }
  }
}
