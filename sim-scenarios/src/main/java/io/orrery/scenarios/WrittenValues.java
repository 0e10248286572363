package io.orrery.scenarios;

import io.orrery.scenarios.schema.ScenarioSchema;
import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Quantity;
import io.orrery.scenarios.text.Value;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What settings write, however it was written: equal where they do the same, as {@code 2 s} and
 * {@code 2000 ms} under any name of a key.
 *
 * @param values of keys, the last one written
 * @param lists that are replaced, and how many items they have from then on
 */
public record WrittenValues(Map<KeyPath, Value> values, Map<KeyPath, Integer> lists) {
  public WrittenValues {
    values = Map.copyOf(values);
    lists = Map.copyOf(lists);
  }

  /**
   * What a layer writes.
   *
   * @param below what lies below it, to tell which item of a list a name means
   */
  static WrittenValues of(Iterable<Assignment> layer, Overlay below) {
    Map<KeyPath, Value> values = new LinkedHashMap<>();
    Map<KeyPath, Integer> lists = new LinkedHashMap<>();
    for (Assignment assignment : layer) {
      if (assignment instanceof Assignment.ReplaceList list) {
        lists.put(list.path(), list.items());
      } else if (assignment instanceof Assignment.Put put) {
        KeyPath path = below.resolve(put, new Problems()).orElse(put.path());
        values.put(path, isParameter(path) ? canonical(put.value()) : put.value());
      }
    }
    return new WrittenValues(values, lists);
  }

  private static boolean isParameter(KeyPath path) {
    return ScenarioSchema.policies().stream()
        .anyMatch(
            policy ->
                path.startsWith(policy.first(1)) && !ScenarioSchema.isDeclaredBeside(policy, path));
  }

  /**
   * Of what type a policy's parameter is nobody knows yet: a number or an amount, if it reads so.
   */
  private static Value canonical(Value value) {
    if (value instanceof Value.Whole whole) {
      return new Value.Decimal(BigDecimal.valueOf(whole.number()));
    }
    if (value instanceof Value.Text text) {
      for (Quantity quantity : Quantity.values()) {
        OptionalLong base = quantity.parse(text.text());
        if (base.isPresent()) {
          return new Value.Amount(quantity, base.getAsLong());
        }
      }
    }
    return value;
  }
}
