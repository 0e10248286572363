package io.orrery.reports.gates;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.orrery.reports.JsonText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Baselines as JSON: sorted, one value a line; settings that all variants share are written once.
 * Files are kept by hand (merged, reviewed), so everything that is not as it would be written is
 * refused.
 */
public final class BaselineJson {
  /** The version of the document's structure. */
  public static final int SCHEMA_VERSION = 1;

  private static final BigInteger LATEST = BigInteger.valueOf(SCHEMA_VERSION);
  private static final String KIND = "orrery-baseline";
  private static final Set<String> KEYS =
      Set.of("schemaVersion", "kind", "version", "scenario", "seeds", "config", "variants");
  private static final Set<String> VARIANT_KEYS =
      Set.of("digest", "trace", "profile", "config", "metrics");
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private BaselineJson() {}

  /** The document, ended by a new line. */
  public static String of(Baseline baseline) {
    TreeMap<String, String> common = common(baseline.variants().values());
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", SCHEMA_VERSION);
    root.put("kind", KIND);
    root.put("version", baseline.version());
    root.put("scenario", baseline.scenario());
    root.put("seeds", baseline.seeds());
    root.put("config", common);
    Map<String, Object> entries = new LinkedHashMap<>();
    baseline
        .variants()
        .forEach(
            (name, variant) -> {
              TreeMap<String, String> own = new TreeMap<>(variant.config());
              own.keySet().removeAll(common.keySet());
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("digest", variant.digest());
              entry.put("trace", variant.trace());
              entry.put("profile", variant.profile());
              entry.put("config", own);
              entry.put("metrics", variant.metrics());
              entries.put(name, entry);
            });
    root.put("variants", entries);
    return JsonText.of(root);
  }

  private static TreeMap<String, String> common(Iterable<Baseline.Variant> variants) {
    TreeMap<String, String> common = null;
    for (Baseline.Variant variant : variants) {
      if (common == null) {
        common = new TreeMap<>(variant.config());
      } else {
        common.entrySet().retainAll(variant.config().entrySet());
      }
    }
    return common == null ? new TreeMap<>() : common;
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException with what was found and expected, if it is none
   */
  public static Baseline read(String json) {
    JsonNode root = parsed(json);
    if (!KIND.equals(root.path("kind").asText())) {
      throw new IllegalArgumentException(
          "found no kind " + KIND + ", expected a baseline as check --update-baseline writes it");
    }
    JsonNode schema = root.path("schemaVersion");
    if (!schema.isInt() || schema.intValue() != SCHEMA_VERSION) {
      throw new IllegalArgumentException(
          "schemaVersion: found "
              + found(schema)
              + ", expected "
              + SCHEMA_VERSION
              + (schema.isIntegralNumber() && schema.bigIntegerValue().compareTo(LATEST) > 0
                  ? "; a later version of the program wrote it"
                  : ""));
    }
    requireKeys("", root, KEYS);
    String version = text("version", root);
    try {
      Baseline.parsed(version);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "version: found " + version + ", expected one as 1.2.0", e);
    }
    JsonNode seeds = root.path("seeds");
    if (!seeds.isInt() || seeds.intValue() < 1) {
      throw new IllegalArgumentException(
          "seeds: found " + seeds + ", expected how many there were, at least 1");
    }
    Map<String, String> common = config("config", root);
    TreeMap<String, Baseline.Variant> variants = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : object("variants", root).properties()) {
      variants.put(entry.getKey(), variant("variants." + entry.getKey(), entry.getValue(), common));
    }
    if (variants.isEmpty()) {
      throw new IllegalArgumentException("variants: found none, expected at least one");
    }
    return new Baseline(version, text("scenario", root), seeds.intValue(), variants);
  }

  /** Whether a text says that it is a baseline, although it may not be one that can be read. */
  public static boolean isKind(String text) {
    return text.contains("\"" + KIND + "\"");
  }

  private static JsonNode parsed(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
      throw new IllegalArgumentException(
          "found no JSON" + where + " (" + e.getOriginalMessage() + "), expected a baseline", e);
    }
  }

  private static Baseline.Variant variant(String path, JsonNode node, Map<String, String> common) {
    if (!node.isObject()) {
      throw new IllegalArgumentException(path + ": found " + node + ", expected an object");
    }
    requireKeys(path + ".", node, VARIANT_KEYS);
    TreeMap<String, String> config = new TreeMap<>(common);
    config.putAll(config(path + ".config", node));
    TreeMap<String, Number> metrics = new TreeMap<>();
    for (Map.Entry<String, JsonNode> metric : object(path + ".metrics", node).properties()) {
      JsonNode value = metric.getValue();
      if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
        throw new IllegalArgumentException(
            path + ".metrics." + metric.getKey() + ": found " + value + ", expected a number");
      }
      metrics.put(metric.getKey(), value.numberValue());
    }
    return new Baseline.Variant(
        text(path + ".digest", node),
        text(path + ".trace", node),
        text(path + ".profile", node),
        config,
        metrics);
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private static void requireKeys(String prefix, JsonNode node, Set<String> known) {
    List<String> unknown = new ArrayList<>();
    node.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          prefix
              + unknown.get(0)
              + ": found an unknown key, expected one of "
              + String.join(", ", new TreeSet<>(known)));
    }
  }

  private static String text(String path, JsonNode of) {
    JsonNode node = of.path(last(path));
    if (!node.isTextual()) {
      throw new IllegalArgumentException(path + ": found " + found(node) + ", expected a text");
    }
    return node.textValue();
  }

  private static JsonNode object(String path, JsonNode of) {
    JsonNode node = of.path(last(path));
    if (!node.isObject()) {
      throw new IllegalArgumentException(path + ": found " + found(node) + ", expected an object");
    }
    return node;
  }

  private static String found(JsonNode node) {
    return node.isMissingNode() ? "nothing" : node.toString();
  }

  private static Map<String, String> config(String path, JsonNode of) {
    TreeMap<String, String> config = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : object(path, of).properties()) {
      if (!entry.getValue().isTextual()) {
        throw new IllegalArgumentException(
            path + "." + entry.getKey() + ": found " + entry.getValue() + ", expected a text");
      }
      config.put(entry.getKey(), entry.getValue().textValue());
    }
    return config;
  }
}
