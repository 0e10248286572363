package io.orrery.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Holds a document against docs/summary.schema.json. Knows the keywords that the schema uses, and
 * fails on any other.
 */
final class SummarySchema {
  private static final List<String> KNOWN =
      List.of(
          "$schema",
          "$defs",
          "$ref",
          "title",
          "description",
          "type",
          "const",
          "properties",
          "required",
          "additionalProperties",
          "items");

  private final JsonNode root;
  private final List<String> complaints = new ArrayList<>();

  private SummarySchema(JsonNode root) {
    this.root = root;
  }

  /** What is wrong with a document; empty if nothing is. */
  static List<String> complaints(String document) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    SummarySchema schema =
        new SummarySchema(mapper.readTree(Files.readString(Path.of("docs/summary.schema.json"))));
    schema.check("", schema.root, mapper.readTree(document));
    return schema.complaints;
  }

  private void check(String where, JsonNode schema, JsonNode value) {
    schema
        .fieldNames()
        .forEachRemaining(
            keyword -> {
              if (!KNOWN.contains(keyword)) {
                throw new IllegalStateException("unknown keyword " + keyword);
              }
            });
    if (schema.has("$ref")) {
      check(where, root.at(schema.get("$ref").asText().substring(1)), value);
    }
    if (schema.has("const") && !schema.get("const").equals(value)) {
      complaints.add(where + ": found " + value + ", expected " + schema.get("const"));
    }
    if (schema.has("type") && !isA(schema.get("type").asText(), value)) {
      complaints.add(where + ": found " + value + ", expected " + schema.get("type").asText());
    }
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.asText())) {
        complaints.add(where + ": found no " + name.asText());
      }
    }
    for (JsonNode item : value.isArray() && schema.has("items") ? value : root.path("no items")) {
      check(where + "[]", schema.get("items"), item);
    }
    for (Map.Entry<String, JsonNode> entry : value.properties()) {
      JsonNode inner = schema.path("properties").path(entry.getKey());
      JsonNode others = schema.path("additionalProperties");
      String place = where + "/" + entry.getKey();
      if (!inner.isMissingNode()) {
        check(place, inner, entry.getValue());
      } else if (others.isObject()) {
        check(place, others, entry.getValue());
      } else if (others.isBoolean() && !others.asBoolean()) {
        complaints.add(place + ": unknown");
      }
    }
  }

  private static boolean isA(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      default -> throw new IllegalStateException("unknown type " + type);
    };
  }
}
