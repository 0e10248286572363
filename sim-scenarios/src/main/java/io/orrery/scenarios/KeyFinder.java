package io.orrery.scenarios;

import io.orrery.models.Names;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.schema.SchemaNode;
import io.orrery.scenarios.text.KeyPath;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the key that somebody probably meant: first among its would-be neighbours, then anywhere in
 * the scenario.
 */
final class KeyFinder {

  private KeyFinder() {}

  /** {@code " (did you mean X?)"}, or nothing. */
  static String didYouMean(SchemaNode.Section section, String name) {
    Optional<String> near = Names.nearest(name, section.childNames());
    if (near.isEmpty()) {
      Map<String, String> elsewhere = new LinkedHashMap<>();
      collect(ScenarioSchema.root(), KeyPath.ROOT, elsewhere);
      near = Names.nearest(name, elsewhere.keySet()).map(elsewhere::get);
    }
    if (near.isPresent() && near.get().equals(name)) {
      String nested =
          name.replace(".", ": {") + ": ..." + "}".repeat(name.split("\\.", -1).length - 1);
      return " (in a file, keys nest: " + nested + ")";
    }
    return near.map(key -> " (did you mean " + key + "?)").orElse("");
  }

  /** Last names and full dotted paths of all keys and sections, to full dotted paths. */
  private static void collect(SchemaNode node, KeyPath path, Map<String, String> paths) {
    if (!path.equals(KeyPath.ROOT)) {
      paths.putIfAbsent(node.name(), path.text());
      paths.put(path.text(), path.text());
    }
    if (node instanceof SchemaNode.Section section) {
      section.children().forEach(child -> collect(child, path.child(child.name()), paths));
    } else if (node instanceof SchemaNode.ItemList list) {
      list.item()
          .children()
          .forEach(child -> collect(child, path.index(0).child(child.name()), paths));
    }
  }
}
