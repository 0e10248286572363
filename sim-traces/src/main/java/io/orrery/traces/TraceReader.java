package io.orrery.traces;

/** Reads the files of one format into an assembler. */
interface TraceReader {
  /**
   * What a report says about the format; see the components of {@link TraceProvenance} with these
   * names.
   *
   * @param blockSize where the tokens per block come from
   */
  record Description(
      String blockSize,
      String timeUnit,
      String partialBlockRule,
      String timeBasis,
      String turnSemantics) {

    /** Of a format that says nothing about the blocks of its prompts. */
    static Description withoutBlocks(String timeUnit, String timeBasis, String turnSemantics) {
      return new Description(
          "none: hit rates are unknown",
          timeUnit,
          "prompts have no block identities",
          timeBasis,
          turnSemantics);
    }
  }

  /** Whether files should pass through {@link RunFolding}: it pays where arrays are long. */
  default boolean foldsRuns() {
    return false;
  }

  /** Whether the reader itself refuses a key that comes twice in an object. */
  default boolean refusesRepeatedKeys() {
    return false;
  }

  /** Requests that have been read, but will not be opened before {@link #finish}. */
  default int held() {
    return 0;
  }

  /**
   * Reads one file to its end; called once per file, in order. Where bad records are left out, it
   * is called again after each of them, to go on with the next row.
   */
  void read(JsonRows rows);

  /** Called after the last file. */
  void finish();

  /** Makes a reader. */
  interface Factory {
    TraceReader create(TraceAssembler assembler, TraceOptions options);
  }
}
