package io.orrery.scenarios;

import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the layers applied so far have written: for each key the last value, for each list its
 * length.
 */
final class Overlay {
  private final Map<KeyPath, Setting> settings = new LinkedHashMap<>();
  private final Map<KeyPath, Integer> listItems = new LinkedHashMap<>();

  /** Puts a layer on top. */
  void apply(List<Assignment> layer, Problems problems) {
    for (KeyPath policy : ScenarioSchema.policies()) {
      dropParametersOfOtherPolicy(policy, layer);
    }
    for (Assignment assignment : layer) {
      if (assignment instanceof Assignment.ReplaceList list) {
        settings.keySet().removeIf(path -> path.startsWith(list.path()));
        listItems.put(list.path(), list.items());
      } else if (assignment instanceof Assignment.Put put) {
        resolve(put, problems)
            .ifPresent(path -> settings.put(path, new Setting(path, put.value(), put.origin())));
      }
    }
  }

  /**
   * Parameters belong to a policy: a layer that chooses another one starts without the parameters
   * below.
   */
  private void dropParametersOfOtherPolicy(KeyPath policy, List<Assignment> layer) {
    Optional<Value> below = get(policy).map(Setting::value);
    boolean another =
        layer.stream()
            .anyMatch(
                a ->
                    a instanceof Assignment.Put put
                        && put.path().equals(policy)
                        && !below.equals(Optional.of(put.value())));
    if (another) {
      settings
          .keySet()
          .removeIf(
              path ->
                  path.startsWith(policy.first(1))
                      && !ScenarioSchema.isDeclaredBeside(policy, path));
      settings.remove(policy);
    }
  }

  /** What was written for a key. */
  Optional<Setting> get(KeyPath path) {
    return Optional.ofNullable(settings.get(path));
  }

  /** Items of a list; one where nobody wrote the list. */
  int items(KeyPath list) {
    return listItems.getOrDefault(list, 1);
  }

  /** Everything written below a path, in the order of the paths' text. */
  List<Setting> below(KeyPath path) {
    List<Setting> found = new ArrayList<>();
    settings.values().stream()
        .filter(setting -> setting.path().startsWith(path))
        .sorted((a, b) -> a.path().text().compareTo(b.path().text()))
        .forEach(found::add);
    return found;
  }

  /**
   * The path with its named items as indexes; empty, with a problem added, if there is no such
   * item.
   */
  Optional<KeyPath> resolve(Assignment.Put put, Problems problems) {
    KeyPath path = KeyPath.ROOT;
    for (String step : put.path().steps()) {
      if (!step.startsWith("[")) {
        path = path.child(step);
        continue;
      }
      int index =
          KeyPath.isIndex(step)
              ? KeyPath.indexOf(step)
              : named(path, step.substring(1, step.length() - 1));
      if (index < 0 || index >= items(path)) {
        String asked =
            KeyPath.isIndex(step)
                ? "index " + step
                : "the name " + step.substring(1, step.length() - 1);
        problems.add(
            put.origin().position(),
            path.text(),
            asked,
            "one of " + String.join(", ", names(path)));
        return Optional.empty();
      }
      path = path.index(index);
    }
    return Optional.of(path);
  }

  private int named(KeyPath list, String name) {
    return names(list).indexOf(name);
  }

  private List<String> names(KeyPath list) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < items(list); i++) {
      names.add(
          get(list.index(i).child("name"))
              .map(s -> s.value().text())
              .orElse(ScenarioSchema.DEFAULT_ITEM_NAME));
    }
    return names;
  }
}
