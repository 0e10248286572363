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
    count(what, placeOf(file, line));
  }

  void count(String what, String place) {
    counts.merge(what, 1L, Long::sum);
    places.putIfAbsent(what, place);
  }

  /** A line, or a file where it is 0. */
  static String placeOf(String file, long line) {
    return line == 0 ? file : file + ":" + line;
  }
}
