package io.orrery.traces;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a trace comes from and how it was understood; reports print it.
 *
 * @param format name of the format
 * @param files the files in the order in which they were read
 * @param blockSize tokens per trace block
 * @param timeUnit unit of the file's time fields
 * @param partialBlockRule what a trailing partial block means in this format
 * @param timeBasis what recorded times are relative to
 * @param turnSemantics how a turn follows the one before it
 * @param counters accepted quirks and how often each occurred, in the order of their first
 *     occurrence
 * @param notes assumptions, one sentence each
 */
public record TraceProvenance(
    String format,
    List<SourceFile> files,
    int blockSize,
    String timeUnit,
    String partialBlockRule,
    String timeBasis,
    String turnSemantics,
    Map<String, Long> counters,
    List<String> notes) {

  private static final String OF_WHOLE = " (in the whole trace that a part was taken from)";

  public TraceProvenance {
    files = List.copyOf(files);
    counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
    notes = List.copyOf(notes);
  }

  /**
   * One file of a trace.
   *
   * @param name the file's name without its folder
   * @param bytes its size as stored
   * @param sha256 of its bytes as stored, in lower-case hexadecimal digits
   */
  public record SourceFile(String name, long bytes, String sha256) {}

  /** The same with one more note. */
  TraceProvenance noting(String note) {
    List<String> more = new ArrayList<>(notes);
    more.add(note);
    return with(counters, more);
  }

  /**
   * The same for some of the trace's requests, with one more note. Nobody knows in which of them
   * the quirks were, so the counts are said to be of the whole.
   */
  TraceProvenance ofPart(String note) {
    Map<String, Long> ofWhole = new LinkedHashMap<>();
    counters.forEach(
        (quirk, times) -> ofWhole.put(quirk.endsWith(OF_WHOLE) ? quirk : quirk + OF_WHOLE, times));
    return with(ofWhole, notes).noting(note);
  }

  /** The same with more occurrences of quirks. */
  TraceProvenance counting(Map<String, Long> more) {
    Map<String, Long> all = new LinkedHashMap<>(counters);
    more.forEach((quirk, times) -> all.merge(quirk, times, Long::sum));
    return with(all, notes);
  }

  private TraceProvenance with(Map<String, Long> otherCounters, List<String> otherNotes) {
    return new TraceProvenance(
        format,
        files,
        blockSize,
        timeUnit,
        partialBlockRule,
        timeBasis,
        turnSemantics,
        otherCounters,
        otherNotes);
  }

  /** Provenance of a trace that was built by hand. */
  static TraceProvenance handBuilt(int blockSize) {
    return new TraceProvenance(
        "built",
        List.of(),
        blockSize,
        "ns",
        "blocks beyond the last full one are dropped",
        "as given",
        "as given",
        Map.of(),
        List.of());
  }
}
