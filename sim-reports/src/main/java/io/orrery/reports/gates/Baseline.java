package io.orrery.reports.gates;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.reports.JsonText;
import io.orrery.reports.RunDocument;
import io.orrery.reports.RunReport;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of runs as they once were, with what they were numbers of. Kept with the code: small,
 * sorted, one number a line, so that a change can be read as a difference.
 *
 * @param version of the program that wrote it
 * @param scenario its name
 * @param variants by name, sorted
 */
public record Baseline(String version, String scenario, TreeMap<String, Variant> variants) {
  /** The version of the document's structure. */
  public static final int SCHEMA_VERSION = 1;

  private static final String KIND = "orrery-baseline";
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /**
   * A variant's numbers.
   *
   * @param trace digest of the trace
   * @param profile digest of the profile of its step times; empty for what ships
   * @param config every setting, by its full key, as text
   * @param metrics every number, by its full key
   */
  public record Variant(
      String trace,
      String profile,
      TreeMap<String, String> config,
      TreeMap<String, Number> metrics) {}

  /** What a run's numbers are now. */
  public static Baseline of(RunDocument document, List<RunReport> runs) {
    TreeMap<String, Variant> variants = new TreeMap<>();
    for (RunReport run : runs) {
      TreeMap<String, String> config = new TreeMap<>();
      flatten("", run.config(), config);
      variants.put(
          run.name(),
          new Variant(
              run.traceDigest(),
              run.profile().getOrDefault("sha256", ""),
              config,
              new TreeMap<>(run.summary().values())));
    }
    return new Baseline(document.version(), document.name(), variants);
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
      into.put(prefix, value.toString());
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

  private static void differences(
      String name, Variant before, Variant after, List<String> differences) {
    if (!before.trace().equals(after.trace())) {
      differences.add(name + ": another trace (" + after.trace() + ", not " + before.trace() + ")");
    }
    if (!before.profile().equals(after.profile())) {
      differences.add(name + ": another profile of step times");
    }
    TreeSet<String> keys = new TreeSet<>(before.config().keySet());
    keys.addAll(after.config().keySet());
    for (String key : keys) {
      String one = before.config().getOrDefault(key, "nothing");
      String other = after.config().getOrDefault(key, "nothing");
      if (!one.equals(other)) {
        differences.add(name + ": " + key + " is " + other + ", not " + one);
      }
    }
  }

  /** The document, ended by a new line. */
  public String toJson() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("kind", KIND);
    root.put("version", version);
    root.put("scenario", scenario);
    Map<String, Object> entries = new LinkedHashMap<>();
    variants.forEach(
        (name, variant) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("trace", variant.trace());
          entry.put("profile", variant.profile());
          entry.put("config", variant.config());
          entry.put("metrics", variant.metrics());
          entries.put(name, entry);
        });
    root.put("variants", entries);
    return JsonText.of(root);
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException with what was found and expected, if it is none
   */
  public static Baseline read(String json) {
    JsonNode root;
    try {
      root = MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "found no JSON (" + e.getOriginalMessage() + "), expected a baseline", e);
    }
    if (root == null || !KIND.equals(root.path("kind").asText())) {
      throw new IllegalArgumentException(
          "found no kind " + KIND + ", expected a baseline as check --update-baseline writes it");
    }
    int schema = root.path("schemaVersion").asInt();
    if (schema != SCHEMA_VERSION) {
      throw new IllegalArgumentException(
          "schemaVersion: found "
              + schema
              + ", expected "
              + SCHEMA_VERSION
              + (schema > SCHEMA_VERSION ? "; a later version of the program wrote it" : ""));
    }
    TreeMap<String, Variant> variants = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : root.path("variants").properties()) {
      variants.put(entry.getKey(), variant(entry.getKey(), entry.getValue()));
    }
    return new Baseline(root.path("version").asText(), root.path("scenario").asText(), variants);
  }

  private static Variant variant(String name, JsonNode node) {
    TreeMap<String, String> config = new TreeMap<>();
    node.path("config").properties().forEach(e -> config.put(e.getKey(), e.getValue().asText()));
    TreeMap<String, Number> metrics = new TreeMap<>();
    for (Map.Entry<String, JsonNode> metric : node.path("metrics").properties()) {
      if (!metric.getValue().isNumber()) {
        throw new IllegalArgumentException(
            "variants."
                + name
                + ".metrics."
                + metric.getKey()
                + ": found "
                + metric.getValue()
                + ", expected a number");
      }
      metrics.put(metric.getKey(), metric.getValue().numberValue());
    }
    return new Variant(node.path("trace").asText(), node.path("profile").asText(), config, metrics);
  }
}
