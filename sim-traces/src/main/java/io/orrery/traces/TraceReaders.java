package io.orrery.traces;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Reads trace files: plain, gzip or zstd, of any {@link TraceFormat}, told by their content. */
public final class TraceReaders {
  private static final List<String> NAME_ENDINGS = List.of(".json", ".jsonl", ".ndjson");

  private TraceReaders() {}

  /** Reads one file or folder with the defaults. */
  public static Trace read(Path file) {
    return read(List.of(file), TraceOptions.defaults());
  }

  /**
   * Reads files, in the given order, into one trace. A folder stands for the files in it whose
   * names end in .json, .jsonl or .ndjson (and .gz or .zst), sorted by name; other files in it are
   * counted and left alone. All files must have the same format.
   *
   * @throws TraceException on anything that cannot be read or does not make sense
   */
  public static Trace read(List<Path> files, TraceOptions options) {
    TraceAssembler assembler = new TraceAssembler();
    List<TraceFile> sources = new ArrayList<>();
    for (Path path : files) {
      if (Files.isDirectory(path)) {
        addFolder(path, sources, assembler);
      } else {
        sources.add(new TraceFile(path));
      }
    }
    if (sources.isEmpty()) {
      throw new TraceException(null, 0, "trace files", "none", "at least one file or folder");
    }
    refuseCopies(sources);
    refuseTables(sources);
    TraceFormat format = options.format() == null ? commonFormat(sources) : options.format();
    TraceReader reader = format.reader(assembler, options);
    if (sources.size() > 1 && assembler.isSharedClock()) {
      assembler.note(
          sources.size()
              + " files are read as one trace: their times are on one clock, and a hash names the same block in all of"
              + " them.");
    }
    List<TraceProvenance.SourceFile> provenance = new ArrayList<>();
    for (TraceFile source : sources) {
      assembler.file(source.name());
      provenance.add(readOne(source, reader));
    }
    reader.finish();
    TraceReader.Description is = reader.description();
    return assembler.assemble(
        new TraceProvenance(
            format.formatName(),
            provenance,
            0,
            is.timeUnit(),
            is.partialBlockRule(),
            is.timeBasis(),
            is.turnSemantics(),
            Map.of(),
            List.of()));
  }

  private static TraceProvenance.SourceFile readOne(TraceFile source, TraceReader reader) {
    MessageDigest digest = TraceFile.sha256();
    InputStream text = source.open(digest);
    InputStream folded = reader.foldsRuns() ? new RunFolding(text) : text;
    try (JsonRows rows = new JsonRows(source.name(), folded)) {
      reader.read(rows);
      if (rows.rowLine() == 0) {
        throw rows.wrong(null, "no JSON object", "at least one request");
      }
    } catch (IOException e) {
      throw unreadable(source.name(), e);
    }
    return source.provenance(digest);
  }

  /** The message about a request id given twice would hide that a whole file is. */
  private static void refuseCopies(List<TraceFile> sources) {
    Map<Long, List<TraceFile>> bySize = new HashMap<>();
    for (TraceFile source : sources) {
      List<TraceFile> alike = bySize.computeIfAbsent(source.size(), size -> new ArrayList<>());
      for (TraceFile other : alike) {
        if (source.hasContentOf(other)) {
          throw new TraceException(
              source.name(),
              0,
              "trace files",
              "a copy",
              "each file once; " + other.name() + " has the same content");
        }
      }
      alike.add(source);
    }
  }

  private static void refuseTables(List<TraceFile> sources) {
    for (TraceFile source : sources) {
      try {
        KnownFormats.refuseTable(source);
      } catch (IOException e) {
        throw unreadable(source.name(), e);
      }
    }
  }

  private static TraceFormat commonFormat(List<TraceFile> sources) {
    TraceFormat first = format(sources.get(0));
    for (TraceFile source : sources.subList(1, sources.size())) {
      TraceFormat other = format(source);
      if (other != first) {
        throw new TraceException(
            source.name(),
            0,
            "trace format",
            other.formatName(),
            first.formatName() + ", the format of " + sources.get(0).name());
      }
    }
    return first;
  }

  private static TraceFormat format(TraceFile source) {
    try (JsonRows rows = new JsonRows(source.name(), source.open())) {
      return FirstObject.format(rows);
    } catch (IOException e) {
      throw unreadable(source.name(), e);
    }
  }

  private static void addFolder(Path folder, List<TraceFile> sources, TraceAssembler assembler) {
    int before = sources.size();
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> sorted =
          entries
              .filter(Files::isRegularFile)
              .sorted((a, b) -> a.getFileName().toString().compareTo(b.getFileName().toString()))
              .toList();
      for (Path entry : sorted) {
        if (isTraceName(entry.getFileName().toString())) {
          sources.add(new TraceFile(entry));
        } else {
          assembler.count("files of a folder left alone: no trace by their names");
        }
      }
    } catch (IOException e) {
      throw unreadable(folder.toString(), e);
    }
    if (sources.size() == before) {
      throw new TraceException(
          folder.toString(),
          0,
          null,
          "a folder without trace files",
          "files ending in .json, .jsonl or .ndjson, plain, .gz or .zst");
    }
  }

  private static boolean isTraceName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    for (String codec : List.of(".gz", ".zst")) {
      if (name.endsWith(codec)) {
        name = name.substring(0, name.length() - codec.length());
      }
    }
    return NAME_ENDINGS.stream().anyMatch(name::endsWith);
  }

  private static TraceException unreadable(String name, IOException e) {
    return new TraceException(
        name, 0, null, "an unreadable file (" + e.getMessage() + ")", "a readable trace file");
  }
}
