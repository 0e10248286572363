package io.orrery.reports.sweep;

import io.orrery.scenarios.sweep.Sweep;
import io.orrery.scenarios.sweep.SweepPoint;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The finished points of a sweep, read one by one from its journal, in the sweep's order. */
public final class SweepResults {
  private final Sweep sweep;
  private final String version;
  private final SweepJournal journal;
  private final List<@Nullable String> keys;
  private final SortedMap<Integer, String> failures;
  private final int known;

  /**
   * @param version of the program, and of what else was plugged in
   * @param journal of the finished points
   * @param keys of the finished points by index, null where one failed
   * @param failures why points failed, by index
   * @param known how many points were finished before
   */
  public SweepResults(
      Sweep sweep,
      String version,
      SweepJournal journal,
      List<@Nullable String> keys,
      Map<Integer, String> failures,
      int known) {
    this.sweep = sweep;
    this.version = version;
    this.journal = journal;
    this.keys = keys;
    this.failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
    this.known = known;
  }

  /** Takes points in order. */
  public interface Visitor {
    /** A point that finished. */
    void finished(SweepPoint point, PointResult result) throws IOException;

    /** A point that failed, and why. */
    default void failed(SweepPoint point, String reason) throws IOException {}
  }

  /** The sweep. */
  public Sweep sweep() {
    return sweep;
  }

  /** The program's version. */
  public String version() {
    return version;
  }

  /** Why points failed, by index. */
  public SortedMap<Integer, String> failures() {
    return failures;
  }

  /** How many points were finished before. */
  public int known() {
    return known;
  }

  /** Visits every point. */
  public void forEach(Visitor visitor) throws IOException {
    for (int i = 0; i < sweep.size(); i++) {
      String key = keys.get(i);
      if (key != null) {
        visitor.finished(sweep.point(i), journal.get(key));
      } else {
        visitor.failed(sweep.point(i), failures.getOrDefault(i, "it was not run"));
      }
    }
  }

  /** Puts the journal's lines in the points' order. */
  public void orderJournal() throws IOException {
    Set<String> finished = new LinkedHashSet<>();
    keys.stream().filter(Objects::nonNull).forEach(finished::add);
    journal.order(finished);
  }

  /** What was decided or assumed on the user's behalf, and for how many points. */
  Map<String, Integer> assumptions() throws IOException {
    Map<String, Integer> assumptions = new LinkedHashMap<>();
    forEach(
        (point, result) ->
            result.assumptions().forEach(text -> assumptions.merge(text, 1, Integer::sum)));
    return assumptions;
  }
}
