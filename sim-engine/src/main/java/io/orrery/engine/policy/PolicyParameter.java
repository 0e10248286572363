package io.orrery.engine.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * A parameter of a policy, {@code routing.<name>} or {@code admission.<name>} in a scenario.
 *
 * @param name camel case
 * @param kind what values it takes
 * @param defaultValue as written in a scenario: "0.75", "600 s", "requests"
 * @param minimum least number allowed (seconds for durations)
 * @param maximum greatest number allowed
 * @param choices values allowed for a text
 * @param summary one sentence with the unit
 */
public record PolicyParameter(
    String name,
    Kind kind,
    String defaultValue,
    double minimum,
    double maximum,
    List<String> choices,
    String summary) {
  /** Kinds of values. */
  public enum Kind {
    NUMBER,
    WHOLE,
    DURATION,
    CHOICE
  }

  /** A plain number between {@code minimum} and {@code maximum}. */
  public static PolicyParameter number(
      String name, String defaultValue, double minimum, double maximum, String summary) {
    return new PolicyParameter(
        name, Kind.NUMBER, defaultValue, minimum, maximum, List.of(), summary);
  }

  /** A whole number between {@code minimum} and {@code maximum}. */
  public static PolicyParameter whole(
      String name, String defaultValue, double minimum, double maximum, String summary) {
    return new PolicyParameter(
        name, Kind.WHOLE, defaultValue, minimum, maximum, List.of(), summary);
  }

  /** A duration such as "600 s"; the limits are in seconds. */
  public static PolicyParameter duration(
      String name, String defaultValue, double minimum, double maximum, String summary) {
    return new PolicyParameter(
        name, Kind.DURATION, defaultValue, minimum, maximum, List.of(), summary);
  }

  /** One of {@code choices}. */
  public static PolicyParameter choice(
      String name, String defaultValue, List<String> choices, String summary) {
    return new PolicyParameter(
        name,
        Kind.CHOICE,
        defaultValue,
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        choices,
        summary);
  }

  /** {@code true} or {@code false}. */
  public static PolicyParameter flag(String name, boolean defaultValue, String summary) {
    return choice(name, Boolean.toString(defaultValue), List.of("true", "false"), summary);
  }

  /**
   * The same parameters with other defaults.
   *
   * @param namesAndValues a name, its default, a name, its default, …
   * @throws IllegalArgumentException if there is no parameter of a name
   */
  public static List<PolicyParameter> withDefaults(
      List<PolicyParameter> parameters, String... namesAndValues) {
    List<PolicyParameter> changed = new ArrayList<>(parameters);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      int at = indexOf(changed, namesAndValues[i]);
      PolicyParameter old = changed.get(at);
      changed.set(
          at,
          new PolicyParameter(
              old.name,
              old.kind,
              namesAndValues[i + 1],
              old.minimum,
              old.maximum,
              old.choices,
              old.summary));
    }
    return List.copyOf(changed);
  }

  private static int indexOf(List<PolicyParameter> parameters, String name) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name.equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no parameter " + name);
  }
}
