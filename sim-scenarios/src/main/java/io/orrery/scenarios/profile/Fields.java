package io.orrery.scenarios.profile;

import io.orrery.models.Names;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one mapping of a profile. What is missing, wrong or unknown is noted as a problem;
 * the value returned then is only a stopgap until all problems are reported.
 */
final class Fields {
  private final String path;
  private final Position position;
  private final Problems problems;
  private final Map<String, YamlNode> nodes = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();

  Fields(YamlNode node, String path, Problems problems) {
    this.path = path;
    this.position = node.position();
    this.problems = problems;
    if (node instanceof YamlNode.Mapping mapping) {
      mapping.entries().forEach(entry -> nodes.put(entry.key().text(), entry.value()));
    } else {
      problems.add(position, path, node.found(), "a mapping");
    }
  }

  /** The keys that were written, in order. */
  List<String> names() {
    return List.copyOf(nodes.keySet());
  }

  boolean has(String key) {
    return nodes.containsKey(key);
  }

  private @Nullable YamlNode node(String key, String expected) {
    asked.add(key);
    YamlNode node = nodes.get(key);
    if (node == null) {
      problems.add(position, path(key), "nothing", expected);
    }
    return node;
  }

  String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  void refuse(String key, String expected) {
    YamlNode node = nodes.get(key);
    problems.add(
        node == null ? position : node.position(),
        path(key),
        node == null ? "nothing" : node.found(),
        expected);
  }

  String text(String key) {
    if (node(key, "a text") instanceof YamlNode.Scalar scalar) {
      return scalar.text();
    }
    if (nodes.containsKey(key)) {
      refuse(key, "a text");
    }
    return "";
  }

  boolean flag(String key) {
    String text = text(key);
    if (nodes.containsKey(key) && !text.equals("true") && !text.equals("false")) {
      refuse(key, "true or false");
    }
    return text.equals("true");
  }

  /** A number from {@code least} to {@code most}. */
  double number(String key, double least, double most) {
    String expected = "a number from " + plain(least) + " to " + plain(most);
    YamlNode node = node(key, expected);
    double value = least;
    if (node != null && !(node instanceof YamlNode.Scalar)) {
      refuse(key, expected);
    } else if (node instanceof YamlNode.Scalar scalar) {
      value =
          Value.Decimal.parse(scalar.text())
              .map(decimal -> decimal.number().doubleValue())
              .orElse(Double.NaN);
      if (!(value >= least && value <= most)) {
        refuse(key, expected);
        return least;
      }
    }
    return value;
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  /** A list of texts; a single one counts as a list. */
  List<String> texts(String key) {
    YamlNode node = node(key, "a list");
    List<String> texts = new ArrayList<>();
    if (node instanceof YamlNode.Scalar scalar) {
      texts.add(scalar.text());
    } else if (node instanceof YamlNode.Sequence sequence) {
      for (YamlNode item : sequence.items()) {
        if (item instanceof YamlNode.Scalar scalar) {
          texts.add(scalar.text());
        } else {
          problems.add(item.position(), path(key), item.found(), "a text");
        }
      }
    } else if (node != null) {
      refuse(key, "a list");
    }
    return texts;
  }

  /** The mapping under a key; an empty one where it is missing. */
  Fields section(String key) {
    YamlNode node = node(key, "a mapping");
    return new Fields(
        node == null ? new YamlNode.Mapping(List.of(), position) : node, path(key), problems);
  }

  /** The mappings in the list under a key. */
  List<Fields> sections(String key) {
    YamlNode node = node(key, "a list of mappings");
    List<Fields> sections = new ArrayList<>();
    if (node instanceof YamlNode.Sequence sequence) {
      for (int i = 0; i < sequence.items().size(); i++) {
        sections.add(new Fields(sequence.items().get(i), path(key) + "[" + i + "]", problems));
      }
    } else if (node != null) {
      refuse(key, "a list of mappings");
    }
    return sections;
  }

  /** Refuses the keys that nobody asked for. */
  void end() {
    for (Map.Entry<String, YamlNode> entry : nodes.entrySet()) {
      if (!asked.contains(entry.getKey())) {
        problems.add(
            entry.getValue().position(),
            path.isEmpty() ? entry.getKey() : path,
            "the key " + YamlNode.found(entry.getKey()),
            "one of " + String.join(", ", asked) + Names.didYouMean(entry.getKey(), asked));
      }
    }
  }
}
