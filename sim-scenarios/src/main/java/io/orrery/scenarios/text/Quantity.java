package io.orrery.scenarios.text;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A kind of quantity and its units. {@code "1.5 s"} is exactly 1,500,000,000 nanoseconds: the
 * conversion is decimal, and a text that is no whole number of base units is refused rather than
 * rounded. Symbols are case-sensitive (MB is not Mb); the blank between number and unit may be left
 * out.
 */
public enum Quantity {
  /** Base unit: nanosecond. */
  DURATION(
      "a duration such as \"2 s\"",
      unit("ns", 1L),
      unit("us", 1_000L),
      unit("ms", 1_000_000L),
      unit("s", 1_000_000_000L),
      unit("min", 60_000_000_000L),
      unit("h", 3_600_000_000_000L)),
  /** Base unit: byte. Decimal and binary multiples. */
  BYTES(
      "a size such as \"512 GiB\"",
      unit("B", 1L),
      unit("KB", 1_000L),
      unit("KiB", 1L << 10),
      unit("MB", 1_000_000L),
      unit("MiB", 1L << 20),
      unit("GB", 1_000_000_000L),
      unit("GiB", 1L << 30),
      unit("TB", 1_000_000_000_000L),
      unit("TiB", 1L << 40)),
  /** Base unit: byte per second. Network links are sold in bits. */
  BANDWIDTH(
      "a bandwidth such as \"64 GB/s\"",
      unit("B/s", 1L),
      unit("KB/s", 1_000L),
      unit("MB/s", 1_000_000L),
      unit("MiB/s", 1L << 20),
      unit("Gbit/s", 125_000_000L),
      unit("GB/s", 1_000_000_000L),
      unit("GiB/s", 1L << 30),
      unit("TB/s", 1_000_000_000_000L));

  private static final Pattern AMOUNT =
      Pattern.compile("(" + Value.Decimal.PATTERN + ")\\s*(\\p{L}[\\p{L}/]*)");

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final String example;
  private final List<Unit> units;

  Quantity(String example, Unit... units) {
    this.example = example;
    this.units = List.of(units);
  }

  private record Unit(String symbol, long factor) {}

  private static Unit unit(String symbol, long factor) {
    return new Unit(symbol, factor);
  }

  /** What a text of this kind looks like, with the accepted units. */
  public String expected() {
    return example + " (units: " + symbols() + ")";
  }

  /** The accepted units, smallest first. */
  public String symbols() {
    return units.stream().map(Unit::symbol).collect(Collectors.joining(", "));
  }

  /**
   * Reads a number with a unit.
   *
   * @return the amount in base units; empty if the text is no number with one of the units, is no
   *     whole number of base units, or does not fit a long
   */
  public OptionalLong parse(String text) {
    return amount(text).map(Quantity::whole).orElse(OptionalLong.empty());
  }

  /** Whether the text is an amount of this kind, but more base units than a long holds. */
  public boolean isTooMuch(String text) {
    return amount(text).filter(amount -> amount.compareTo(MOST) > 0).isPresent();
  }

  private Optional<BigDecimal> amount(String text) {
    Matcher matcher = AMOUNT.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String symbol = matcher.group(2).replace('µ', 'u').replace('μ', 'u');
    return units.stream()
        .filter(unit -> unit.symbol.equals(symbol))
        .findFirst()
        .map(unit -> new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit.factor)));
  }

  /**
   * The amount in the largest unit that gives a whole number: {@code 1500 ms}, {@code 90 s}, {@code
   * 2 min}.
   */
  public String format(long base) {
    Unit best = units.get(0);
    for (Unit unit : units) {
      if (base != 0 && base % unit.factor == 0 && unit.factor >= best.factor) {
        best = unit;
      }
    }
    if (base == 0 && this == DURATION) {
      return "0 s";
    }
    return base / best.factor + " " + best.symbol;
  }

  private static OptionalLong whole(BigDecimal number) {
    try {
      return OptionalLong.of(number.longValueExact());
    } catch (ArithmeticException inexact) {
      return OptionalLong.empty();
    }
  }
}
