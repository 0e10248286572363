package io.orrery.traces.synthesis;

import io.orrery.traces.TraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The clients of a ServeGen profile: pairs of {@code NAME-trace.csv} and {@code NAME-dataset.json},
 * or {@code trace.csv} and {@code dataset.json}, in a folder or below it.
 */
public final class ServeGenPool {
  private static final String WINDOWS = "trace.csv";
  private static final String LENGTHS = "dataset.json";

  private ServeGenPool() {}

  /**
   * Reads all clients, sorted by path.
   *
   * @param paths folders, or the windows of a client each
   * @throws TraceException where there is none, or a pair is not whole
   */
  public static List<ServeGenClient> read(List<Path> paths) {
    List<ServeGenClient> clients = new ArrayList<>();
    for (Path path : paths) {
      List<Path> windows = windows(path);
      if (windows.isEmpty()) {
        throw new TraceException(
            path.toString(),
            0,
            null,
            "no client",
            "files that end in " + WINDOWS + ", each with its " + LENGTHS);
      }
      windows.forEach(file -> clients.add(ServeGenClient.read(file, lengths(file))));
    }
    return clients;
  }

  private static List<Path> windows(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(file -> Files.isRegularFile(file) && file.toString().endsWith(WINDOWS))
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new TraceException(
          path.toString(), 0, null, "no readable file or folder", "clients of ServeGen");
    }
  }

  private static Path lengths(Path windows) {
    String name = String.valueOf(windows.getFileName());
    Path lengths =
        windows.resolveSibling(name.substring(0, name.length() - WINDOWS.length()) + LENGTHS);
    if (!Files.exists(lengths)) {
      throw new TraceException(
          windows.toString(), 0, null, "no " + lengths.getFileName() + " beside it", "both files");
    }
    return lengths;
  }
}
