package io.orrery.reports.gates;

import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Summary;
import java.lang.module.ModuleDescriptor.Version;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of runs as they once were, with what they were numbers of. Kept with the code: small,
 * sorted, one number a line, so that a change can be read as a difference. {@link BaselineJson}
 * writes and reads it.
 *
 * @param version of the program that wrote it
 * @param scenario its name
 * @param seeds under how many seeds each variant was run
 * @param variants by name, sorted
 */
public record Baseline(
    String version, String scenario, int seeds, TreeMap<String, Variant> variants) {
  /**
   * A variant's numbers.
   *
   * @param digest of the configuration
   * @param trace digest of the trace
   * @param profile digests of the profile or measured tables of its step times; empty for what
   *     ships
   * @param config every setting, by its full key, as text
   * @param metrics every number, by its full key
   */
  public record Variant(
      String digest,
      String trace,
      String profile,
      TreeMap<String, String> config,
      TreeMap<String, Number> metrics) {}

  /**
   * What runs' numbers are now.
   *
   * @param seeds under how many seeds each was run
   */
  public static Baseline of(RunDocument document, List<RunReport> runs, int seeds) {
    TreeMap<String, Variant> variants = new TreeMap<>();
    for (RunReport run : runs) {
      TreeMap<String, String> config = new TreeMap<>();
      flatten("", run.config(), config);
      variants.put(
          run.name(),
          new Variant(
              run.digest(),
              run.traceDigest(),
              String.join("+", run.stepTimeDigests()),
              config,
              new TreeMap<>(run.summary().values())));
    }
    return new Baseline(document.version(), document.name(), seeds, variants);
  }

  private static void flatten(String prefix, Object value, Map<String, String> into) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (key, inner) ->
              flatten(
                  prefix.isEmpty() ? "" + key : prefix + "." + key,
                  Objects.requireNonNull(inner),
                  into));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        flatten(prefix + "[" + i + "]", Objects.requireNonNull(list.get(i)), into);
      }
    } else {
      // 50, not 5E+1: people read it.
      into.put(prefix, value instanceof BigDecimal number ? number.toPlainString() : "" + value);
    }
  }

  @Nullable Summary summary(String variant) {
    Variant known = variants.get(variant);
    return known == null ? null : Summary.of(known.metrics());
  }

  /**
   * Why another run's numbers cannot be held against these, a sentence each; empty if they can.
   *
   * @param now what is to be compared
   */
  public List<String> differences(Baseline now) {
    List<String> differences = new ArrayList<>();
    if (parsed(version).compareTo(parsed(now.version)) > 0) {
      differences.add(
          "version: " + version + ", later than this program's, " + now.version + ", wrote it");
    }
    if (!scenario.equals(now.scenario)) {
      differences.add("scenario: found " + now.scenario + ", the baseline is of " + scenario);
    }
    if (seeds != now.seeds) {
      differences.add("seeds: found " + now.seeds + ", the baseline has " + seeds);
    }
    if (!variants.keySet().equals(now.variants.keySet())) {
      differences.add(
          "variants: found " + now.variants.keySet() + ", the baseline has " + variants.keySet());
    }
    variants.forEach(
        (name, before) -> {
          Variant after = now.variants.get(name);
          if (after != null) {
            differences(name, before, after, differences);
          }
        });
    return differences;
  }

  /**
   * How many numbers are not the baseline's, however little they differ.
   *
   * @param now what is compared
   */
  public int changes(Baseline now) {
    int changed = 0;
    for (Map.Entry<String, Variant> entry : variants.entrySet()) {
      Variant after = now.variants.get(entry.getKey());
      if (after != null) {
        changed += changes(entry.getValue().metrics(), after.metrics());
      }
    }
    return changed;
  }

  private static int changes(Map<String, Number> before, Map<String, Number> after) {
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(after.keySet());
    int changed = 0;
    for (String key : keys) {
      Number one = before.get(key);
      Number other = after.get(key);
      if (one == null || other == null || one.doubleValue() != other.doubleValue()) {
        changed++;
      }
    }
    return changed;
  }

  static Version parsed(String version) {
    return Version.parse(version);
  }

  private static void differences(
      String name, Variant before, Variant after, List<String> differences) {
    if (!before.trace().equals(after.trace())) {
      differences.add(name + ": another trace (" + after.trace() + ", not " + before.trace() + ")");
    }
    if (!before.profile().equals(after.profile())) {
      differences.add(
          name + ": another profile of step times, other measured tables, or another model file");
    }
    int known = differences.size();
    TreeSet<String> keys = new TreeSet<>(before.config().keySet());
    keys.addAll(after.config().keySet());
    for (String key : keys) {
      String one = before.config().getOrDefault(key, "nothing");
      String other = after.config().getOrDefault(key, "nothing");
      if (!one.equals(other)) {
        differences.add(name + ": " + key + " is " + other + ", not " + one);
      }
    }
    if (differences.size() == known && !before.digest().equals(after.digest())) {
      differences.add(
          name
              + ": another digest of the configuration ("
              + after.digest()
              + ", not "
              + before.digest()
              + ") although no key differs; was it written by hand?");
    }
  }
}
