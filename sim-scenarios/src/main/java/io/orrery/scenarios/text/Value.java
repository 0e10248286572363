package io.orrery.scenarios.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A value in its canonical form: two ways to write one thing ({@code 2 s}, {@code "2000 ms"}) give
 * equal values with equal text.
 */
public sealed interface Value {

  /** The value as a person reads it: without quotes, lists in brackets. */
  String text();

  /** true or false. */
  record Flag(boolean on) implements Value {
    @Override
    public String text() {
      return Boolean.toString(on);
    }
  }

  /** A whole number. */
  record Whole(long number) implements Value {
    private static final Pattern PATTERN = Pattern.compile("[+-]?(0|[1-9]\\d{0,18})");

    /**
     * Reads digits with an optional sign; empty if they are more than a long holds, or anything
     * else.
     */
    public static Optional<Whole> parse(String text) {
      if (!PATTERN.matcher(text).matches()) {
        return Optional.empty();
      }
      BigInteger number = new BigInteger(text.startsWith("+") ? text.substring(1) : text);
      return number.bitLength() > 63
          ? Optional.empty()
          : Optional.of(new Whole(number.longValueExact()));
    }

    @Override
    public String text() {
      return Long.toString(number);
    }
  }

  /** A decimal number, without trailing zeros. */
  record Decimal(BigDecimal number) implements Value {
    /**
     * Decimal digits with an optional sign and short exponent; no leading zeros, which elsewhere
     * mean octal.
     */
    public static final String PATTERN =
        "[+-]?(?:(?:0|[1-9]\\d{0,29})(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:[eE][+-]?\\d{1,2})?";

    private static final Pattern COMPILED = Pattern.compile(PATTERN);

    /**
     * Reads a number such as 0.5, -3 or 1e6; empty for anything else, NaN and infinities included.
     */
    public static Optional<Decimal> parse(String text) {
      return COMPILED.matcher(text).matches()
          ? Optional.of(new Decimal(new BigDecimal(text)))
          : Optional.empty();
    }

    /** A number whose trailing zeros go. */
    public Decimal {
      number = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }

    @Override
    public String text() {
      return number.toPlainString();
    }
  }

  /** A word or any other text. */
  record Text(String text) implements Value {}

  /**
   * A quantity with a unit.
   *
   * @param base the amount in the quantity's base unit (nanoseconds, bytes, bytes per second)
   */
  record Amount(Quantity quantity, long base) implements Value {
    @Override
    public String text() {
      return quantity.format(base);
    }
  }

  /** A list of values. */
  record Items(List<Value> values) implements Value {
    /** A list of these values. */
    public Items {
      values = List.copyOf(values);
    }

    @Override
    public String text() {
      return values.stream().map(Value::text).collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
