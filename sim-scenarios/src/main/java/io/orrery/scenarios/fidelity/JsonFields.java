package io.orrery.scenarios.fidelity;

import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import org.jspecify.annotations.Nullable;

/** A JSON object, read as YAML, of which only some fields matter. */
final class JsonFields {
  private final YamlNode node;
  private final String path;
  private final @Nullable Position line;

  private JsonFields(YamlNode node, String path, @Nullable Position line) {
    this.node = node;
    this.path = path;
    this.line = line;
  }

  /** The object that a file is. */
  static JsonFields of(YamlNode node) {
    return new JsonFields(node, "", null);
  }

  /** The object that a line of a file is. */
  static JsonFields ofLine(String text, Position line) {
    return new JsonFields(YamlReader.parseValue(text, line), "", line);
  }

  private @Nullable YamlNode find(String field) {
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (entry.key().text().equals(field)) {
          return entry.value();
        }
      }
    }
    return null;
  }

  private String path(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  private YamlNode require(String field, String expected) {
    YamlNode found = find(field);
    if (found == null) {
      throw wrong(node.position(), field, "nothing", expected);
    }
    return found;
  }

  private ScenarioException wrong(Position position, String field, String found, String expected) {
    return new ScenarioException(line == null ? position : line, path(field), found, expected);
  }

  /** Whether the field is there and not null. */
  boolean has(String field) {
    YamlNode found = find(field);
    return found != null && !(found instanceof YamlNode.Scalar scalar && scalar.isNull());
  }

  /** The object under a field. */
  JsonFields object(String field) {
    return new JsonFields(require(field, "an object"), path(field), line);
  }

  /** The first item of the list under a field. */
  JsonFields first(String field) {
    YamlNode found = require(field, "a list");
    if (found instanceof YamlNode.Sequence list && !list.items().isEmpty()) {
      return new JsonFields(list.items().get(0), path(field) + "[0]", line);
    }
    throw wrong(found.position(), field, found.found(), "a list with an object");
  }

  String text(String field) {
    YamlNode found = require(field, "a text");
    if (found instanceof YamlNode.Scalar scalar) {
      return scalar.text();
    }
    throw wrong(found.position(), field, found.found(), "a text");
  }

  /** A finite number of at least {@code least}. */
  double number(String field, double least) {
    String expected = "a number of at least " + (long) least;
    YamlNode found = require(field, expected);
    if (found instanceof YamlNode.Scalar scalar) {
      try {
        double value = Double.parseDouble(scalar.text());
        if (Double.isFinite(value) && value >= least) {
          return value;
        }
      } catch (NumberFormatException e) {
        throw wrong(found.position(), field, found.found(), expected);
      }
    }
    throw wrong(found.position(), field, found.found(), expected);
  }

  /** A whole number of at least {@code least}. */
  int whole(String field, int least) {
    double value = number(field, least);
    if (value != Math.rint(value) || value > Integer.MAX_VALUE) {
      throw wrong(
          require(field, "a number").position(),
          field,
          require(field, "a number").found(),
          "a whole number of at least " + least);
    }
    return (int) value;
  }
}
