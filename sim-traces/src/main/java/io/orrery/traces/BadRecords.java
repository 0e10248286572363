package io.orrery.traces;

/**
 * Takes the records that cannot be read, so that the rest of a trace can be used: {@code
 * --quarantine}. Each is called once, in no particular order, and stands in the {@linkplain
 * TraceFindings findings} and, counted, in the trace's provenance.
 */
@FunctionalInterface
public interface BadRecords {
  /** Drops them; the findings still name each. */
  BadRecords DROPPED = (file, line, text, why) -> {};

  /**
   * Takes one.
   *
   * @param file the file's name as it was given
   * @param line its first line, 1-based, 0 where the whole file is at fault
   * @param text its lines without the last one's end, empty where the whole file is at fault
   * @param why what is wrong with it
   */
  void take(String file, long line, String text, TraceException why);
}
