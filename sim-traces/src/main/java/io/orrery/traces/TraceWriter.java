package io.orrery.traces;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes traces in some format. */
public interface TraceWriter {
  /** The format. */
  TraceFormat format();

  /** The name that files of the format end in, with its dot: of most, lines of JSON. */
  default String nameEnding() {
    return ".jsonl";
  }

  /**
   * Writes a trace. The file is overwritten; it is the caller's business to write to a temporary
   * name and to rename it.
   */
  void write(Trace trace, Path file) throws IOException;

  /**
   * What of a trace is not in the file that it was written to, since the format cannot hold it: a
   * sentence each, empty where reading the file gives an equal trace. Found by reading and
   * comparing.
   */
  default List<String> losses(Trace trace, Path written) {
    TraceOptions options =
        TraceOptions.defaults().withFormat(format()).withSharedSystemPrefix(false);
    if (format() == TraceFormat.MOONCAKE) {
      options = options.withBlockSize(trace.blockSize());
    }
    return TraceComparison.differences(trace, TraceReaders.read(List.of(written), options));
  }
}
