package io.orrery.traces;

import java.nio.file.Path;
import java.util.List;

/**
 * Reads trace files: plain, gzip, zstd, xz or zip, of any {@link TraceFormat}, told by their
 * content.
 */
public final class TraceReaders {
  private TraceReaders() {}

  /** Reads one file or folder with the defaults. */
  public static Trace read(Path file) {
    return read(List.of(file), TraceOptions.defaults());
  }

  /**
   * Reads files, in the given order, into one trace. A folder or a zip archive stands for the files
   * in it whose names end in .json, .jsonl, .ndjson, .csv or .parquet (and .gz, .zst or .xz),
   * sorted by name; other files in it are counted and left alone. All files must have the same
   * format.
   *
   * @throws TraceException on anything that cannot be read or does not make sense
   */
  public static Trace read(List<Path> files, TraceOptions options) {
    return open(files, options).trace();
  }

  /**
   * As {@link #read(List, TraceOptions)}, with all that was noticed. Where the options keep
   * {@linkplain TraceOptions#badRecords bad records} aside, these are findings and no exceptions;
   * what concerns a file or the trace as a whole is an exception still.
   *
   * @throws TraceException as {@link #read(List, TraceOptions)}
   */
  public static TraceReading open(List<Path> files, TraceOptions options) {
    return TraceLoading.read(files, options);
  }

  /**
   * All that is to be said about files, and no exception: every bad record is a finding, and so is
   * what keeps the trace as a whole from being read. Bad records go where the options say, or
   * nowhere.
   */
  public static TraceCheck check(List<Path> files, TraceOptions options) {
    BadRecords taker = options.badRecords();
    return TraceLoading.check(
        files, options.withBadRecords(taker == null ? BadRecords.DROPPED : taker));
  }

  /**
   * The first requests of files, as they come in them. Nothing behind them is read, unless one of
   * them waits for a request that comes later.
   *
   * @param requests how many, at least 1
   * @throws TraceException as {@link #read(List, TraceOptions)}, for what was read
   */
  public static TraceHead head(List<Path> files, TraceOptions options, int requests) {
    return TraceLoading.head(files, options, requests);
  }

  /**
   * The format of files, told by their content.
   *
   * @throws TraceException where they are of no known format, or not all of the same
   */
  public static TraceFormat format(List<Path> files) {
    return FormatDetection.common(TraceSources.of(files, note -> {}));
  }
}
