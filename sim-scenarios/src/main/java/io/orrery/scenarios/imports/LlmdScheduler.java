package io.orrery.scenarios.imports;

import io.orrery.scenarios.text.YamlNode;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@code EndpointPickerConfig} of llm-d and the Gateway API inference extension. */
final class LlmdScheduler {
  private static final String WHERE = "EndpointPickerConfig ";

  /** Plugins that are there without being said, or do nothing with one kind of workers. */
  private static final List<String> TACIT =
      List.of(
          "max-score-picker",
          "single-profile-handler",
          "decode-filter",
          "approx-prefix-cache-producer");

  private LlmdScheduler() {}

  /** Whether a document is one. */
  static boolean is(YamlNode root) {
    return root instanceof YamlNode.Mapping && text(root, "kind").equals("EndpointPickerConfig");
  }

  static void read(YamlNode root, ImportedConfig config) {
    Map<String, String> types = new LinkedHashMap<>();
    Map<String, YamlNode> parameters = new LinkedHashMap<>();
    for (YamlNode plugin : items(root, "plugins")) {
      String type = text(plugin, "type");
      String name = text(plugin, "name").isEmpty() ? type : text(plugin, "name");
      types.put(name, type);
      child(plugin, "parameters").ifPresent(node -> parameters.put(name, node));
    }
    List<YamlNode> profiles = items(root, "schedulingProfiles");
    if (profiles.size() > 1) {
      config.note(
          WHERE
              + "schedulingProfiles: found "
              + profiles.size()
              + ", of which only the last is taken; one router serves one kind of workers here.");
    }
    config.put("routing.policy", "scorers");
    Map<String, String> weights = new LinkedHashMap<>();
    for (String each : List.of("prefixWeight", "queueWeight", "kvWeight", "runningWeight")) {
      weights.put(each, "0");
    }
    if (!profiles.isEmpty()) {
      for (YamlNode reference : items(profiles.get(profiles.size() - 1), "plugins")) {
        String name = text(reference, "pluginRef");
        String weight = text(reference, "weight").isEmpty() ? "1" : text(reference, "weight");
        scorer(name, types.getOrDefault(name, name), weight, weights, parameters, config);
      }
    }
    weights.forEach((key, weight) -> config.put("routing." + key, new BigDecimal(weight)));
    config.put("routing.metricsInterval", "50 ms");
    config.note(
        WHERE + "metrics are scraped every 50 ms by default, as routing.metricsInterval says.");
  }

  private static void scorer(
      String name,
      String type,
      String weight,
      Map<String, String> weights,
      Map<String, YamlNode> parameters,
      ImportedConfig config) {
    if (!weight.matches("\\d{1,9}(\\.\\d{1,9})?")) {
      config.note(WHERE + name + ": found a weight of " + weight + ", expected a number.");
      return;
    }
    switch (type) {
      case "prefix-cache-scorer" -> {
        weights.put("prefixWeight", weight);
        prefix(parameters.get(name), config);
      }
      case "precise-prefix-cache-scorer" -> {
        weights.put("prefixWeight", weight);
        config.put("routing.index", "events");
        config.put("routing.maxPrefixBlocks", 1_000_000_000L);
      }
      case "queue-scorer" -> weights.put("queueWeight", weight);
      case "kv-cache-utilization-scorer", "kv-cache-scorer" -> weights.put("kvWeight", weight);
      case "running-requests-size-scorer", "running-requests-scorer" ->
          weights.put("runningWeight", weight);
      default -> {
        if (!TACIT.contains(type)) {
          config.note(WHERE + type + ": has no counterpart here, left out.");
        }
      }
    }
  }

  private static void prefix(@Nullable YamlNode node, ImportedConfig config) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      return;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      String key = entry.key().text();
      String value = entry.value() instanceof YamlNode.Scalar scalar ? scalar.text() : "";
      if (key.equals("maxPrefixBlocksToMatch") && value.matches("\\d{1,9}")) {
        config.put("routing.maxPrefixBlocks", Long.parseLong(value));
      } else if (key.equals("mode") && value.equals("cache_tracking")) {
        config.put("routing.index", "events");
      } else {
        config.note(
            WHERE
                + "prefix-cache-scorer "
                + key
                + ": has no counterpart here, left out; blocks are those of engine.blockSize, and each worker's index has"
                + " room for as many as its KV cache.");
      }
    }
  }

  private static Optional<YamlNode> child(YamlNode node, String key) {
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (entry.key().text().equals(key)) {
          return Optional.of(entry.value());
        }
      }
    }
    return Optional.empty();
  }

  private static String text(YamlNode node, String key) {
    return child(node, key)
        .filter(YamlNode.Scalar.class::isInstance)
        .map(value -> ((YamlNode.Scalar) value).text())
        .orElse("");
  }

  private static List<YamlNode> items(YamlNode node, String key) {
    return child(node, key)
        .filter(YamlNode.Sequence.class::isInstance)
        .map(value -> ((YamlNode.Sequence) value).items())
        .orElse(List.of());
  }
}
