package io.orrery.scenarios.plan;

import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Looks for where something that is true for small numbers becomes false: steps of a factor of two
 * from the start until both are seen, then halving in between by ratio.
 *
 * <p>What is asked may contradict itself (true above a false): the search ends all the same, with
 * two neighbours of which the lower is true and the upper false.
 */
public final class BoundarySearch {
  private BoundarySearch() {}

  /**
   * Two neighbours, or one where the range ends.
   *
   * @param lastTrue the largest number found true; empty if none was
   * @param firstFalse the smallest number found false; empty if none was
   */
  public record Boundary(OptionalLong lastTrue, OptionalLong firstFalse) {}

  /**
   * Searches.
   *
   * @param min least number to ask, at least 1
   * @param max greatest number to ask
   * @param start where to begin; held within the range
   * @param tolerance how far apart the two numbers may be, as a share of the lower; they are never
   *     closer than 1
   */
  public static Boundary search(
      long min, long max, long start, double tolerance, LongPredicate holds) {
    long low = 0;
    long high = 0;
    long at = Math.max(min, Math.min(max, start));
    while (low == 0 || high == 0) {
      if (holds.test(at)) {
        low = at;
        if (at == max) {
          break;
        }
        at = high == 0 ? Math.min(max, 2 * at) : at;
      } else {
        high = at;
        if (at == min) {
          break;
        }
        at = low == 0 ? Math.max(min, at / 2) : at;
      }
    }
    while (low > 0 && high > 0 && high - low > 1 && high > low * (1 + tolerance)) {
      long middle = Math.round(StrictMath.sqrt((double) low * high));
      middle = Math.max(low + 1, Math.min(high - 1, middle));
      if (holds.test(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new Boundary(found(low), found(high));
  }

  private static OptionalLong found(long number) {
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }
}
