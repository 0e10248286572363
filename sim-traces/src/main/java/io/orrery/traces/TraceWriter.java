package io.orrery.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes traces in some format. */
public interface TraceWriter {
  /** The format. */
  TraceFormat format();

  /** The name that files of the format end in, with its dot. */
  String nameEnding();

  /**
   * What of this trace the format cannot hold, a sentence each; empty where reading the file again
   * gives an equal trace. Found by writing the trace to a temporary file, reading that, and
   * comparing.
   */
  default List<String> losses(Trace trace) throws IOException {
    Path folder = Files.createTempDirectory("orrery-losses");
    Path file = folder.resolve("trace" + nameEnding());
    try {
      write(trace, file);
      TraceOptions options =
          TraceOptions.defaults().withFormat(format()).withSharedSystemPrefix(false);
      if (format() == TraceFormat.MOONCAKE) {
        options = options.withBlockSize(trace.blockSize());
      }
      return TraceComparison.differences(trace, TraceReaders.read(List.of(file), options));
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /**
   * Writes a trace. The file is overwritten; it is the caller's business to write to a temporary
   * name and to rename it.
   */
  void write(Trace trace, Path file) throws IOException;
}
