package io.orrery.traces;

import static io.orrery.traces.OrreryColumns.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a file in Orrery's own format says of the trace as a whole.
 *
 * @param provenance where the trace comes from
 * @param blockCount how many distinct blocks it names
 * @param sharedClock whether its sessions have a clock in common
 * @param blocksKnown whether the identity of prompts is known
 */
public record TraceHeader(
    TraceProvenance provenance, long blockCount, boolean sharedClock, boolean blocksKnown) {
  /**
   * Reads the metadata of a file.
   *
   * @param name of the file, for messages
   * @param metadata its key-value pairs
   * @param file as it is stored
   * @throws TraceException if it is no trace in this format
   */
  public static TraceHeader of(
      String name, Map<String, String> metadata, TraceProvenance.SourceFile file) {
    String version = metadata.get(VERSION_KEY);
    if (version == null) {
      throw wrong(name, VERSION_KEY, "nothing", "a trace in Orrery's own format");
    }
    if (!version.equals(Integer.toString(VERSION))) {
      throw wrong(
          name, VERSION_KEY, version, VERSION + ": it was written by another version of Orrery");
    }
    int blockSize = (int) number(name, metadata, BLOCK_SIZE_KEY, 1, TraceAssembler.MAX_TOKENS);
    TraceProvenance source;
    try {
      source = ProvenanceJson.read(metadata.getOrDefault(PROVENANCE_KEY, "{}"), blockSize);
    } catch (IOException e) {
      throw wrong(name, PROVENANCE_KEY, "text that is not JSON", "what Orrery writes");
    }
    List<String> notes = new ArrayList<>(source.notes());
    notes.add(converted(source));
    TraceProvenance provenance =
        new TraceProvenance(
            TraceFormat.ORRERY.formatName(),
            List.of(file),
            blockSize,
            source.timeUnit(),
            source.partialBlockRule(),
            source.timeBasis(),
            source.turnSemantics(),
            new LinkedHashMap<>(source.counters()),
            notes);
    return new TraceHeader(
        provenance,
        number(name, metadata, BLOCK_COUNT_KEY, 0, Integer.MAX_VALUE),
        flag(name, metadata, SHARED_CLOCK_KEY),
        flag(name, metadata, BLOCKS_KNOWN_KEY));
  }

  /** Whether a Parquet file with these key-value pairs is a trace. */
  public static boolean isThere(Map<String, String> metadata) {
    return metadata.containsKey(VERSION_KEY);
  }

  private static String converted(TraceProvenance source) {
    StringBuilder text = new StringBuilder("Converted from ").append(source.format());
    for (TraceProvenance.SourceFile file : source.files()) {
      text.append(", ").append(file.name()).append(" (SHA-256 ").append(file.sha256()).append(')');
    }
    return text.append('.').toString();
  }

  private static long number(
      String name, Map<String, String> metadata, String key, long least, long most) {
    String text = metadata.getOrDefault(key, "nothing");
    if (NumberText.isNumber(text)) {
      long value = NumberText.whole(text);
      if (value >= least && value <= most) {
        return value;
      }
    }
    throw wrong(name, key, text, "a whole number from " + least + " to " + most);
  }

  private static boolean flag(String name, Map<String, String> metadata, String key) {
    String text = metadata.getOrDefault(key, "nothing");
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(name, key, text, "true or false");
    }
    return text.equals("true");
  }

  private static TraceException wrong(String name, String field, String value, String expected) {
    return new TraceException(name, 0, field, value, expected);
  }
}
