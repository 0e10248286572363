package io.orrery.traces;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that was noticed while files were read: accepted quirks with their counts and first places,
 * and, where bad records are kept aside, each of them.
 */
public final class TraceFindings {
  /** A prompt of which nothing is known. */
  static final String NO_HASHES = "requests without block hashes";

  /** A prompt of which the beginning is known. */
  static final String FEWER_HASHES =
      "prompts with fewer hashes than full blocks, the rest unidentified";

  /** A turn of which no wait is known. */
  static final String START_TO_START = "turns released by a start-to-start gap";

  /** A turn whose recorded wait began before the turn that it waited for. */
  static final String LONGER_THAN_APART =
      "waits longer than the time since the turn before them began, not used";

  /** What a trace's provenance says of records that are errors here. */
  private static final String LEFT_OUT = "records left out because they cannot be read";

  /** More errors than this are counted but not listed. */
  private static final int MOST_ERRORS = 10_000;

  private final Map<String, TraceFinding> quirks = new LinkedHashMap<>();
  private final List<TraceFinding> errors = new ArrayList<>();
  private long errorCount;
  private long leftOut;

  TraceFindings() {}

  /** The errors in file order, then the quirks in the order of their first occurrence. */
  public List<TraceFinding> all() {
    List<TraceFinding> all = new ArrayList<>(errors);
    all.addAll(quirks.values());
    return List.copyOf(all);
  }

  /** How many findings of a severity there are, each counted as often as it occurred. */
  public long count(TraceFinding.Severity severity) {
    return severity == TraceFinding.Severity.ERROR
        ? errorCount
        : quirks.values().stream()
            .filter(finding -> finding.severity() == severity)
            .mapToLong(TraceFinding::count)
            .sum();
  }

  /** Whether there is anything worse than a note: what {@code --strict} refuses. */
  public boolean anyProblem() {
    return errorCount > 0 || count(TraceFinding.Severity.WARNING) > 0;
  }

  /** Counts of the quirks, in the order of their first occurrence. */
  Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    quirks.values().forEach(finding -> counters.put(finding.what(), finding.count()));
    if (leftOut > 0) {
      counters.put(LEFT_OUT, leftOut);
    }
    return counters;
  }

  /** Says how many records a trace is without: each is an error here, and no quirk besides. */
  void leftOut(long records) {
    leftOut = records;
  }

  void quirk(
      TraceFinding.Severity severity, String what, long times, @Nullable String file, long line) {
    TraceFinding first = quirks.get(what);
    quirks.put(
        what,
        first == null
            ? new TraceFinding(severity, what, times, file, line, null)
            : new TraceFinding(
                first.severity(),
                what,
                first.count() + times,
                first.file(),
                first.line(),
                first.field()));
  }

  /** Counts prompts without identities as readers of text do, whatever a trace has gone through. */
  void unidentified(Trace trace, String file) {
    for (int r = 0; r < trace.requestCount() && trace.blocksKnown(); r++) {
      if (trace.unidentifiedTokens(r) > 0) {
        String what = trace.identifiedBlocks(r) == 0 ? NO_HASHES : FEWER_HASHES;
        quirk(TraceFinding.Severity.WARNING, what, 1, file, 0);
      }
    }
  }

  void error(TraceFinding finding) {
    errorCount++;
    if (errors.size() < MOST_ERRORS) {
      errors.add(finding);
    }
  }

  /** Takes over the errors of an earlier attempt. */
  void errorsOf(TraceFindings other) {
    errorCount += other.errorCount;
    errors.addAll(0, other.errors);
  }
}
