package io.orrery.reports;

import io.orrery.reports.summary.Summary;
import java.util.List;
import java.util.Map;

/**
 * What a report says about one run.
 *
 * @param name the variant's name
 * @param config its effective configuration as a tree of maps, lists, strings, numbers and booleans
 * @param digest of the configuration
 * @param traceDigest of the trace, see {@link TraceDescription}
 * @param summary its numbers
 * @param rejections why requests were refused
 */
public record RunReport(
    String name,
    Map<String, Object> config,
    String digest,
    String traceDigest,
    Summary summary,
    List<Rejections.Group> rejections) {
  public RunReport {
    rejections = List.copyOf(rejections);
  }
}
