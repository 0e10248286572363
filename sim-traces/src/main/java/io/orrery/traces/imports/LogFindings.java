package io.orrery.traces.imports;

import java.util.LinkedHashMap;
import java.util.Map;

/** What was left out of logs, or was odd in them: how often, and where first. */
public final class LogFindings {
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final Map<String, String> places = new LinkedHashMap<>();

  /** How often each thing occurred, in the order of the first occurrences. */
  public Map<String, Long> counts() {
    return counts;
  }

  /** Where something occurred first, as {@code FILE:LINE}. For whoever reads the logs only. */
  public String place(String what) {
    return places.getOrDefault(what, "");
  }

  void count(String what, String file, long line) {
    counts.merge(what, 1L, Long::sum);
    places.putIfAbsent(what, line == 0 ? file : file + ":" + line);
  }
}
