package io.orrery.scenarios.schema;

import io.orrery.models.Names;
import io.orrery.scenarios.text.CanonicalText;
import io.orrery.scenarios.text.Quantity;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a key's value may be. Numbers and true/false must stand without quotes, everything else may
 * have them; {@code yes}, {@code off}, {@code 0x10} and {@code 1_000} are no numbers or booleans
 * here.
 */
public final class ValueType {
  /** What an empty text in place of a path is called. */
  public static final String EMPTY_PATH = "an empty path";

  /** What should stand in its place. */
  public static final String EXPECTED_FOR_EMPTY_PATH = "a file or folder";

  /** Upper bound of numbers that have none of their own: beyond it is a slip of the pen. */
  static final long MANY = 1_000_000_000L;

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,63}");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  private final String expected;
  private final List<String> words;
  private final boolean list;
  private final boolean path;
  private final Function<YamlNode.Scalar, @Nullable Value> scalar;

  private ValueType(
      String expected,
      List<String> words,
      boolean list,
      Function<YamlNode.Scalar, @Nullable Value> scalar) {
    this(expected, words, list, false, scalar);
  }

  private ValueType(
      String expected,
      List<String> words,
      boolean list,
      boolean path,
      Function<YamlNode.Scalar, @Nullable Value> scalar) {
    this.expected = expected;
    this.words = words;
    this.list = list;
    this.path = path;
    this.scalar = scalar;
  }

  /** What a value of this type is, in words: "a whole number from 1 to 8". */
  public String expected() {
    return expected;
  }

  /**
   * What was expected in place of this node, with a suggestion where one of the type's words is
   * near.
   */
  public String expectedInsteadOf(YamlNode node) {
    if (hasEmptyPath(node)) {
      return EXPECTED_FOR_EMPTY_PATH;
    }
    return node instanceof YamlNode.Scalar text
        ? expected + Names.didYouMean(text.text(), words)
        : expected;
  }

  /** What stands in the node's place, where that is not of this type. */
  public String foundIn(YamlNode node) {
    return hasEmptyPath(node) ? EMPTY_PATH : node.found();
  }

  private boolean hasEmptyPath(YamlNode node) {
    if (!path) {
      return false;
    }
    if (list && node instanceof YamlNode.Sequence sequence) {
      return sequence.items().stream().anyMatch(ValueType::isEmptyText);
    }
    return isEmptyText(node);
  }

  private static boolean isEmptyText(YamlNode node) {
    return node instanceof YamlNode.Scalar value && !value.isNull() && value.text().isBlank();
  }

  /** The canonical value, or empty if the node is not of this type. */
  public Optional<Value> parse(YamlNode node) {
    if (node instanceof YamlNode.Scalar value) {
      Value one = value.isNull() ? null : scalar.apply(value);
      return Optional.ofNullable(one == null || !list ? one : new Value.Items(List.of(one)));
    }
    if (!list || !(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      return Optional.empty();
    }
    List<Value> values = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      Value one =
          item instanceof YamlNode.Scalar value && !value.isNull() ? scalar.apply(value) : null;
      if (one == null) {
        return Optional.empty();
      }
      values.add(one);
    }
    return Optional.of(new Value.Items(values));
  }

  /** true or false. */
  static ValueType flag() {
    return new ValueType("true or false", List.of("true", "false"), false, ValueType::flagOf);
  }

  /** A whole number in a range, ends included. */
  static ValueType whole(long min, long max) {
    return new ValueType(wholeText(min, max), List.of(), false, node -> wholeOf(node, min, max));
  }

  /** A word, or a whole number in a range. */
  static ValueType wholeOr(String word, long min, long max) {
    return new ValueType(
        word + ", or " + wholeText(min, max),
        List.of(word),
        false,
        node -> node.text().equals(word) ? new Value.Text(word) : wholeOf(node, min, max));
  }

  /** A number above {@code min} and at most {@code max}. */
  static ValueType positive(long max) {
    String text = "a number above 0 and up to " + max;
    return new ValueType(text, List.of(), false, node -> decimalOf(node, false, max));
  }

  /** A number from 0 to below 1. */
  static ValueType shareBelowOne() {
    return new ValueType(
        "a number from 0 to below 1",
        List.of(),
        false,
        node -> {
          Value.Decimal number = decimalOf(node, true, 1);
          return number == null || number.number().compareTo(BigDecimal.ONE) == 0 ? null : number;
        });
  }

  /** A word, or a number above 0 and at most 1. */
  static ValueType positiveFractionOr(String word) {
    return new ValueType(
        word + ", or a number above 0 and up to 1",
        List.of(word),
        false,
        node -> node.text().equals(word) ? new Value.Text(word) : decimalOf(node, false, 1));
  }

  /** A word, or a number from 0 to {@code max}. */
  static ValueType numberOr(String word, long max) {
    return new ValueType(
        word + ", or a number from 0 to " + max,
        List.of(word),
        false,
        node -> node.text().equals(word) ? new Value.Text(word) : decimalOf(node, true, max));
  }

  /** A word, or a duration with its unit from 0. */
  static ValueType durationFromZeroOr(String word) {
    return new ValueType(
        word + ", or " + Quantity.DURATION.expected(),
        List.of(word),
        false,
        node -> node.text().equals(word) ? new Value.Text(word) : durationOf(node, true));
  }

  /** One or more texts. */
  static ValueType texts(String what) {
    return new ValueType(what, List.of(), true, ValueType::textOf);
  }

  /** One text. */
  static ValueType text(String what) {
    return new ValueType(what, List.of(), false, ValueType::textOf);
  }

  private static @Nullable Value textOf(YamlNode.Scalar node) {
    return node.text().isBlank() ? null : new Value.Text(node.text());
  }

  /** A word for 1, a word for 0, or a probability; 1 and 0 become their words. */
  static ValueType probability(String wordForOne, String wordForZero) {
    return new ValueType(
        wordForOne + ", " + wordForZero + ", or a probability from 0 to 1",
        List.of(wordForOne, wordForZero),
        false,
        node -> {
          if (node.text().equals(wordForOne) || node.text().equals(wordForZero)) {
            return new Value.Text(node.text());
          }
          Value.Decimal number = decimalOf(node, true, 1);
          if (number == null
              || (number.number().signum() != 0
                  && number.number().compareTo(BigDecimal.ONE) != 0)) {
            return number;
          }
          return new Value.Text(number.number().signum() == 0 ? wordForZero : wordForOne);
        });
  }

  /** One of some words. */
  static ValueType choice(String... words) {
    List<String> known = List.of(words);
    String text = words.length == 1 ? words[0] : "one of " + String.join(", ", known);
    return new ValueType(
        text,
        known,
        false,
        node -> known.contains(node.text()) ? new Value.Text(node.text()) : null);
  }

  /** One or more numbers from 0 to 1. */
  static ValueType shares() {
    return new ValueType(
        "a number from 0 to 1, or a list of them",
        List.of(),
        true,
        node -> decimalOf(node, true, 1));
  }

  /** A name out of a catalogue that is not known here, such as a GPU's. */
  static ValueType name(String what) {
    return new ValueType(
        what,
        List.of(),
        false,
        node -> NAME.matcher(node.text()).matches() ? new Value.Text(node.text()) : null);
  }

  /** A name out of a catalogue that is not known here, or a path. */
  static ValueType nameOrPath(String what) {
    return new ValueType(what, List.of(), false, ValueType::pathOf);
  }

  /** A name that the user makes up, and that can be a step of a dotted path. */
  static ValueType label() {
    return new ValueType(
        "a name of at most 64 letters, digits, \"-\" and \"_\" after a letter",
        List.of(),
        false,
        node -> LABEL.matcher(node.text()).matches() ? new Value.Text(node.text()) : null);
  }

  /** A duration with its unit, positive, or from 0. */
  static ValueType duration(boolean zeroAllowed) {
    String text = Quantity.DURATION.expected() + (zeroAllowed ? "" : ", above 0");
    return new ValueType(text, List.of(), false, node -> durationOf(node, zeroAllowed));
  }

  /** A word, or a positive duration with its unit. */
  static ValueType durationOr(String word) {
    return new ValueType(
        word + ", or " + Quantity.DURATION.expected() + ", above 0",
        List.of(word),
        false,
        node -> node.text().equals(word) ? new Value.Text(word) : durationOf(node, false));
  }

  /** A positive number per second, alone or with its unit: {@code 50} or {@code 50 tokens/s}. */
  static ValueType rate(String unit, long max) {
    String text = "a number above 0 and up to " + max + ", alone or as in \"50 " + unit + "\"";
    return new ValueType(text, List.of(), false, node -> rateOf(node, unit, max));
  }

  /** One or more paths. */
  static ValueType paths() {
    return new ValueType("a path or a list of paths", List.of(), true, true, ValueType::pathOf);
  }

  /** One path. */
  static ValueType path() {
    return new ValueType("a path", List.of(), false, true, ValueType::pathOf);
  }

  private static @Nullable Value pathOf(YamlNode.Scalar node) {
    boolean none = node.text().isBlank() || node.text().indexOf('\0') >= 0;
    return none ? null : new Value.Text(node.text());
  }

  /**
   * The value of a node whose type nobody declared: true/false, a number, or text; a list of these;
   * empty for anything else.
   */
  public static Optional<Value> free(YamlNode node) {
    if (node instanceof YamlNode.Scalar value) {
      return value.isNull() ? Optional.empty() : Optional.of(freeScalar(value));
    }
    if (!(node instanceof YamlNode.Sequence sequence)) {
      return Optional.empty();
    }
    List<Value> values = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      if (!(item instanceof YamlNode.Scalar value) || value.isNull()) {
        return Optional.empty();
      }
      values.add(freeScalar(value));
    }
    return Optional.of(new Value.Items(values));
  }

  /** What {@link #free} accepts, in words. */
  public static String freeExpected() {
    return "a number, true or false, a text, or a list of these";
  }

  private static Value freeScalar(YamlNode.Scalar node) {
    Value value = flagOf(node);
    if (value == null && node.plain()) {
      // 2.0 is 2: the canonical text must not depend on how a number was written.
      Value.Decimal number = Value.Decimal.parse(node.text()).orElse(null);
      value =
          number == null
              ? null
              : Value.Whole.parse(number.text()).map(Value.class::cast).orElse(number);
    }
    return value == null ? new Value.Text(node.text()) : value;
  }

  private static Value.@Nullable Flag flagOf(YamlNode.Scalar node) {
    boolean on = node.text().equals("true");
    return node.plain() && (on || node.text().equals("false")) ? new Value.Flag(on) : null;
  }

  private static Value.@Nullable Whole wholeOf(YamlNode.Scalar node, long min, long max) {
    Value.Whole whole = node.plain() ? Value.Whole.parse(node.text()).orElse(null) : null;
    return whole != null && whole.number() >= min && whole.number() <= max ? whole : null;
  }

  private static Value.@Nullable Decimal decimalOf(
      YamlNode.Scalar node, boolean zeroAllowed, long max) {
    return node.plain() ? decimalOf(node.text(), zeroAllowed, max) : null;
  }

  private static Value.@Nullable Decimal decimalOf(String text, boolean zeroAllowed, long max) {
    Value.Decimal decimal = Value.Decimal.parse(text).orElse(null);
    if (decimal == null || decimal.number().compareTo(BigDecimal.valueOf(max)) > 0) {
      return null;
    }
    int sign = decimal.number().signum();
    return sign > 0 || (sign == 0 && zeroAllowed) ? decimal : null;
  }

  private static @Nullable Value durationOf(YamlNode.Scalar node, boolean zeroAllowed) {
    OptionalLong nanos = Quantity.DURATION.parse(node.text());
    boolean inRange = nanos.isPresent() && nanos.getAsLong() >= (zeroAllowed ? 0 : 1);
    return inRange ? new Value.Amount(Quantity.DURATION, nanos.getAsLong()) : null;
  }

  private static @Nullable Value rateOf(YamlNode.Scalar node, String unit, long max) {
    String text = node.text();
    if (text.endsWith(unit)) {
      return decimalOf(text.substring(0, text.length() - unit.length()).strip(), false, max);
    }
    return node.plain() ? decimalOf(text, false, max) : null;
  }

  private static String wholeText(long min, long max) {
    return "a whole number from " + min + " to " + max;
  }

  @Override
  public String toString() {
    return CanonicalText.quoted(expected);
  }
}
