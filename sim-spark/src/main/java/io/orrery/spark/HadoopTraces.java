package io.orrery.spark;

import io.orrery.scenarios.experiment.TraceOpener;
import io.orrery.scenarios.spec.TraceSource;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads traces once a process, from this machine's files or any of Hadoop's file systems; those are
 * copied first, to where temporary files are. A file that has changed is read again: traces are
 * kept by the names, lengths and times of their files. May be used by several threads.
 */
final class HadoopTraces implements TraceOpener {
  private static final int KEPT = 4;

  /** A file as it was when it was read. */
  private record Version(String place, long length, long changed) {}

  private record Key(List<Version> files, TraceOptions options) {}

  private final Map<Key, Trace> traces = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<List<Version>, Path> copies = new LinkedHashMap<>();
  private @Nullable Path folder;

  @Override
  public synchronized Trace open(List<String> places, TraceOptions options) {
    List<Version> versions = new ArrayList<>();
    places.forEach(place -> addVersions(place, versions));
    Key key = new Key(versions, options);
    Trace known = traces.get(key);
    if (known == null) {
      known = read(places, options);
      traces.put(key, known);
      if (traces.size() > KEPT) {
        traces.remove(traces.keySet().iterator().next());
      }
    }
    return known;
  }

  private Trace read(List<String> places, TraceOptions options) {
    Map<String, String> names = new LinkedHashMap<>();
    List<Path> paths = new ArrayList<>();
    for (String place : places) {
      Path path = TraceSource.isRemote(place) ? copy(place) : local(place);
      names.put(path.toString(), place);
      paths.add(path);
    }
    try {
      return TraceReaders.read(paths, options);
    } catch (TraceException e) {
      throw named(e, names);
    }
  }

  /** The exception with the file as the user knows it. */
  private static TraceException named(TraceException e, Map<String, String> names) {
    String file = e.file();
    for (Map.Entry<String, String> name : names.entrySet()) {
      if (file != null && file.startsWith(name.getKey())) {
        return new TraceException(
            name.getValue() + file.substring(name.getKey().length()),
            e.line(),
            e.field(),
            e.value(),
            e.expected());
      }
    }
    return e;
  }

  /** A path of this machine; relative ones are relative to the driver's folder. */
  private static Path local(String place) {
    Path path = Path.of(place);
    TaskContext task = TaskContext.get();
    String directory = task == null ? null : task.getLocalProperty(SparkEngine.DIRECTORY);
    return directory == null || Files.exists(path) ? path : Path.of(directory).resolve(path);
  }

  private static void addVersions(String place, List<Version> versions) {
    try {
      if (TraceSource.isRemote(place)) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(place);
        FileSystem system = path.getFileSystem(configuration());
        for (FileStatus status : statuses(system, path)) {
          versions.add(
              new Version(
                  status.getPath().toString(), status.getLen(), status.getModificationTime()));
        }
        return;
      }
      Path path = local(place);
      List<Path> files = List.of(path);
      if (Files.isDirectory(path)) {
        try (var list = Files.list(path)) {
          files = list.sorted().toList();
        }
      }
      for (Path file : files) {
        // What is not there is said by whoever reads it.
        versions.add(
            Files.exists(file)
                ? new Version(
                    file.toString(), Files.size(file), Files.getLastModifiedTime(file).toMillis())
                : new Version(file.toString(), -1, -1));
      }
    } catch (FileNotFoundException e) {
      throw new TraceException(place, 0, null, "no such file", "a trace file");
    } catch (IOException e) {
      throw new UncheckedIOException(place + ": " + e.getMessage(), e);
    }
  }

  private static List<FileStatus> statuses(FileSystem system, org.apache.hadoop.fs.Path path)
      throws IOException {
    FileStatus status = system.getFileStatus(path);
    if (!status.isDirectory()) {
      return List.of(status);
    }
    List<FileStatus> files = new ArrayList<>(List.of(system.listStatus(path)));
    files.removeIf(FileStatus::isDirectory);
    files.sort((a, b) -> a.getPath().compareTo(b.getPath()));
    return files;
  }

  /** A copy of a file, or of a folder with its files, on this machine. */
  private Path copy(String place) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(place);
    try {
      FileSystem system = path.getFileSystem(configuration());
      FileStatus top = system.getFileStatus(path);
      // A folder does not change when a file in it does.
      List<Version> versions = new ArrayList<>();
      addVersions(place, versions);
      Path known = copies.get(versions);
      if (known != null) {
        return known;
      }
      Path copy = Files.createTempDirectory(folder(), "trace-").resolve(path.getName());
      if (top.isDirectory()) {
        Files.createDirectory(copy);
        for (FileStatus file : statuses(system, path)) {
          fetch(system, file.getPath(), copy.resolve(file.getPath().getName()));
        }
      } else {
        fetch(system, path, copy);
      }
      copies.put(versions, copy);
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(place + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static void fetch(FileSystem system, org.apache.hadoop.fs.Path from, Path to)
      throws IOException {
    try (var in = system.open(from)) {
      Files.copy(in, to);
    }
  }

  private Path folder() throws IOException {
    Path made = folder;
    if (made == null) {
      Path created = Files.createTempDirectory("orrery-traces-");
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> FileUtil.fullyDelete(created.toFile())));
      folder = created;
      made = created;
    }
    return made;
  }

  /** Hadoop's, with what Spark's configuration says of it. */
  static Configuration configuration() {
    return SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf());
  }
}
