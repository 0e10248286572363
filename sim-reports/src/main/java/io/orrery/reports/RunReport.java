package io.orrery.reports;

import io.orrery.reports.summary.Summary;
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
 * @param profile name and digest of the profile that its step times rest on, empty for what ships
 * @param summary its numbers
 * @param rejections why requests were refused
 */
public record RunReport(
    String name,
    Map<String, Object> config,
    String digest,
    String traceDigest,
    Map<String, String> profile,
    Summary summary,
    List<Rejections.Group> rejections) {
  public RunReport {
    profile = Collections.unmodifiableMap(new LinkedHashMap<>(profile));
    rejections = List.copyOf(rejections);
  }

  /** The same run with other numbers. */
  RunReport withSummary(Summary other) {
    return new RunReport(name, config, digest, traceDigest, profile, other, rejections);
  }
}
