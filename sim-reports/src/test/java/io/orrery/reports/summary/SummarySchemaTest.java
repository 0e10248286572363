package io.orrery.reports.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.reports.JsonText;
import io.orrery.reports.RunDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The JSON schema of summary.json says what the code writes. After a change, run this test once
 * with {@code -Dorrery.regenerate=true} to write it anew.
 */
class SummarySchemaTest {
  private static final Path SCHEMA = Path.of("docs/summary.schema.json");

  @Test
  void theSchemaIsWhatTheCodeSays() throws IOException {
    String schema = JsonText.of(schema());
    if (Boolean.getBoolean("orrery.regenerate")) {
      Files.writeString(SCHEMA, schema);
    }
    assertThat(Files.readString(SCHEMA)).isEqualTo(schema);
  }

  private static Map<String, Object> schema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "summary.json of orrery run");
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schemaVersion", Map.of("const", RunDocument.SCHEMA_VERSION));
    root.put("version", type("string"));
    root.put("name", type("string"));
    root.put("assumptions", list(type("string")));
    root.put("traces", list(reference("trace")));
    root.put("runs", list(reference("run")));
    schema.putAll(object(root, root.keySet()));
    Map<String, Object> definitions = new LinkedHashMap<>();
    definitions.put("trace", trace());
    definitions.put("run", run());
    definitions.put("summary", summary());
    definitions.put("quantiles", numbers(Metric.Shape.QUANTILES, "relative_error"));
    definitions.put("level", numbers(Metric.Shape.LEVEL, "relative_error"));
    schema.put("$defs", definitions);
    return schema;
  }

  private static Map<String, Object> type(String name) {
    return new LinkedHashMap<>(Map.of("type", name));
  }

  private static Map<String, Object> reference(String name) {
    return new LinkedHashMap<>(Map.of("$ref", "#/$defs/" + name));
  }

  private static Map<String, Object> list(Map<String, Object> items) {
    Map<String, Object> list = type("array");
    list.put("items", items);
    return list;
  }

  private static Map<String, Object> object(
      Map<String, Object> properties, Iterable<String> required) {
    Map<String, Object> object = type("object");
    object.put("properties", properties);
    List<String> names = new ArrayList<>();
    required.forEach(names::add);
    if (!names.isEmpty()) {
      object.put("required", names);
    }
    object.put("additionalProperties", false);
    return object;
  }

  private static Map<String, Object> trace() {
    Map<String, Object> trace = type("object");
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("digest", type("string"));
    properties.put("format", type("string"));
    properties.put("files", list(type("object")));
    properties.put("requests", type("integer"));
    properties.put("sessions", type("integer"));
    trace.put("properties", properties);
    trace.put("required", List.copyOf(properties.keySet()));
    return trace;
  }

  private static Map<String, Object> run() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("name", type("string"));
    properties.put("config", type("object"));
    properties.put("digest", type("string"));
    properties.put("trace", type("string"));
    Map<String, Object> profile = type("object");
    profile.put("additionalProperties", type("string"));
    properties.put("profile", profile);
    properties.put("kernelTables", profile);
    properties.put("modelFiles", profile);
    properties.put("summary", reference("summary"));
    Map<String, Object> rejection = new LinkedHashMap<>();
    rejection.put("reason", type("string"));
    rejection.put("count", type("integer"));
    properties.put("rejections", list(object(rejection, rejection.keySet())));
    return object(
        properties, List.of("name", "config", "digest", "trace", "summary", "rejections"));
  }

  private static Map<String, Object> numbers(Metric.Shape shape, String... more) {
    Map<String, Object> properties = new LinkedHashMap<>();
    shape.parts().forEach(part -> properties.put(part, type("number")));
    List<String> required = List.copyOf(properties.keySet());
    for (String name : more) {
      properties.put(name, type("number"));
    }
    return object(properties, required);
  }

  /** Keys nest at their dots; what has no samples is absent, so nothing is required. */
  private static Map<String, Object> summary() {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (MetricGroup group : Metrics.groups()) {
      for (Metric metric : group.metrics()) {
        put(tree, metric.key(), leaf(metric));
      }
    }
    return object(tree, List.of());
  }

  private static Map<String, Object> leaf(Metric metric) {
    Map<String, Object> leaf =
        switch (metric.shape()) {
          case COUNT -> type("integer");
          case NUMBER -> type("number");
          case QUANTILES -> reference("quantiles");
          case LEVEL -> reference("level");
        };
    leaf.put("description", metric.meaning());
    return leaf;
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> properties, String key, Map<String, Object> leaf) {
    int dot = key.indexOf('.');
    if (dot < 0) {
      properties.put(key, leaf);
      return;
    }
    Map<String, Object> inner =
        (Map<String, Object>)
            properties.computeIfAbsent(
                key.substring(0, dot), name -> object(new LinkedHashMap<>(), List.of()));
    put((Map<String, Object>) inner.get("properties"), key.substring(dot + 1), leaf);
  }
}
