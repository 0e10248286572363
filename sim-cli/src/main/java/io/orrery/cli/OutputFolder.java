package io.orrery.cli;

import io.orrery.parquet.ParquetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of {@code -o}. Files are written beside it and moved in when all of them are complete,
 * so that a failure leaves nothing half-written.
 */
final class OutputFolder {
  /** Writes a file, to the path that it is given. */
  interface Content {
    void writeTo(Path file) throws IOException;

    /** A file of text in UTF-8. */
    static Content text(Text text) {
      return file -> {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
          text.writeTo(out);
        }
      };
    }
  }

  /** Writes text. */
  interface Text {
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
   * @param names of the files and folders that will be written
   * @param force whether files that are not among {@code names} may stand beside them
   * @throws UsageException if it may not
   */
  static OutputFolder claim(Path folder, List<String> names, boolean force) {
    refuseStandardOutput("-o", folder, "a folder");
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
    refuseStandardOutput(option, file, "a file");
    Path absolute = file.toAbsolutePath().normalize();
    if (Files.isDirectory(absolute)) {
      throw new UsageException(option + " " + file + ": found a folder, expected a file");
    }
    if (!Files.isDirectory(parent(absolute))) {
      throw new UsageException(option + " " + file + ": expected a file in a folder that exists");
    }
    if (Files.exists(absolute) && !Files.isRegularFile(absolute)) {
      throw new UsageException(option + " " + file + ": found a pipe or a device, expected a file");
    }
    requireWritable(option + " " + file, parent(absolute));
  }

  /**
   * Checks, before any work is done, that a file may be written that may lie in the folder of
   * {@code -o}, which is made if it is not there.
   *
   * @param output that folder, claimed before; null if there is none
   * @throws UsageException if it may not
   */
  static void claimFile(String option, Path file, @Nullable Path output) {
    Path parent = parent(file.toAbsolutePath().normalize());
    if (output == null
        || Files.isDirectory(parent)
        || !parent.equals(output.toAbsolutePath().normalize())
        || !Files.isDirectory(parent(parent))) {
      claimFile(option, file);
    }
  }

  /** Other programs write to standard output then; here a file of that name would appear. */
  private static void refuseStandardOutput(String option, Path path, String expected) {
    if (path.toString().equals("-")) {
      throw new UsageException(
          option
              + " -: found standard output, expected "
              + expected
              + ", since results are written to files only");
    }
  }

  /**
   * Checks that a file that another option names is none of the files of this folder.
   *
   * @throws UsageException if it is
   */
  void refuse(String option, @Nullable Path file) {
    Path absolute = file == null ? folder : file.toAbsolutePath().normalize();
    if (absolute.startsWith(folder)
        && names.contains(folder.relativize(absolute).getName(0).toString())) {
      throw new UsageException(
          option + " " + file + ": found a file of -o " + asked + ", expected another one");
    }
  }

  static Path parent(Path absolute) {
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

  /**
   * Writes the files, all or none. A folder among the claimed names is replaced whole.
   *
   * @param files by name, with {@code /} for those in a folder
   */
  void write(Map<String, Content> files) {
    for (String name : files.keySet()) {
      if (!names.contains(name.split("/", 2)[0])) {
        throw new IllegalArgumentException("unclaimed file " + name);
      }
    }
    Path parent = parent(folder);
    try {
      Files.createDirectories(parent);
      Path work = Files.createTempDirectory(parent, "." + folder.getFileName() + ".partial-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(work)));
      try {
        for (Map.Entry<String, Content> file : files.entrySet()) {
          Path path = work.resolve(file.getKey());
          Files.createDirectories(parent(path));
          file.getValue().writeTo(path);
        }
        Files.createDirectories(folder);
        for (String name : entries(work)) {
          Path target = folder.resolve(name);
          if (Files.isDirectory(target)) {
            deleteAll(target);
          }
          Files.move(work.resolve(name), target, StandardCopyOption.REPLACE_EXISTING);
        }
      } finally {
        deleteAll(work);
      }
    } catch (IOException | UncheckedIOException | ParquetException e) {
      throw new UncheckedIOException(
          "-o " + asked + ": cannot be written (" + IoReason.of(e) + ")", asIo(e));
    }
  }

  private static IOException asIo(Exception e) {
    return e instanceof IOException io ? io : new IOException(e);
  }

  private static void deleteAll(Path top) {
    if (!Files.exists(top)) {
      return;
    }
    try (Stream<Path> below = Files.walk(top)) {
      for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A new file to work in, deleted when the program ends. Who may read it is what the system says
   * of any new file, since it is going to be a result; a temporary file is for its owner alone.
   */
  static Path workFile(Path folder, String prefix) throws IOException {
    Path unique = Files.createTempFile(folder, prefix, "");
    Files.delete(unique);
    Files.createFile(unique);
    unique.toFile().deleteOnExit();
    return unique;
  }

  /** Writes one file, whole or not at all. */
  static void writeFile(Path file, String text) {
    writeFile(file, work -> Files.writeString(work, text));
  }

  /** Writes one file, whole or not at all; of a link the file that it leads to. */
  static void writeFile(Path file, Content content) {
    try {
      Path absolute = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path work = workFile(parent(absolute), "." + file.getFileName() + ".partial-");
      try {
        content.writeTo(work);
        Files.move(work, absolute, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(work);
      }
    } catch (IOException | UncheckedIOException | ParquetException e) {
      throw new UncheckedIOException(
          file + ": cannot be written (" + IoReason.of(e) + ")", asIo(e));
    }
  }
}
