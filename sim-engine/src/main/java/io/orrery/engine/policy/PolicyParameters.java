package io.orrery.engine.policy;

import io.orrery.models.Names;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one policy, complete and checked: what was given, else the default. Backs
 * {@link PolicyContext}.
 */
public final class PolicyParameters {
  private static final String DECIMAL =
      "[+-]?(?:\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:[eE][+-]?\\d{1,2})?";
  private static final Pattern NUMBER = Pattern.compile(DECIMAL);
  private static final Pattern DURATION =
      Pattern.compile("(" + DECIMAL + ")\\s*(ns|us|µs|ms|s|min|h)");
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

  private final PolicyFactory policy;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, Double> numbers = new LinkedHashMap<>();
  private final Map<String, Long> nanos = new LinkedHashMap<>();

  private PolicyParameters(PolicyFactory policy) {
    this.policy = policy;
  }

  /**
   * Checks what was given to {@code policy} and fills in the defaults.
   *
   * @param given values by name, as written: "0.75", "600 s", "requests"
   * @throws InvalidPolicyException for a parameter that the policy does not have, and for a value
   *     of the wrong kind, without unit, or out of range
   */
  public static PolicyParameters resolve(PolicyFactory policy, Map<String, String> given) {
    List<String> known = policy.parameters().stream().map(PolicyParameter::name).toList();
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        throw unknown(policy, name, known);
      }
    }
    PolicyParameters resolved = new PolicyParameters(policy);
    for (PolicyParameter parameter : policy.parameters()) {
      resolved.add(parameter, given.getOrDefault(parameter.name(), parameter.defaultValue()));
    }
    policy.check(resolved);
    return resolved;
  }

  /**
   * The value of a declared number, whole or not.
   *
   * @throws IllegalArgumentException if the policy declares no such number
   */
  public double number(String parameter) {
    return declared(numbers.get(parameter), "number", parameter);
  }

  /**
   * The value of a declared duration, in nanoseconds.
   *
   * @throws IllegalArgumentException if the policy declares no such duration
   */
  public long nanos(String parameter) {
    return declared(nanos.get(parameter), "duration", parameter);
  }

  /**
   * The value of a declared parameter, as written.
   *
   * @throws IllegalArgumentException if the policy declares no such parameter
   */
  public String text(String parameter) {
    return declared(texts.get(parameter), "parameter", parameter);
  }

  /** All values as written, in the order of their declaration. */
  public Map<String, String> texts() {
    return Collections.unmodifiableMap(texts);
  }

  private void add(PolicyParameter parameter, String value) {
    String name = parameter.name();
    String text = value.strip();
    boolean usable =
        switch (parameter.kind()) {
          case NUMBER -> {
            Matcher number = NUMBER.matcher(text);
            yield number.matches() && addNumber(parameter, new BigDecimal(text));
          }
          case WHOLE -> {
            Matcher number = NUMBER.matcher(text);
            yield number.matches()
                && isWhole(new BigDecimal(text))
                && addNumber(parameter, new BigDecimal(text));
          }
          case DURATION -> {
            Matcher duration = DURATION.matcher(text);
            yield duration.matches()
                && addDuration(
                    parameter,
                    new BigDecimal(duration.group(1)).multiply(nanosPer(duration.group(2))));
          }
          case CHOICE -> parameter.choices().contains(text);
        };
    if (!usable) {
      throw new InvalidPolicyException(policy.kind(), name, "'" + value + "'", expected(parameter));
    }
    texts.put(name, text);
  }

  private boolean addNumber(PolicyParameter parameter, BigDecimal number) {
    numbers.put(parameter.name(), number.doubleValue());
    return within(parameter, number);
  }

  private static boolean isWhole(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0;
  }

  private boolean addDuration(PolicyParameter parameter, BigDecimal duration) {
    if (!isWhole(duration) || duration.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return false;
    }
    nanos.put(parameter.name(), duration.longValue());
    return within(parameter, duration.divide(NANOS_PER_SECOND));
  }

  private static boolean within(PolicyParameter parameter, BigDecimal number) {
    double value = number.doubleValue();
    return value >= parameter.minimum() && value <= parameter.maximum();
  }

  private static BigDecimal nanosPer(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "ns" -> 1L;
          case "us", "µs" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "min" -> 60_000_000_000L;
          default -> 3_600_000_000_000L;
        });
  }

  /** What a parameter takes, as messages and the documentation say it. */
  public static String expected(PolicyParameter parameter) {
    return switch (parameter.kind()) {
      case NUMBER -> "a number" + range(parameter, "");
      case WHOLE -> "a whole number" + range(parameter, "");
      case DURATION ->
          "a duration such as \"600 s\" (ns, us, ms, s, min or h)" + range(parameter, " s");
      case CHOICE -> "one of " + String.join(", ", parameter.choices());
    };
  }

  private static String range(PolicyParameter parameter, String unit) {
    boolean from = parameter.minimum() > Double.NEGATIVE_INFINITY;
    boolean to = parameter.maximum() < Double.POSITIVE_INFINITY;
    return (from ? " from " + plain(parameter.minimum()) + unit : "")
        + (to ? " to " + plain(parameter.maximum()) + unit : "");
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private static InvalidPolicyException unknown(
      PolicyFactory policy, String name, List<String> known) {
    String found = "a parameter that " + policy.name() + " does not have";
    if (known.isEmpty()) {
      return new InvalidPolicyException(policy.kind(), name, found, "none");
    }
    return new InvalidPolicyException(
        policy.kind(),
        name,
        found,
        "one of " + String.join(", ", known) + Names.didYouMean(name, known));
  }

  private <T> T declared(@Nullable T value, String kind, String parameter) {
    if (value == null) {
      throw new IllegalArgumentException(
          policy.kind().key()
              + " policy '"
              + policy.name()
              + "' declares no "
              + kind
              + " '"
              + parameter
              + "'");
    }
    return value;
  }
}
