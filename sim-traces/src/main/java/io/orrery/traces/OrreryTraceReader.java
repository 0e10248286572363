package io.orrery.traces;

import static io.orrery.traces.OrreryColumns.*;

import io.orrery.parquet.ParquetException;
import io.orrery.parquet.ParquetReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@linkplain OrreryColumns Orrery's own format}. */
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

  private OrreryTraceReader(String name, Path path) {
    this.name = name;
    this.path = path;
  }

  /** Reads the one file of a trace. */
  static Trace read(List<TraceFile> files) {
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
    return new OrreryTraceReader(file.name(), path).read();
  }

  private Trace read() {
    try (ParquetReader parquet = ParquetReader.open(path)) {
      TraceProvenance provenance = provenance(parquet.metadata());
      TraceColumns columns =
          new TraceColumns(
              provenance.blockSize(),
              number(parquet.metadata(), BLOCK_COUNT_KEY, 0, Integer.MAX_VALUE),
              flag(parquet.metadata(), SHARED_CLOCK_KEY),
              provenance);
      columns.blocksKnown = flag(parquet.metadata(), BLOCKS_KNOWN_KEY);
      fill(columns, parquet);
      new TraceChecks(name, columns).check();
      return new Trace(columns.trimmed());
    } catch (ParquetException e) {
      throw new TraceException(name, 0, e.column(), e.found(), e.expected());
    }
  }

  private TraceProvenance provenance(Map<String, String> metadata) {
    String version = metadata.get(VERSION_KEY);
    if (version == null) {
      throw wrong(VERSION_KEY, "nothing", "a trace in Orrery's own format");
    }
    if (!version.equals(Integer.toString(VERSION))) {
      throw wrong(VERSION_KEY, version, VERSION + ": it was written by another version of Orrery");
    }
    int blockSize = (int) number(metadata, BLOCK_SIZE_KEY, 1, TraceAssembler.MAX_TOKENS);
    TraceProvenance source;
    try {
      source = ProvenanceJson.read(metadata.getOrDefault(PROVENANCE_KEY, "{}"), blockSize);
    } catch (IOException e) {
      throw wrong(PROVENANCE_KEY, "text that is not JSON", "what Orrery writes");
    }
    List<String> notes = new ArrayList<>(source.notes());
    notes.add(converted(source));
    return new TraceProvenance(
        TraceFormat.ORRERY.formatName(),
        List.of(sourceFile()),
        blockSize,
        source.timeUnit(),
        source.partialBlockRule(),
        source.timeBasis(),
        source.turnSemantics(),
        new LinkedHashMap<>(source.counters()),
        notes);
  }

  private static String converted(TraceProvenance source) {
    StringBuilder text = new StringBuilder("Converted from ").append(source.format());
    for (TraceProvenance.SourceFile file : source.files()) {
      text.append(", ").append(file.name()).append(" (SHA-256 ").append(file.sha256()).append(')');
    }
    return text.append('.').toString();
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

  private void fill(TraceColumns c, ParquetReader parquet) {
    OrreryRows rows = new OrreryRows(name, c);
    for (int group = 0; group < parquet.rowGroupCount(); group++) {
      rows.add(parquet.readRowGroup(group));
    }
    rows.finish();
  }

  private long number(Map<String, String> metadata, String key, long least, long most) {
    String text = metadata.getOrDefault(key, "nothing");
    if (NumberText.isNumber(text)) {
      long value = NumberText.whole(text);
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw wrong(key, text, "a whole number from " + least + " to " + most);
  }

  private boolean flag(Map<String, String> metadata, String key) {
    String text = metadata.getOrDefault(key, "nothing");
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(key, text, "true or false");
    }
    return text.equals("true");
  }

  private TraceException wrong(String field, String value, String expected) {
    return new TraceException(name, 0, field, value, expected);
  }
}
