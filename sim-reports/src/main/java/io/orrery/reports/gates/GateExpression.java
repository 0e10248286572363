package io.orrery.reports.gates;

import io.orrery.reports.summary.Summary;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on a number of the summary: {@code ttft_ms.p99 <= 2000}, {@code hit_rate.tokens >= 90
 * %}, {@code goodput_rps >= 0.95 * baseline}, {@code ledger_tokens.misplaced <= baseline + 1 %}. A
 * percentage beside {@code baseline} is a share of the baseline's number.
 */
public final class GateExpression {
  private static final String NUMBER = "([0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)";
  private static final Pattern CONDITION =
      Pattern.compile("\\s*([A-Za-z][A-Za-z0-9_.]*)\\s*(<=|>=|==|<|>)\\s*(.+?)\\s*");
  private static final Pattern ABSOLUTE = Pattern.compile("(-?)" + NUMBER + "\\s*(%?)");
  private static final Pattern RELATIVE =
      Pattern.compile(
          "(?:" + NUMBER + "\\s*\\*\\s*)?baseline(?:\\s*([-+])\\s*" + NUMBER + "\\s*(%?))?");

  /** What an expression should look like, for messages. */
  public static final String EXPECTED =
      "KEY, one of <= >= < > ==, and a number, a percentage or baseline, as in"
          + " ttft_ms.p99 <= 1.05 * baseline";

  private final String text;
  private final String key;
  private final String operator;
  private final double factor;
  private final double offset;
  private final boolean relativeOffset;
  private final boolean ofBaseline;

  private GateExpression(
      String text,
      String key,
      String operator,
      double factor,
      double offset,
      boolean relativeOffset,
      boolean ofBaseline) {
    this.text = text;
    this.key = key;
    this.operator = operator;
    this.factor = factor;
    this.offset = offset;
    this.relativeOffset = relativeOffset;
    this.ofBaseline = ofBaseline;
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException if it is none; the key is not looked up
   */
  public static GateExpression parse(String text) {
    Matcher condition = CONDITION.matcher(text);
    if (!condition.matches()) {
      throw new IllegalArgumentException(text);
    }
    String key = condition.group(1);
    String operator = condition.group(2);
    GateExpression expression = parse(text, key, operator, condition.group(3));
    if (!Double.isFinite(expression.factor) || !Double.isFinite(expression.offset)) {
      throw new IllegalArgumentException(text);
    }
    return expression;
  }

  private static GateExpression parse(String text, String key, String operator, String limit) {
    Matcher absolute = ABSOLUTE.matcher(limit);
    if (absolute.matches()) {
      double number = Double.parseDouble(absolute.group(2));
      double signed = absolute.group(1).isEmpty() ? number : -number;
      double value = absolute.group(3).isEmpty() ? signed : signed / 100;
      return new GateExpression(text.strip(), key, operator, 0, value, false, false);
    }
    Matcher relative = RELATIVE.matcher(limit);
    if (!relative.matches()) {
      throw new IllegalArgumentException(text);
    }
    double factor = relative.group(1) == null ? 1 : Double.parseDouble(relative.group(1));
    double offset = relative.group(3) == null ? 0 : Double.parseDouble(relative.group(3));
    boolean percent = "%".equals(relative.group(4));
    double signed = "-".equals(relative.group(2)) ? -offset : offset;
    return new GateExpression(
        text.strip(), key, operator, factor, percent ? signed / 100 : signed, percent, true);
  }

  /** Whether two say the same of the same number, however they are written. */
  public boolean isSame(GateExpression other) {
    return key.equals(other.key)
        && operator.equals(other.operator)
        && factor == other.factor
        && offset == other.offset
        && relativeOffset == other.relativeOffset
        && ofBaseline == other.ofBaseline;
  }

  /** The expression as it was written. */
  public String text() {
    return text;
  }

  /** The number that it is about. */
  public String key() {
    return key;
  }

  /** Whether it needs a baseline. */
  public boolean needsBaseline() {
    return ofBaseline;
  }

  /**
   * The number that the run's is compared with; empty if the baseline lacks it.
   *
   * @param baseline the baseline's number
   */
  public OptionalDouble limit(OptionalDouble baseline) {
    if (!ofBaseline) {
      return OptionalDouble.of(offset);
    }
    if (baseline.isEmpty()) {
      return OptionalDouble.empty();
    }
    double base = baseline.getAsDouble();
    double limit = factor * base + (relativeOffset ? offset * Math.abs(base) : offset);
    return OptionalDouble.of(limit);
  }

  /** Whether a number keeps a limit. Equal numbers keep it, whatever rounding did to the limit. */
  public boolean holds(double value, double limit) {
    boolean equal = Math.abs(value - limit) <= 1e-9 * Math.max(Math.abs(value), Math.abs(limit));
    return switch (operator) {
      case "<=" -> value <= limit || equal;
      case ">=" -> value >= limit || equal;
      case "<" -> value < limit && !equal;
      case ">" -> value > limit && !equal;
      default -> equal;
    };
  }

  /** The run's number, if it has one. */
  OptionalDouble value(Summary summary) {
    return summary.get(key);
  }
}
