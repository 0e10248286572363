package io.orrery.scenarios;

import io.orrery.models.Names;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.schema.SchemaNode;
import io.orrery.scenarios.schema.ValueType;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Checks what one layer wrote against the schema, and turns it into assignments. */
final class LayerReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

  private final Function<Position, Origin> origins;
  private final Problems problems;
  private final List<Assignment> assignments = new ArrayList<>();

  LayerReader(Function<Position, Origin> origins, Problems problems) {
    this.origins = origins;
    this.problems = problems;
  }

  /** What has been read so far, in order. */
  List<Assignment> assignments() {
    return List.copyOf(assignments);
  }

  /** Reads a whole document. */
  void document(YamlNode root) {
    read(ScenarioSchema.root(), KeyPath.ROOT, root);
  }

  /** Reads a value for one path, as {@code --set} and variants give it. */
  void override(String pathText, YamlNode value, Position pathPosition) {
    Optional<KeyPath> parsed = KeyPath.parse(pathText);
    if (parsed.isEmpty()) {
      problems.add(
          pathPosition, pathText, "a malformed path", "a dotted path such as routing.policy");
      return;
    }
    SchemaNode schema = ScenarioSchema.root();
    KeyPath path = KeyPath.ROOT;
    List<String> steps = parsed.get().steps();
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i);
      boolean index = KeyPath.isIndex(step);
      if (schema instanceof SchemaNode.ItemList list) {
        schema = list.item();
        path = path.child(index ? step : "[" + step + "]");
      } else if (schema instanceof SchemaNode.Section section && !index) {
        path = path.child(step);
        Optional<SchemaNode> child = section.child(step);
        if (child.isEmpty() && i == steps.size() - 1 && isParameter(section, step)) {
          parameter(path, value);
          return;
        }
        if (child.isEmpty()) {
          unknown(section, step, path, pathPosition);
          return;
        }
        schema = child.get();
      } else {
        problems.add(
            pathPosition,
            parsed.get().text(),
            "a path below a plain value",
            path.text() + " alone");
        return;
      }
    }
    if (schema instanceof SchemaNode.Apart apart) {
      problems.add(
          pathPosition,
          path.text(),
          "an override of " + apart.name(),
          "a key outside " + apart.name());
      return;
    }
    read(schema, path, value);
  }

  private void read(SchemaNode schema, KeyPath path, YamlNode node) {
    if (schema instanceof SchemaNode.Key key) {
      key(key, path, node);
    } else if (schema instanceof SchemaNode.Section section) {
      section(section, path, node);
    } else if (schema instanceof SchemaNode.ItemList list) {
      list(list, path, node);
    }
  }

  private void key(SchemaNode.Key key, KeyPath path, YamlNode node) {
    Optional<Value> value = key.type().parse(node);
    if (value.isPresent()) {
      assignments.add(new Assignment.Put(path, value.get(), origins.apply(node.position())));
    } else {
      problems.add(
          node.position(),
          path.text(),
          key.type().foundIn(node),
          key.type().expectedInsteadOf(node));
    }
  }

  private void section(SchemaNode.Section section, KeyPath path, YamlNode node) {
    if (node instanceof YamlNode.Scalar scalar && section.shorthand() != null && !scalar.isNull()) {
      read(section.child(section.shorthand()).orElseThrow(), path.child(section.shorthand()), node);
      return;
    }
    boolean empty =
        node instanceof YamlNode.Scalar nothing && nothing.isNull() && !path.equals(KeyPath.ROOT);
    if (empty) {
      return; // all of its keys are commented out
    }
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problem(path, node, "a mapping with keys out of " + String.join(", ", section.childNames()));
      return;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      String name = entry.key().text();
      KeyPath childPath = path.child(name);
      Optional<SchemaNode> child = section.child(name);
      if (child.isPresent()) {
        read(child.get(), childPath, entry.value());
      } else if (isParameter(section, name)) {
        parameter(childPath, entry.value());
      } else {
        unknown(section, name, childPath, entry.key().position());
      }
    }
  }

  private void list(SchemaNode.ItemList list, KeyPath path, YamlNode node) {
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      problem(
          path,
          node,
          "a list of at least one mapping with keys out of "
              + String.join(", ", list.item().childNames()));
      return;
    }
    assignments.add(new Assignment.ReplaceList(path, sequence.items().size()));
    for (int i = 0; i < sequence.items().size(); i++) {
      read(list.item(), path.index(i), sequence.items().get(i));
    }
  }

  /**
   * True for a key that nobody declared, but that may be a parameter of what the section chooses.
   */
  private static boolean isParameter(SchemaNode.Section section, String name) {
    return section.parameters() != null
        && NAME.matcher(name).matches()
        && Names.nearest(name, section.childNames()).isEmpty();
  }

  private void parameter(KeyPath path, YamlNode node) {
    Optional<Value> value = ValueType.free(node);
    if (value.isPresent()) {
      assignments.add(new Assignment.Put(path, value.get(), origins.apply(node.position())));
    } else {
      problem(path, node, ValueType.freeExpected());
    }
  }

  private void unknown(SchemaNode.Section section, String name, KeyPath path, Position position) {
    List<String> names = section.childNames();
    String known = names.size() == 1 ? names.get(0) : "one of " + String.join(", ", names);
    if (section.parameters() != null) {
      known += ", or " + section.parameters().expected();
    }
    problems.add(
        position, path.text(), "an unknown key", known + KeyFinder.didYouMean(section, name));
  }

  private void problem(KeyPath path, YamlNode node, String expected) {
    problems.add(node.position(), path.text(), node.found(), expected);
  }
}
