package io.orrery.reports.figures;

import io.orrery.reports.RunReport;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the sessions of the load come, in words: the first thing that numbers depend on. */
final class LoadWords {
  private LoadWords() {}

  /** A sentence for each kind of load among the runs. */
  static List<String> of(List<RunReport> runs) {
    Set<String> sentences = new LinkedHashSet<>();
    for (RunReport run : runs) {
      String sentence = sentence(run.config());
      if (sentence != null) {
        sentences.add(sentence);
      }
    }
    return List.copyOf(sentences);
  }

  private static @Nullable String sentence(Map<String, Object> config) {
    String dispatch = text(config, "trace", "dispatch");
    if (dispatch.equals("lanes")) {
      String count = text(config, "trace", "lanes", "count");
      return "Load: "
          + (count.equals("auto") ? "so many sessions for each worker" : count + " sessions")
          + " at a time (trace.dispatch: lanes). All of these begin "
          + (text(config, "trace", "lanes", "randomStart").equals("true")
              ? "somewhere in their course"
              : "at 0 with their first turn, a burst")
          + "; where one is completed the next one begins, so a slower cluster is asked for less.";
    }
    if (dispatch.equals("closed-loop")) {
      return "Load: sessions begin by themselves (trace.closedLoop.arrivals.process: "
          + text(config, "trace", "closedLoop", "arrivals", "process")
          + "); each turn follows the one before it, so a slower cluster is asked for less.";
    }
    if (dispatch.equals("timestamps")) {
      return "Load: every request is sent at its time in the trace, however slow the cluster is"
          + " (trace.timestamps.speedup: "
          + text(config, "trace", "timestamps", "speedup")
          + ").";
    }
    return null;
  }

  private static String text(Map<?, ?> config, String... path) {
    Object value = config;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return String.valueOf(value);
  }
}
