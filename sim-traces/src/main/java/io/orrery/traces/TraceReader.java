package io.orrery.traces;

/** Reads the files of one format into an assembler. */
interface TraceReader {
  /**
   * What a report says about the format; see the components of {@link TraceProvenance} with these
   * names.
   */
  record Description(
      String timeUnit, String partialBlockRule, String timeBasis, String turnSemantics) {}

  /** Whether files should pass through {@link RunFolding}: it pays where arrays are long. */
  default boolean foldsRuns() {
    return false;
  }

  /** Reads one file to its end; called once per file, in order. */
  void read(JsonRows rows);

  /** Called after the last file. */
  void finish();

  Description description();

  /** Makes a reader. */
  interface Factory {
    TraceReader create(TraceAssembler assembler, TraceOptions options);
  }
}
