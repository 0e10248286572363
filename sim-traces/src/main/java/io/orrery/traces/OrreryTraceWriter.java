package io.orrery.traces;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes {@linkplain OrreryColumns Orrery's own format}, which holds all that a trace does, a row
 * group at a time.
 */
final class OrreryTraceWriter implements TraceWriter {
  @Override
  public String nameEnding() {
    return ".parquet";
  }

  @Override
  public TraceFormat format() {
    return TraceFormat.ORRERY;
  }

  /** None: it holds everything, so that nothing needs to be read. */
  @Override
  public List<String> losses(Trace trace, Path written) {
    return List.of();
  }

  @Override
  public void write(Trace trace, Path file) throws IOException {
    try (TraceRowWriter rows =
        new TraceRowWriter(file, trace.blockSize(), trace.sharedClock(), trace.blocksKnown())) {
      for (int r = 0; r < trace.requestCount(); r++) {
        rows.write(trace, r);
      }
      rows.commit(trace.blockCount(), trace.provenance());
    }
  }
}
