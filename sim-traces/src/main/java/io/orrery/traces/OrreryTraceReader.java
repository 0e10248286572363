package io.orrery.traces;

import io.orrery.parquet.ParquetException;
import io.orrery.parquet.ParquetReader;
import io.orrery.parquet.ParquetTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;

/**
 * Reads {@linkplain OrreryColumns Orrery's own format}. Older files may hold measurements that
 * cannot be; they are left out and counted.
 */
final class OrreryTraceReader {
  static final TraceReader.Description DESCRIPTION =
      new TraceReader.Description(
          "in the file",
          "ns",
          "as in the trace that was converted",
          "as in the trace that was converted",
          "as in the trace that was converted");

  private static final int BUFFER = 1 << 18;

  private final String name;
  private final Path path;
  private final TraceOptions options;
  private boolean more;

  private OrreryTraceReader(String name, Path path, TraceOptions options) {
    this.name = name;
    this.path = path;
    this.options = options;
  }

  /**
   * Reads the one file of a trace.
   *
   * @param options tokens per block as asked for, 0 for those of the file, and how many threads may
   *     work on it; no more than two do
   */
  static OrreryTraceReader of(List<TraceFile> files, TraceOptions options) {
    TraceFile file = files.get(0);
    if (files.size() > 1) {
      throw new TraceException(
          files.get(1).name(),
          0,
          "trace files",
          "a second file of Orrery's own format",
          "one: merge them first");
    }
    Path path = file.path();
    if (path == null) {
      throw new TraceException(
          file.name(), 0, null, "a Parquet file in an archive", "the file itself");
    }
    return new OrreryTraceReader(file.name(), path, options);
  }

  /**
   * Reads at least so many requests, where there are so many.
   *
   * @param findings takes what is left out, and which prompts have no identity
   * @throws TraceException on what is no trace, also where a request waits for one that is not read
   */
  Trace read(int enough, TraceFindings findings) {
    try (ParquetReader parquet = ParquetReader.open(path)) {
      int groups = groups(parquet, enough);
      more = groups < parquet.rowGroupCount();
      TraceHeader header =
          TraceHeader.of(
              name, parquet.metadata(), more ? new TraceFile(path).unread() : sourceFile());
      requireBlockSize(header.provenance().blockSize());
      TraceColumns columns =
          new TraceColumns(
              header.provenance().blockSize(),
              header.blockCount(),
              header.sharedClock(),
              header.provenance());
      columns.blocksKnown = header.blocksKnown();
      OrreryRows rows = new OrreryRows(name, columns);
      addGroups(parquet, groups, rows);
      rows.finish();
      new TraceChecks(name, columns).check(mayUseTwoThreads());
      Map<String, Long> leftOut = MeasuredFacts.leaveOut(columns);
      leftOut.forEach(
          (what, times) -> findings.quirk(TraceFinding.Severity.WARNING, what, times, name, 0));
      Trace trace = new Trace(columns.trimmed().under(header.provenance().counting(leftOut)));
      findings.unidentified(trace, name);
      return trace;
    } catch (ParquetException e) {
      throw new TraceException(name, 0, e.column(), e.found(), e.expected());
    }
  }

  /** While one row group is added, the next one is decoded. */
  private void addGroups(ParquetReader parquet, int groups, OrreryRows rows) {
    Computed<ParquetTable> next = group(parquet, 0, groups);
    for (int group = 0; group < groups; group++) {
      ParquetTable table = next.get();
      next = group(parquet, group + 1, groups);
      rows.add(table);
    }
  }

  private Computed<ParquetTable> group(ParquetReader parquet, int group, int groups) {
    boolean now = mayUseTwoThreads() && group < groups;
    return Computed.of(now, () -> parquet.readRowGroup(group));
  }

  private boolean mayUseTwoThreads() {
    return options.threads() > 1;
  }

  /** Whether the file has requests that were not read. */
  boolean hasMore() {
    return more;
  }

  private static int groups(ParquetReader parquet, int enough) {
    long rows = 0;
    int groups = 0;
    while (groups < parquet.rowGroupCount() && (groups == 0 || rows < enough)) {
      rows += parquet.rowCount(groups++);
    }
    return groups;
  }

  private void requireBlockSize(int found) {
    int asked = options.blockSize();
    if (asked > 0 && asked != found) {
      throw new TraceException(
          name, 0, "block size", Integer.toString(found), asked + ", as asked for");
    }
  }

  private TraceProvenance.SourceFile sourceFile() {
    MessageDigest digest = TraceFile.sha256();
    byte[] buffer = new byte[BUFFER];
    try (var in = Files.newInputStream(path)) {
      for (int count; (count = in.read(buffer)) > 0; ) {
        digest.update(buffer, 0, count);
      }
    } catch (IOException e) {
      throw TraceSources.unreadable(name, e);
    }
    return new TraceFile(path).provenance(digest);
  }
}
