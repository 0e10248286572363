package io.orrery.scenarios.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The way from a scenario's root to a key: {@code cluster.pools[0].workers}.
 *
 * @param steps names, and indexes written {@code [0]}
 */
public record KeyPath(List<String> steps) {
  /** The document itself. */
  public static final KeyPath ROOT = new KeyPath(List.of());

  private static final Pattern STEP =
      Pattern.compile("\\.?([A-Za-z][A-Za-z0-9_-]*)|\\[(\\d{1,6})\\]");

  /** A path of these steps. */
  public KeyPath {
    steps = List.copyOf(steps);
  }

  /** Reads {@code a.b[0].c}; empty if the text is not such a path. */
  public static Optional<KeyPath> parse(String text) {
    List<String> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(text);
    int end = 0;
    while (end < text.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        return Optional.empty();
      }
      boolean dotted = text.charAt(end) == '.';
      String index = matcher.group(2);
      boolean wantsDot = index == null && end > 0;
      if (dotted != wantsDot || (index != null && steps.isEmpty())) {
        return Optional.empty();
      }
      steps.add(index == null ? matcher.group(1) : "[" + Integer.parseInt(index) + "]");
      end = matcher.end();
    }
    return steps.isEmpty() ? Optional.empty() : Optional.of(new KeyPath(steps));
  }

  /** This path and one more name. */
  public KeyPath child(String name) {
    List<String> longer = new ArrayList<>(steps);
    longer.add(name);
    return new KeyPath(longer);
  }

  /** This path and an index from 0. */
  public KeyPath index(int index) {
    return child("[" + index + "]");
  }

  /** The first {@code count} steps. */
  public KeyPath first(int count) {
    return new KeyPath(steps.subList(0, count));
  }

  /** True if this path begins with all of the other's steps. */
  public boolean startsWith(KeyPath other) {
    int count = other.steps.size();
    return steps.size() >= count && steps.subList(0, count).equals(other.steps);
  }

  /** True for a step such as {@code [0]}. */
  public static boolean isIndex(String step) {
    return step.startsWith("[") && Character.isDigit(step.charAt(1));
  }

  /** The index that a step such as {@code [0]} stands for. */
  public static int indexOf(String step) {
    return Integer.parseInt(step.substring(1, step.length() - 1));
  }

  /** {@code a.b[0].c}; empty for the root. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (String step : steps) {
      if (!text.isEmpty() && !step.startsWith("[")) {
        text.append('.');
      }
      text.append(step);
    }
    return text.toString();
  }

  // Written out, since the methods that a record gets by itself take 10 ms to start up.

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyPath path && path.steps.equals(steps);
  }

  @Override
  public int hashCode() {
    return steps.hashCode();
  }

  @Override
  public String toString() {
    return text();
  }
}
