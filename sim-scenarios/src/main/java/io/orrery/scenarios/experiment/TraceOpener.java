package io.orrery.scenarios.experiment;

import io.orrery.scenarios.spec.TraceSource;
import io.orrery.traces.Trace;
import io.orrery.traces.TraceException;
import io.orrery.traces.TraceOptions;
import io.orrery.traces.TraceReaders;
import java.nio.file.Path;
import java.util.List;

/** Reads a trace from where it lies. */
public interface TraceOpener {
  /** Reads files of this machine. */
  TraceOpener LOCAL = TraceOpener::readLocal;

  /**
   * Reads files of this machine.
   *
   * @param threads how many may parse, at least 1; nothing depends on it but time
   */
  static TraceOpener local(int threads) {
    return (places, options) -> readLocal(places, options.withThreads(threads));
  }

  /**
   * Reads files as one trace.
   *
   * @param places paths, or names that {@linkplain TraceSource#isRemote carry a file system}
   * @throws TraceException if they cannot be read
   */
  Trace open(List<String> places, TraceOptions options);

  private static Trace readLocal(List<String> places, TraceOptions options) {
    for (String place : places) {
      if (TraceSource.isRemote(place)) {
        throw new TraceException(
            place, 0, null, "a file of another file system", "a local file, or --engine spark");
      }
    }
    return TraceReaders.read(places.stream().map(Path::of).toList(), options);
  }
}
