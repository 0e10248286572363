package io.orrery.spark.stats;

import io.orrery.traces.analysis.BlockReuse;
import io.orrery.traces.analysis.ExactSum;
import io.orrery.traces.analysis.PlacementChance;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** What caches would hold of a range of blocks, as {@link BlockReuse} counts it. */
final class BlockRange {
  private static final long NEVER = -1;
  private static final long[] LIMITS =
      BlockReuse.TIMES_TO_LIVE.stream().mapToLong(Duration::toNanos).toArray();

  /**
   * What is found in caches that forget, and how long blocks stay in them; it adds up over ranges.
   *
   * @param hitTokens by time since the last touch
   * @param residence block-nanoseconds for each window
   */
  record Times(long[] hitTokens, ExactSum[] residence) implements Serializable {
    static Times none() {
      ExactSum[] sums = new ExactSum[LIMITS.length - 1];
      Arrays.setAll(sums, w -> new ExactSum());
      return new Times(new long[LIMITS.length], sums);
    }

    Times and(Times other) {
      Times all = none();
      for (int i = 0; i < hitTokens.length; i++) {
        all.hitTokens[i] = hitTokens[i] + other.hitTokens[i];
      }
      for (int w = 0; w < residence.length; w++) {
        all.residence[w].add(residence[w]);
        all.residence[w].add(other.residence[w]);
      }
      return all;
    }
  }

  /**
   * What was sent before of a request's blocks in one range, or, added up, in all.
   *
   * @param full blocks
   * @param partial 1 where the block at the prompt's end was
   * @param partialTokens in that
   * @param placed tokens, in units of {@link PlacementChance#ONE}, that are found where requests go
   *     anywhere, for each number of workers
   */
  record Known(int input, long full, int partial, int partialTokens, long[] placed)
      implements Serializable {
    Known and(Known other) {
      long[] sums = placed.clone();
      for (int w = 0; w < sums.length; w++) {
        sums[w] += other.placed[w];
      }
      return new Known(
          input,
          full + other.full,
          partial + other.partial,
          partialTokens + other.partialTokens,
          sums);
    }
  }

  /** What was sent before of the request in a row. */
  record KnownOf(int row, Known known) implements Serializable {}

  private final TraceShape shape;
  private final int first;
  private final List<Touch> touches = new ArrayList<>();

  BlockRange(TraceShape shape, int number, Iterable<Touch> all) {
    this.shape = shape;
    first = number * shape.range();
    all.forEach(touches::add);
  }

  /**
   * Goes through the touches in time.
   *
   * @param end of the trace: its last start, ns
   */
  Times times(long end) {
    touches.sort(Touch.BY_TIME);
    Times times = Times.none();
    long[] last = new long[shape.range()];
    int[] scope = new int[shape.range()];
    BitSet whole = new BitSet();
    Arrays.fill(last, NEVER);
    for (Touch touch : touches) {
      int from = touch.first() - first;
      if (touch.tokens() <= 0) {
        whole.set(from, from + touch.length());
      }
      if (touch.tokens() != Touch.NOT_SENT) {
        for (int id = from; id < from + touch.length(); id++) {
          touch(touch, id, last, scope, times);
        }
      }
    }
    if (shape.sharedClock()) {
      for (int id = whole.nextSetBit(0); id >= 0; id = whole.nextSetBit(id + 1)) {
        if (last[id] != NEVER) {
          stay(times, end - last[id]);
        }
      }
    }
    return times;
  }

  private void touch(Touch touch, int id, long[] last, int[] scope, Times times) {
    if (last[id] != NEVER && scope[id] == touch.owner()) {
      long age = Math.max(0, touch.start() - last[id]);
      int bin = 0;
      while (age > LIMITS[bin]) {
        bin++;
      }
      if (touch.tokens() == 0) {
        times.hitTokens()[bin] += shape.blockSize();
        stay(times, age);
      } else {
        times.hitTokens()[bin] += touch.tokens();
      }
    }
    last[id] = touch.start();
    scope[id] = touch.owner();
  }

  private static void stay(Times times, long age) {
    for (int w = 0; w < times.residence().length; w++) {
      times.residence()[w].add(Math.min(age, LIMITS[w]));
    }
  }

  /** Goes through the touches in the trace's order; requests of which nothing was known are out. */
  List<KnownOf> known() {
    touches.sort(Touch.BY_ROW);
    PlacementChance chance = new PlacementChance();
    int[] requests = new int[shape.range()];
    List<KnownOf> known = new ArrayList<>();
    for (Touch touch : touches) {
      if (touch.tokens() == Touch.NOT_SENT) {
        continue;
      }
      long[] placed = new long[BlockReuse.WORKERS.size()];
      int tokens = touch.tokens() == 0 ? shape.blockSize() : touch.tokens();
      int blocks = 0;
      for (int id = touch.first() - first; id < touch.first() - first + touch.length(); id++) {
        if (requests[id] > 0) {
          blocks++;
          for (int w = 0; w < placed.length; w++) {
            placed[w] += tokens * chance.of(w, requests[id]);
          }
        }
        requests[id]++;
      }
      if (blocks > 0) {
        boolean full = touch.tokens() == 0;
        known.add(
            new KnownOf(
                touch.row(),
                new Known(
                    touch.input(), full ? blocks : 0, full ? 0 : 1, full ? 0 : tokens, placed)));
      }
    }
    return known;
  }
}
