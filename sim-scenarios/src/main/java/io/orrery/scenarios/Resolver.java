package io.orrery.scenarios;

import io.orrery.scenarios.schema.EnginePreset;
import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.schema.SchemaNode;
import io.orrery.scenarios.schema.SchemaNode.Absence;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fills in, below what was written, the engine preset's values and the defaults. */
final class Resolver {
  private static final KeyPath PRESET = new KeyPath(List.of("engine", "preset"));

  private final Overlay written;
  private final Overlay preset;
  private final Position document;
  private final boolean complete;
  private final Problems problems;
  private final List<Setting> settings = new ArrayList<>();

  private Resolver(
      Overlay written, Overlay preset, Position document, boolean complete, Problems problems) {
    this.written = written;
    this.preset = preset;
    this.document = document;
    this.complete = complete;
    this.problems = problems;
  }

  /**
   * The effective configuration.
   *
   * @param presets presets that were read before, by name
   * @param document where problems of keys that nobody wrote are reported
   */
  static EffectiveConfig resolve(
      Overlay written, Map<String, Overlay> presets, Position document, Problems problems) {
    Overlay preset = presets.computeIfAbsent(presetName(written), Resolver::preset);
    return new Resolver(written, preset, document, true, problems).resolved();
  }

  /** As {@link #resolve}, but what has to be given and is not is left out. */
  static EffectiveConfig resolveGiven(Overlay written, Problems problems) {
    Overlay preset = preset(presetName(written));
    return new Resolver(written, preset, Position.of(""), false, problems).resolved();
  }

  private static String presetName(Overlay written) {
    return written
        .get(PRESET)
        .map(setting -> setting.value().text())
        .orElse(EnginePreset.names()[0]);
  }

  private EffectiveConfig resolved() {
    add(ScenarioSchema.root(), KeyPath.ROOT);
    return new EffectiveConfig(settings);
  }

  /** A preset's values. */
  static Overlay preset(String name) {
    Problems problems = new Problems();
    LayerReader reader = new LayerReader(position -> Origin.ofPreset(name, position), problems);
    reader.document(EnginePreset.read(name));
    problems.throwIfAny();
    Overlay preset = new Overlay();
    preset.apply(reader.assignments(), problems);
    return preset;
  }

  private void add(SchemaNode node, KeyPath path) {
    if (node instanceof SchemaNode.Key key) {
      value(key, path).ifPresent(settings::add);
    } else if (node instanceof SchemaNode.Section section) {
      for (SchemaNode child : section.children()) {
        add(child, path.child(child.name()));
      }
      if (section.parameters() != null) {
        written.below(path).stream().filter(s -> isParameter(section, s)).forEach(settings::add);
      }
    } else if (node instanceof SchemaNode.ItemList list) {
      for (int i = 0; i < written.items(path); i++) {
        add(list.item(), path.index(i));
      }
    }
  }

  private Optional<Setting> value(SchemaNode.Key key, KeyPath path) {
    Optional<Setting> given = written.get(path).or(() -> preset.get(path));
    if (given.isPresent() || key.absence() == Absence.OPTIONAL) {
      return given;
    }
    if (key.absence() == Absence.DEFAULT) {
      return Optional.of(new Setting(path, key.defaultValue(), Origin.ofDefault()));
    }
    if (complete && key.absence() == Absence.REQUIRED) {
      problems.add(document, path.text(), "nothing", key.type().expected());
    }
    return Optional.empty();
  }

  private static boolean isParameter(SchemaNode.Section section, Setting setting) {
    List<String> steps = setting.path().steps();
    return section.child(steps.get(steps.size() - 1)).isEmpty();
  }
}
