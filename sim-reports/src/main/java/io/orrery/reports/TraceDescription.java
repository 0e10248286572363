package io.orrery.reports;

import io.orrery.traces.Trace;
import io.orrery.traces.TraceProvenance;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a trace comes from and how it was understood.
 *
 * @param digest SHA-256 over the format, the block size, the notes on how the files were understood
 *     and the digests of the files: equal for equal traces, wherever they lie
 * @param tree the description for JSON, digest included
 */
public record TraceDescription(String digest, Map<String, Object> tree) {

  /** Describes a trace. */
  public static TraceDescription of(Trace trace) {
    return of(
        trace.provenance(),
        trace.blockSize(),
        trace.requestCount(),
        trace.sessionCount(),
        trace.blockCount(),
        trace.sharedClock());
  }

  /** Describes a trace by its numbers. */
  public static TraceDescription of(
      TraceProvenance provenance,
      int blockSize,
      long requests,
      long sessions,
      long blocks,
      boolean sharedClock) {
    String digest = digest(provenance);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("digest", digest);
    tree.put("format", provenance.format());
    List<Object> files = new ArrayList<>();
    for (TraceProvenance.SourceFile file : provenance.files()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", file.name());
      entry.put("bytes", file.bytes());
      entry.put("sha256", file.sha256());
      files.add(entry);
    }
    tree.put("files", files);
    tree.put("requests", requests);
    tree.put("sessions", sessions);
    tree.put("block_size", blockSize);
    tree.put("blocks", blocks);
    tree.put("shared_clock", sharedClock);
    tree.put("time_unit", provenance.timeUnit());
    tree.put("time_basis", provenance.timeBasis());
    tree.put("partial_blocks", provenance.partialBlockRule());
    tree.put("turns", provenance.turnSemantics());
    tree.put("counters", provenance.counters());
    tree.put("notes", provenance.notes());
    return new TraceDescription(digest, tree);
  }

  private static String digest(TraceProvenance provenance) {
    StringBuilder text = new StringBuilder();
    text.append(provenance.format()).append('\n').append(provenance.blockSize()).append('\n');
    provenance.notes().forEach(note -> text.append(note).append('\n'));
    provenance.files().forEach(file -> text.append(file.sha256()).append('\n'));
    try {
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
