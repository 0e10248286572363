package io.orrery.cli;

import io.orrery.reports.gates.Gate;
import io.orrery.reports.gates.GateExpression;
import io.orrery.reports.summary.Metrics;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.YamlNode;
import io.orrery.scenarios.text.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads gates:
 *
 * <pre>
 * gates:
 *   - fail: ttft_ms.p95 &lt;= 1.05 * baseline
 *     warn: ttft_ms.p95 &lt;= 1.01 * baseline
 *     variants: [kv-aware]
 *   - fail: hit_rate.tokens &gt;= 0.9
 * </pre>
 */
final class GateReader {
  private static final String KEYS = "one of fail, warn, variants";

  private final Set<String> variants;
  private final Problems problems = new Problems();
  private final List<Gate> gates = new ArrayList<>();

  private GateReader(Set<String> variants) {
    this.variants = variants;
  }

  /**
   * The gates of a file.
   *
   * @param variants names that gates may be restricted to
   * @throws io.orrery.scenarios.text.ScenarioException with every problem found, if there is any
   */
  static List<Gate> read(Path file, Set<String> variants) {
    GateReader reader = new GateReader(variants);
    reader.document(YamlReader.read(file, "gates"));
    reader.problems.throwIfAny();
    return reader.gates;
  }

  private void document(YamlNode root) {
    YamlNode list = null;
    if (root instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (entry.key().text().equals("gates")) {
          list = entry.value();
        } else {
          problems.add(entry.key().position(), "", "key " + entry.key().text(), "gates");
        }
      }
    }
    if (list instanceof YamlNode.Sequence sequence && !sequence.items().isEmpty()) {
      sequence.items().forEach(this::gate);
    } else {
      problems.add(
          root.position(),
          "gates",
          (list == null ? root : list).found(),
          "the key gates with a list");
    }
  }

  private void gate(YamlNode node) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problems.add(node.position(), "gates", node.found(), "a mapping with " + KEYS);
      return;
    }
    GateExpression fail = null;
    GateExpression warn = null;
    List<String> names = List.of();
    boolean conditions = false;
    for (YamlNode.Entry entry : mapping.entries()) {
      switch (entry.key().text()) {
        case "fail" -> {
          fail = expression("gates.fail", entry.value());
          conditions = true;
        }
        case "warn" -> {
          warn = expression("gates.warn", entry.value());
          conditions = true;
        }
        case "variants" -> names = names(entry.value());
        default -> problems.add(entry.key().position(), "gates", "key " + entry.key().text(), KEYS);
      }
    }
    if (fail != null && warn != null && !fail.key().equals(warn.key())) {
      problems.add(
          node.position(), "gates", fail.key() + " and " + warn.key(), "conditions on one number");
    } else if (fail != null || warn != null) {
      add(new Gate(warn, fail, names, node.position().source(), node.position().line()), node);
    } else if (!conditions) {
      problems.add(node.position(), "gates", node.found(), "fail, warn or both");
    }
  }

  private void add(Gate gate, YamlNode node) {
    for (Gate other : gates) {
      boolean overlap =
          gate.variants().isEmpty()
              || other.variants().isEmpty()
              || gate.variants().stream().anyMatch(other::holdsFor);
      if (overlap && isSame(gate.warn(), other.warn()) && isSame(gate.fail(), other.fail())) {
        problems.add(
            node.position(),
            "gates",
            "the gate of line " + other.line() + " again",
            "each gate once");
        return;
      }
    }
    gates.add(gate);
  }

  private static boolean isSame(@Nullable GateExpression one, @Nullable GateExpression other) {
    return (one == null || other == null) ? Objects.equals(one, other) : one.isSame(other);
  }

  private @Nullable GateExpression expression(String path, YamlNode node) {
    String text = node instanceof YamlNode.Scalar scalar ? scalar.text() : "";
    GateExpression expression;
    try {
      expression = GateExpression.parse(text);
    } catch (IllegalArgumentException e) {
      problems.add(node.position(), path, node.found(), GateExpression.EXPECTED);
      return null;
    }
    if (!Metrics.isNumber(expression.key())) {
      problems.add(
          node.position(),
          path,
          expression.key(),
          "a number of the summary" + Metrics.didYouMean(expression.key()) + " (docs/metrics.md)");
      return null;
    }
    return expression;
  }

  private List<String> names(YamlNode node) {
    List<YamlNode> items = node instanceof YamlNode.Sequence list ? list.items() : List.of(node);
    List<String> names = new ArrayList<>();
    if (items.isEmpty()) {
      problems.add(
          node.position(), "gates.variants", "none", "at least one, or no variants for all");
    }
    for (YamlNode item : items) {
      String name = item instanceof YamlNode.Scalar scalar ? scalar.text() : "";
      if (!variants.contains(name)) {
        problems.add(
            item.position(),
            "gates.variants",
            item.found(),
            "one of " + String.join(", ", new TreeSet<>(variants)));
      }
      names.add(name);
    }
    return names;
  }
}
