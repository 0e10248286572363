package io.orrery.scenarios.sweep;

import io.orrery.engine.Draws;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.Value;
import io.orrery.scenarios.text.YamlNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Points of a sweep that are drawn: for every key a value out of a list, or a number of a range,
 * spread evenly or (scale: log) so that every decade gets as many. A draw depends on the seed, the
 * key and the point alone: more points leave the first ones as they are.
 */
final class RandomPoints {
  private static final String RANGE =
      "a list of values, or a range {from: A, to: B} of numbers with, optionally, scale: log and"
          + " whole: true";
  private static final MathContext DIGITS = new MathContext(4);

  private final String path;
  private final Problems problems;
  private final List<Source> sources = new ArrayList<>();
  private long points;
  private long seed = 1;

  /** Where the values of a key come from. */
  private record Source(YamlNode.Scalar key, Draw draw) {}

  private interface Draw {
    YamlNode at(double share);
  }

  RandomPoints(YamlNode node, String path, Problems problems) {
    this.path = path;
    this.problems = problems;
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problems.add(node.position(), path, node.found(), "a mapping with points, seed and keys");
      return;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      switch (entry.key().text()) {
        case "points" -> points = whole(entry, 1, Sweep.MOST_POINTS);
        case "seed" -> seed = whole(entry, 0, Integer.MAX_VALUE);
        case "keys" -> keys(entry.value());
        default ->
            problems.add(
                entry.key().position(),
                path + "." + entry.key().text(),
                "an unknown key",
                "one of points, seed, keys");
      }
    }
    if (problems.isEmpty() && (points == 0 || sources.isEmpty())) {
      problems.add(node.position(), path, "no points or keys", "points and keys");
    }
  }

  private long whole(YamlNode.Entry entry, long least, long most) {
    OptionalLong number = OptionalLong.empty();
    if (entry.value() instanceof YamlNode.Scalar scalar) {
      number =
          Value.Whole.parse(scalar.text())
              .map(value -> OptionalLong.of(value.number()))
              .orElse(OptionalLong.empty());
    }
    if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
      problems.add(
          entry.value().position(),
          path + "." + entry.key().text(),
          entry.value().found(),
          "a whole number from " + least + " to " + most);
      return least;
    }
    return number.getAsLong();
  }

  private void keys(YamlNode node) {
    if (!(node instanceof YamlNode.Mapping mapping) || mapping.entries().isEmpty()) {
      problems.add(
          node.position(), path + ".keys", node.found(), "a mapping of dotted paths: " + RANGE);
      return;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      Draw draw =
          entry.value() instanceof YamlNode.Sequence list && !list.items().isEmpty()
              ? share -> list.items().get((int) (share * list.items().size()))
              : range(entry);
      sources.add(new Source(entry.key(), draw));
    }
  }

  private Draw range(YamlNode.Entry entry) {
    BigDecimal from = null;
    BigDecimal to = null;
    boolean log = false;
    boolean whole = false;
    boolean understood = entry.value() instanceof YamlNode.Mapping;
    if (entry.value() instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry part : mapping.entries()) {
        String text = SweepReader.text(part.value());
        switch (part.key().text()) {
          case "from" -> from = Value.Decimal.parse(text).map(Value.Decimal::number).orElse(null);
          case "to" -> to = Value.Decimal.parse(text).map(Value.Decimal::number).orElse(null);
          case "scale" -> {
            log = text.equals("log");
            understood &= log || text.equals("linear");
          }
          case "whole" -> {
            whole = text.equals("true");
            understood &= whole || text.equals("false");
          }
          default -> understood = false;
        }
      }
    }
    if (!understood
        || from == null
        || to == null
        || from.compareTo(to) > 0
        || (log && from.signum() <= 0)
        || (whole && !(isWhole(from) && isWhole(to)))) {
      problems.add(
          entry.value().position(),
          path + ".keys." + entry.key().text(),
          entry.value().found(),
          RANGE + (log ? " above 0" : "") + (whole ? ", A and B whole" : ""));
      return share -> entry.value();
    }
    BigDecimal least = from;
    BigDecimal most = to;
    double low = from.doubleValue();
    double high = to.doubleValue();
    boolean logarithmic = log;
    boolean integer = whole;
    return share -> {
      double span = integer ? high + 1 : high;
      double value =
          logarithmic
              ? StrictMath.exp(
                  StrictMath.log(low) + share * (StrictMath.log(span) - StrictMath.log(low)))
              : low + share * (span - low);
      String text =
          integer
              ? Long.toString((long) Math.min(Math.floor(value), high))
              // Rounding must not leave the range.
              : new Value.Decimal(new BigDecimal(value).round(DIGITS).max(least).min(most)).text();
      return new YamlNode.Scalar(text, true, entry.value().position());
    };
  }

  private static boolean isWhole(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0;
  }

  /** The points, each a value for every key. */
  List<List<YamlNode.Entry>> draw() {
    List<List<YamlNode.Entry>> drawn = new ArrayList<>();
    if (!problems.isEmpty()) {
      return drawn;
    }
    for (int i = 0; i < points; i++) {
      List<YamlNode.Entry> point = new ArrayList<>();
      for (Source source : sources) {
        double share = new Draws(seed, "sweep." + source.key().text()).uniform(i, 0);
        point.add(new YamlNode.Entry(source.key(), source.draw().at(share)));
      }
      drawn.add(point);
    }
    return drawn;
  }
}
