package io.orrery.reports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that is known of an experiment's runs, for machines. No wall-clock figure is in it: the same
 * inputs give the same bytes.
 *
 * @param version of the program
 * @param name of the scenario
 * @param assumptions what was decided or assumed on the user's behalf, a sentence each
 * @param traces the traces that were replayed, each once
 * @param runs the runs, in the order of the variants
 */
public record RunDocument(
    String version,
    String name,
    List<String> assumptions,
    List<TraceDescription> traces,
    List<RunReport> runs) {
  /** The version of the document's structure; it grows when a key changes its meaning or goes. */
  public static final int SCHEMA_VERSION = 1;

  public RunDocument {
    assumptions = List.copyOf(assumptions);
    traces = List.copyOf(traces);
    runs = List.copyOf(runs);
  }

  /** The document as JSON, ended by a new line. */
  public String toJson() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("version", version);
    root.put("name", name);
    root.put("assumptions", assumptions);
    root.put("traces", traces.stream().map(TraceDescription::tree).toList());
    List<Object> entries = new ArrayList<>();
    for (RunReport run : runs) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", run.name());
      entry.put("config", run.config());
      entry.put("digest", run.digest());
      entry.put("trace", run.traceDigest());
      entry.putAll(run.stepTimes());
      entry.put("summary", run.summary().tree());
      List<Object> rejections = new ArrayList<>();
      for (Rejections.Group group : run.rejections()) {
        Map<String, Object> rejection = new LinkedHashMap<>();
        rejection.put("reason", group.reason());
        rejection.put("count", group.count());
        rejections.add(rejection);
      }
      entry.put("rejections", rejections);
      entries.add(entry);
    }
    root.put("runs", entries);
    return JsonText.of(root);
  }
}
