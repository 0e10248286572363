package io.orrery.scenarios;

import io.orrery.scenarios.text.CanonicalText;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every setting of one run, with its origin, in the order of the schema. Equal configurations have
 * equal text and an equal digest, however and wherever they were written: values are canonical
 * ({@code 2000 ms} is {@code 2 s}), and file names stand as they were written, not as this machine
 * resolves them.
 */
public final class EffectiveConfig {
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  EffectiveConfig(List<Setting> settings) {
    settings.forEach(setting -> this.settings.put(setting.path().text(), setting));
  }

  /** All settings, in the order of the schema. */
  public List<Setting> settings() {
    return List.copyOf(settings.values());
  }

  /** The setting of a path such as {@code engine.blockSize}; empty if it has no value. */
  public Optional<Setting> get(String path) {
    return Optional.ofNullable(settings.get(path));
  }

  /** The first of these settings that the user wrote, or else the first: what to refuse. */
  public String writtenOf(String... paths) {
    for (String path : paths) {
      if (get(path).filter(setting -> setting.origin().isWritten()).isPresent()) {
        return path;
      }
    }
    return paths[0];
  }

  /**
   * The refusal of a setting by somebody who knows more than the schema (a catalogue, a policy's
   * parameters).
   *
   * @param path a path of this configuration
   * @param expected what would have been right, with a suggestion where there is one
   */
  public ScenarioException refusal(String path, String expected) {
    return refusal(
        path,
        get(path).map(setting -> YamlNode.found(setting.value().text())).orElse("nothing"),
        expected);
  }

  /**
   * The refusal of a setting for something else than its value.
   *
   * @param path a path of this configuration
   * @param found what is wrong
   * @param expected what would have been right
   */
  public ScenarioException refusal(String path, String found, String expected) {
    Position position =
        get(path).map(setting -> setting.origin().blamed()).orElse(Position.of("scenario"));
    return new ScenarioException(position, path, found, expected);
  }

  /**
   * The configuration as a tree of maps, lists, strings, numbers and booleans, in the order of the
   * schema; durations are strings with their unit.
   */
  public Map<String, Object> tree() {
    Map<String, Object> root = new LinkedHashMap<>();
    for (Setting setting : settings.values()) {
      put(root, setting.path(), CanonicalText.plain(setting.value()));
    }
    return Collections.unmodifiableMap(root);
  }

  /** One line of JSON, the same bytes for equal configurations. */
  public String toJson() {
    return CanonicalText.json(tree());
  }

  /** A scenario that gives this configuration when it is loaded from the folder of the original. */
  public String toYaml() {
    return CanonicalText.yaml(tree());
  }

  /** As {@link #toYaml()}, with each value's origin in a comment behind it. */
  public String toYamlWithOrigins() {
    return CanonicalText.yaml(
        tree(), path -> get(path).map(setting -> setting.origin().text()).orElse(""));
  }

  /** SHA-256 of {@link #toJson()} in UTF-8, as 64 lower-case hexadecimal digits. */
  public String digest() {
    try {
      byte[] bytes = toJson().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> root, KeyPath path, Object value) {
    Map<String, Object> parent = root;
    List<String> steps = path.steps();
    for (int i = 0; i < steps.size() - 1; i++) {
      String step = steps.get(i);
      if (KeyPath.isIndex(steps.get(i + 1))) {
        List<Object> list = (List<Object>) parent.computeIfAbsent(step, name -> new ArrayList<>());
        int index = KeyPath.indexOf(steps.get(i + 1));
        while (list.size() <= index) {
          list.add(new LinkedHashMap<String, Object>());
        }
        parent = (Map<String, Object>) list.get(index);
        i++;
      } else {
        parent =
            (Map<String, Object>)
                parent.computeIfAbsent(step, name -> new LinkedHashMap<String, Object>());
      }
    }
    parent.put(steps.get(steps.size() - 1), value);
  }
}
