package io.orrery.traces.synthesis;

import java.util.List;

/**
 * What prompts grow by beyond prompt and output before: more when a context is new, and more when
 * it is short.
 *
 * @param byTurn at the first turn after a context began or was compacted, at the second and third,
 *     the fourth to the seventh, and so on; the last is for all later ones
 */
public record Growth(List<ByContext> byTurn) {
  public Growth {
    byTurn = List.copyOf(byTurn);
    if (byTurn.isEmpty()) {
      throw new IllegalArgumentException("growth: expected at least one distribution");
    }
  }

  /**
   * By the length of the prompt before.
   *
   * @param upTo tokens, rising: one less than there are distributions
   * @param tokens what prompts up to each length grow by, and longer ones
   */
  public record ByContext(List<Integer> upTo, List<Knots> tokens) {
    public ByContext {
      upTo = List.copyOf(upTo);
      tokens = List.copyOf(tokens);
      if (tokens.size() != upTo.size() + 1) {
        throw new IllegalArgumentException("growth: expected a distribution more than lengths");
      }
    }

    private Knots at(int context) {
      int place = 0;
      while (place < upTo.size() && context > upTo.get(place)) {
        place++;
      }
      return tokens.get(place);
    }
  }

  /**
   * The distribution at a turn.
   *
   * @param turns since the context began or was compacted, at least 1
   * @param context tokens of the prompt before
   */
  Knots at(int turns, int context) {
    return byTurn.get(group(turns, byTurn.size())).at(context);
  }

  static int group(int turns, int groups) {
    return Math.min(groups - 1, 31 - Integer.numberOfLeadingZeros(turns));
  }
}
