package io.orrery.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The files that a caller's paths stand for: files, folders of files, zip archives of files. */
final class TraceSources {
  private static final List<String> NAME_ENDINGS =
      List.of(".json", ".jsonl", ".ndjson", ".csv", ".parquet");
  private static final List<String> CODEC_ENDINGS = List.of(".gz", ".zst", ".xz");
  private static final String EXPECTED_NAMES =
      "files ending in .json, .jsonl, .ndjson, .csv or .parquet, plain, .gz, .zst or .xz";

  /** Files of one size that begin alike are read whole to know whether one is a copy. */
  private static final long HEAD_BYTES = 1 << 16;

  private static final String LEFT_ALONE = "files of a folder left alone: no trace by their names";

  private final List<TraceFile> files = new ArrayList<>();
  private final Consumer<String> notes;

  private TraceSources(Consumer<String> notes) {
    this.notes = notes;
  }

  /**
   * The files in the order of the paths, those of a folder or an archive by name.
   *
   * @param notes hears of each file left alone
   * @throws TraceException where there is none, or one twice
   */
  static List<TraceFile> of(List<Path> paths, Consumer<String> notes) {
    TraceSources sources = new TraceSources(notes);
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        sources.addFolder(path);
      } else {
        sources.addFile(path);
      }
    }
    if (sources.files.isEmpty()) {
      throw new TraceException(null, 0, "trace files", "none", "at least one file or folder");
    }
    sources.refuseCopies();
    return sources.files;
  }

  private void addFile(Path path) {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new TraceException(
          path.toString(), 0, null, "a pipe or a device", "a file, since it is read twice");
    }
    try {
      if (StoredFile.isArchive(path)) {
        addArchive(path);
      } else {
        files.add(new TraceFile(path));
      }
    } catch (IOException e) {
      throw unreadable(path.toString(), e);
    }
  }

  private void addArchive(Path path) {
    int before = files.size();
    try {
      Set<String> names = new HashSet<>();
      for (String entry : StoredFile.entries(path)) {
        if (isTraceName(entry)) {
          refuseNameOfTwo(path, entry, names);
          files.add(new TraceFile(new StoredFile(path, entry)));
        } else {
          notes.accept(LEFT_ALONE);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new TraceException(
          path.toString(),
          0,
          null,
          "damaged or truncated zip data (" + e.getMessage() + ")",
          "a complete file");
    }
    if (files.size() == before) {
      throw new TraceException(
          path.toString(), 0, null, "an archive without trace files", EXPECTED_NAMES);
    }
  }

  /** By its name only one of them can be read. */
  private static void refuseNameOfTwo(Path archive, String entry, Set<String> names) {
    if (!names.add(entry)) {
      throw new TraceException(
          new StoredFile(archive, entry).name(),
          0,
          "archive",
          "two entries of this name",
          "each name once");
    }
  }

  private void addFolder(Path folder) {
    int before = files.size();
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> sorted =
          entries
              .filter(Files::isRegularFile)
              .sorted((a, b) -> a.getFileName().toString().compareTo(b.getFileName().toString()))
              .toList();
      for (Path entry : sorted) {
        String name = entry.getFileName().toString();
        boolean archive = name.toLowerCase(Locale.ROOT).endsWith(".zip");
        if (isTraceName(name) || (archive && !isHidden(name)) || BlisHeader.isOne(entry)) {
          addFile(entry);
        } else {
          notes.accept(LEFT_ALONE);
        }
      }
    } catch (IOException e) {
      throw unreadable(folder.toString(), e);
    }
    if (files.size() == before) {
      throw new TraceException(
          folder.toString(),
          0,
          null,
          "a folder without trace files",
          EXPECTED_NAMES + ", or in .zip");
    }
  }

  /** The message about a request id given twice would hide that a whole file is. */
  private void refuseCopies() {
    for (List<TraceFile> sameSize : alike(files, TraceFile::size)) {
      for (List<TraceFile> sameHead : alike(sameSize, file -> file.digest(HEAD_BYTES))) {
        for (List<TraceFile> copies : alike(sameHead, file -> file.digest(Long.MAX_VALUE))) {
          throw new TraceException(
              copies.get(1).name(),
              0,
              "trace files",
              "a copy",
              "each file once; " + copies.get(0).name() + " has the same content");
        }
      }
    }
  }

  /** The groups of several files that are alike in something, in order. */
  private static List<List<TraceFile>> alike(
      List<TraceFile> files, Function<TraceFile, Object> something) {
    if (files.size() < 2) {
      return List.of();
    }
    Map<Object, List<TraceFile>> groups = new LinkedHashMap<>();
    for (TraceFile file : files) {
      groups.computeIfAbsent(something.apply(file), key -> new ArrayList<>()).add(file);
    }
    return groups.values().stream().filter(group -> group.size() > 1).toList();
  }

  private static boolean isTraceName(String fileName) {
    if (isHidden(fileName)) {
      return false;
    }
    String name = fileName.toLowerCase(Locale.ROOT);
    for (String codec : CODEC_ENDINGS) {
      if (name.endsWith(codec)) {
        name = name.substring(0, name.length() - codec.length());
      }
    }
    return NAME_ENDINGS.stream().anyMatch(name::endsWith);
  }

  /**
   * Whether a name begins with a full stop, as those of the files do in which macOS keeps what it
   * knows of another file (AppleDouble): {@code __MACOSX/._a.jsonl} in a zip archive.
   */
  private static boolean isHidden(String fileName) {
    return fileName.startsWith(".", fileName.lastIndexOf('/') + 1);
  }

  static TraceException unreadable(String name, IOException e) {
    return new TraceException(
        name, 0, null, "an unreadable file (" + e.getMessage() + ")", "a readable trace file");
  }
}
