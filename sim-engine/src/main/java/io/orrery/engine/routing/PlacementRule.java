package io.orrery.engine.routing;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which workers certain requests may go to, or would rather go to. Written as {@code CONDITION [and
 * CONDITION ...] -> TARGET}:
 *
 * <pre>
 *   session eval-* -> label spare          only workers of pools with that label
 *   input >= 100000 and root -> pool large only workers of that pool
 *   session 17 -> worker 3                 pinned
 *   child -> prefer near 1.5               the kv-aware cost of workers with that label is
 *                                          multiplied by exp(-tanh(1.5))
 * </pre>
 *
 * <p>Of the rules that demand something the first whose conditions hold applies; preferences of all
 * rules that hold add up. NVIDIA Dynamo calls these worker filters, pins and preferred taints
 * ({@code worker-filtering.md}, 86f19a39).
 *
 * @param text as written
 * @param session pattern of session ids, or null for any
 * @param leastInput least prompt tokens
 * @param inputBelow prompt tokens that are too many
 * @param child true for sessions with a parent, false for those without, null for both
 * @param target what the rule asks for
 * @param name name of the pool or label, or the worker's number
 * @param weight of a preference
 */
public record PlacementRule(
    String text,
    @Nullable Pattern session,
    long leastInput,
    long inputBelow,
    @Nullable Boolean child,
    Target target,
    String name,
    double weight) {
  /** What a rule asks for. */
  public enum Target {
    POOL,
    LABEL,
    WORKER,
    PREFER
  }

  private static final String EXPECTED =
      "a rule such as \"session eval-* and input >= 1000 -> label spare\"; conditions: session PATTERN, input >= N, input < N,"
          + " child, root, always; targets: pool NAME, label NAME, worker N, prefer LABEL WEIGHT";

  /** Rules are equal if they read the same. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PlacementRule rule && rule.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /** What {@link #parse} takes, in words. */
  public static String expected() {
    return EXPECTED;
  }

  /**
   * Reads a rule.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static PlacementRule parse(String text) {
    String[] sides = text.split("->", -1);
    if (sides.length != 2) {
      throw new IllegalArgumentException(EXPECTED);
    }
    Pattern session = null;
    long least = 0;
    long below = Long.MAX_VALUE;
    Boolean child = null;
    for (String condition : sides[0].strip().split("\\s+and\\s+", -1)) {
      List<String> words = words(condition);
      String first = words.get(0);
      if (words.size() == 1 && first.equals("child")) {
        child = true;
      } else if (words.size() == 1 && first.equals("root")) {
        child = false;
      } else if (words.size() == 2 && first.equals("session")) {
        session = pattern(words.get(1));
      } else if (words.size() == 3 && first.equals("input") && words.get(1).equals(">=")) {
        least = number(words.get(2));
      } else if (words.size() == 3 && first.equals("input") && words.get(1).equals("<")) {
        below = number(words.get(2));
      } else if (words.size() != 1 || !first.equals("always")) {
        throw new IllegalArgumentException(EXPECTED);
      }
    }
    List<String> target = words(sides[1]);
    double weight = 0;
    Target kind;
    if (target.size() == 2 && target.get(0).equals("pool")) {
      kind = Target.POOL;
    } else if (target.size() == 2 && target.get(0).equals("label")) {
      kind = Target.LABEL;
    } else if (target.size() == 2 && target.get(0).equals("worker")) {
      number(target.get(1));
      kind = Target.WORKER;
    } else if (target.size() == 3 && target.get(0).equals("prefer")) {
      kind = Target.PREFER;
      weight = decimal(target.get(2));
    } else {
      throw new IllegalArgumentException(EXPECTED);
    }
    return new PlacementRule(
        text.strip(), session, least, below, child, kind, target.get(1), weight);
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.strip().split("\\s+", -1));
  }

  private static Pattern pattern(String glob) {
    return Pattern.compile(
        Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
        Pattern.DOTALL);
  }

  private static long number(String text) {
    if (!text.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return Long.parseLong(text);
  }

  private static double decimal(String text) {
    if (!text.matches("-?\\d{1,9}(\\.\\d{1,9})?")) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return Double.parseDouble(text);
  }

  /** Whether the rule's conditions hold for a request. */
  public boolean holds(String sessionId, boolean isChild, int inputTokens) {
    return (session == null || session.matcher(sessionId).matches())
        && inputTokens >= leastInput
        && inputTokens < inputBelow
        && (child == null || child == isChild);
  }

  /** Whether a worker is what the rule asks for. */
  public boolean meets(int worker, String pool, List<String> labels) {
    return switch (target) {
      case POOL -> name.equals(pool);
      case LABEL, PREFER -> labels.contains(name);
      case WORKER -> name.equals(Integer.toString(worker));
    };
  }
}
