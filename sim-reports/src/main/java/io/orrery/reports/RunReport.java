package io.orrery.reports;

import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a report says about one run.
 *
 * @param name the variant's name
 * @param config its effective configuration as a tree of maps, lists, strings, numbers and booleans
 * @param digest of the configuration
 * @param traceDigest of the trace, see {@link TraceDescription}
 * @param stepTimes what its step times rest on beside what ships: name and digest of a {@link
 *     #PROFILE}, digests by GPU of measured {@link #TABLES}
 * @param summary its numbers
 * @param rejections why requests were refused
 */
public record RunReport(
    String name,
    Map<String, Object> config,
    String digest,
    String traceDigest,
    Map<String, Map<String, String>> stepTimes,
    Summary summary,
    List<Rejections.Group> rejections) {
  /** Step times that rest on a profile. */
  public static final String PROFILE = "profile";

  /** Step times that rest on measured tables. */
  public static final String TABLES = "kernelTables";

  /** Models that files describe. */
  public static final String MODELS = "modelFiles";

  public RunReport {
    stepTimes = Collections.unmodifiableMap(new LinkedHashMap<>(stepTimes));
    rejections = List.copyOf(rejections);
  }

  /** Digests of what its step times rest on; empty for what ships. */
  public List<String> stepTimeDigests() {
    List<String> digests = new ArrayList<>();
    Map<String, String> profile = stepTimes.getOrDefault(PROFILE, Map.of());
    if (profile.containsKey("sha256")) {
      digests.add(profile.get("sha256"));
    }
    digests.addAll(stepTimes.getOrDefault(TABLES, Map.of()).values());
    digests.addAll(stepTimes.getOrDefault(MODELS, Map.of()).values());
    return digests;
  }

  /** The same run with other numbers. */
  RunReport withSummary(Summary other) {
    return new RunReport(name, config, digest, traceDigest, stepTimes, other, rejections);
  }
}
