package io.orrery.reports.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.orrery.reports.RunDocument;
import io.orrery.reports.summary.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The runs of a summary document: for every variant, a summary for each seed.
 *
 * @param label what the document is called
 * @param variants by name, in the document's order
 */
public record RunSet(String label, Map<String, Variant> variants) {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /**
   * A variant's runs.
   *
   * @param digest of its configuration, seed aside or not: equal only for equal configurations
   * @param trace digest of the trace
   * @param bySeed a summary for each seed
   */
  public record Variant(String digest, String trace, TreeMap<Long, Summary> bySeed) {}

  /**
   * Reads a document as {@code run --json} prints it.
   *
   * @throws IllegalArgumentException with what was found and expected, if it is no such document
   */
  public static RunSet read(String label, String json) {
    JsonNode root = parse(json);
    JsonNode version = root.path("schemaVersion");
    if (version.asInt() != RunDocument.SCHEMA_VERSION || !root.path("runs").isArray()) {
      throw new IllegalArgumentException(
          "found "
              + (version.isMissingNode() ? "no schemaVersion" : "schemaVersion " + version)
              + ", expected a summary of schemaVersion "
              + RunDocument.SCHEMA_VERSION
              + " with runs");
    }
    Map<String, Variant> variants = new LinkedHashMap<>();
    for (JsonNode run : root.path("runs")) {
      String name = run.path("name").asText();
      Variant variant =
          variants.computeIfAbsent(
              name,
              key ->
                  new Variant(
                      run.path("digest").asText(), run.path("trace").asText(), new TreeMap<>()));
      long seed = run.path("config").path("seed").asLong();
      Map<String, Number> values = new LinkedHashMap<>();
      collect("", run.path("summary"), values);
      if (variant.bySeed().put(seed, Summary.of(values)) != null) {
        throw new IllegalArgumentException("found two runs of " + name + " with seed " + seed);
      }
    }
    if (variants.isEmpty()) {
      throw new IllegalArgumentException("found no runs, expected at least one");
    }
    return new RunSet(label, variants);
  }

  private static JsonNode parse(String json) {
    try {
      JsonNode root = MAPPER.readTree(json);
      if (root == null || !root.isObject()) {
        throw new IllegalArgumentException("found no JSON object, expected a summary");
      }
      return root;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "found no JSON (" + e.getOriginalMessage() + "), expected a summary", e);
    }
  }

  private static void collect(String prefix, JsonNode node, Map<String, Number> values) {
    node.properties()
        .forEach(
            entry -> {
              String key = prefix + entry.getKey();
              if (entry.getValue().isObject()) {
                collect(key + ".", entry.getValue(), values);
              } else if (entry.getValue().isNumber()) {
                values.put(key, entry.getValue().numberValue());
              }
            });
  }

  /** Every key that any of the runs has, in the order in which they are first met. */
  static List<String> keys(Iterable<Summary> summaries) {
    Map<String, Boolean> keys = new LinkedHashMap<>();
    for (Summary summary : summaries) {
      summary.values().keySet().forEach(key -> keys.put(key, true));
    }
    return new ArrayList<>(keys.keySet());
  }
}
