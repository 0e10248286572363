package io.orrery.reports.fidelity;

import io.orrery.scenarios.fidelity.Configuration;
import io.orrery.scenarios.fidelity.FidelityRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Rows that have something in common.
 *
 * @param keys what, by name
 * @param rows the rows
 */
record Group(Map<String, String> keys, List<FidelityRow> rows) {

  /** What rows may have in common. */
  enum Key {
    ENGINE("engine", Configuration::engine),
    MODEL("model", Configuration::model),
    WEIGHTS("weights", Configuration::weights),
    SYSTEM("system", Configuration::system),
    CONCURRENCY(
        "concurrency",
        configuration ->
            configuration.concurrency() == 0
                ? "open loop"
                : Integer.toString(configuration.concurrency())),
    LENGTHS(
        "lengths",
        configuration ->
            configuration.inputTokens() == 0
                ? "recorded"
                : configuration.inputTokens() + " in, " + configuration.outputTokens() + " out");

    /** System, engine, model, precision and concurrency: the groups of the JSON document. */
    static final Key[] ALL_BUT_LENGTHS = {ENGINE, MODEL, WEIGHTS, SYSTEM, CONCURRENCY};

    private final String label;
    private final Function<Configuration, String> of;

    Key(String label, Function<Configuration, String> of) {
      this.label = label;
      this.of = of;
    }

    String label() {
      return label;
    }
  }

  /** The groups of rows that agree in all of these keys, sorted by them (numbers as numbers). */
  static List<Group> of(List<FidelityRow> rows, Key... by) {
    Map<Map<String, String>, List<FidelityRow>> groups = new LinkedHashMap<>();
    for (FidelityRow row : rows) {
      Map<String, String> keys = new LinkedHashMap<>();
      for (Key key : by) {
        keys.put(key.label, key.of.apply(row.configuration()));
      }
      groups.computeIfAbsent(keys, k -> new ArrayList<>()).add(row);
    }
    return groups.entrySet().stream()
        .map(entry -> new Group(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparing(Group::sortText))
        .toList();
  }

  private String sortText() {
    StringBuilder text = new StringBuilder();
    for (String value : keys.values()) {
      boolean number = !value.isEmpty() && value.chars().allMatch(Character::isDigit);
      text.append(number ? "0".repeat(Math.max(0, 12 - value.length())) + value : value)
          .append('\t');
    }
    return text.toString();
  }
}
