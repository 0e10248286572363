package io.orrery.scenarios.imports;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What a program's flags mean as scenario keys: one line a flag. */
final class Flags {
  private final String program;
  private final Map<String, BiConsumer<ImportedConfig, String>> valued = new LinkedHashMap<>();
  private final Map<String, Consumer<ImportedConfig>> plain = new LinkedHashMap<>();

  /** Flags that change nothing of what is simulated. */
  private final Set<String> ignored;

  Flags(String program, Set<String> ignored) {
    this.program = program;
    this.ignored = ignored;
  }

  /** A flag with a value. */
  Flags valued(String names, BiConsumer<ImportedConfig, String> meaning) {
    for (String name : names.split(" ", -1)) {
      valued.put(name, meaning);
    }
    return this;
  }

  /** A flag whose whole number is a key's value. */
  Flags whole(String names, String key) {
    return valued(
        names,
        (config, value) -> {
          if (value.matches("\\d{1,15}")) {
            config.put(key, Long.parseLong(value));
          } else {
            config.note(first(names) + ": found " + value + ", expected a whole number.");
          }
        });
  }

  /** A flag whose number is a key's value. */
  Flags number(String names, String key) {
    return valued(
        names,
        (config, value) -> {
          if (value.matches("\\d{1,15}(\\.\\d{1,9})?")) {
            config.put(key, new BigDecimal(value));
          } else {
            config.note(first(names) + ": found " + value + ", expected a number.");
          }
        });
  }

  /** A flag whose number of seconds is a key's duration. */
  Flags seconds(String names, String key) {
    return valued(
        names,
        (config, value) -> {
          if (value.matches("\\d{1,12}(\\.\\d{1,9})?")) {
            config.put(key, value + " s");
          } else {
            config.note(first(names) + ": found " + value + ", expected seconds.");
          }
        });
  }

  /** A flag without a value. */
  Flags plain(String names, Consumer<ImportedConfig> meaning) {
    for (String name : names.split(" ", -1)) {
      plain.put(name, meaning);
    }
    return this;
  }

  private static String first(String names) {
    return names.split(" ", -1)[0];
  }

  /**
   * Reads words from {@code from} on.
   *
   * @param positional is given what is no flag
   */
  void read(
      List<String> words,
      int from,
      ImportedConfig config,
      BiConsumer<ImportedConfig, String> positional) {
    for (int i = from; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-")) {
        positional.accept(config, word);
        continue;
      }
      int equals = word.indexOf('=');
      String name = (equals < 0 ? word : word.substring(0, equals)).replace('_', '-');
      boolean valueFollows =
          equals < 0 && i + 1 < words.size() && !words.get(i + 1).startsWith("--");
      if (plain.containsKey(name)) {
        plain.get(name).accept(config);
      } else if (valued.containsKey(name) && (equals >= 0 || valueFollows)) {
        String value = equals >= 0 ? word.substring(equals + 1) : words.get(++i);
        valued.get(name).accept(config, value);
      } else if (valued.containsKey(name)) {
        config.note(program + " " + name + ": found no value, left out.");
      } else {
        String value = equals >= 0 ? word.substring(equals) : "";
        if (valueFollows) {
          value = " " + words.get(++i);
        }
        if (!ignored.contains(name)) {
          config.note(program + " " + name + value + ": has no counterpart here, left out.");
        }
      }
    }
  }
}
