package io.orrery.traces.analysis;

import io.orrery.traces.StableOrder;
import io.orrery.traces.Trace;
import io.orrery.traces.columns.IntColumn;
import io.orrery.traces.columns.LongColumn;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What caches without a limit of size would hold of a trace's prompts. Sizes are in blocks; a named
 * partial block at a prompt's end counts by the tokens in it.
 *
 * <p>Ids are chained, so whoever touches a block touches all before it: along a prompt the time
 * since the last touch never falls, and what a cache still holds of it is a prefix. Without a
 * common clock, times are compared inside a session tree only.
 *
 * <p>Of prompts without identities nobody knows what a cache would hold, so all shares are of the
 * known input: without {@link Trace#unidentifiedTokens}, and of requests without those of which
 * nothing is known.
 *
 * @param hitShares share of known input tokens that a cache finds which forgets a block so long
 *     after its last touch, for each of {@link #TIMES_TO_LIVE}; the last one never forgets
 * @param workingSetTokens tokens of the distinct blocks that were touched within such a time, mean
 *     over the trace's span, for each of {@link #WINDOWS}; empty without a common clock
 * @param sessionTokens tokens of the distinct blocks of each session tree
 * @param acrossSessions share of known input tokens that an earlier request of any session had
 * @param choice share of known requests of which the best of so many workers can be expected to
 *     find a tenth of the prompt more than a random one, for each of {@link #WORKERS}
 * @param placed share of known input tokens that are found where requests go to one of so many
 *     workers at random, each with a cache that never forgets, for each of {@link #WORKERS}
 */
public record BlockReuse(
    double[] hitShares,
    double[] workingSetTokens,
    LongColumn sessionTokens,
    double acrossSessions,
    double[] choice,
    double[] placed) {
  /** How long a cache keeps what nobody touches. */
  public static final List<Duration> TIMES_TO_LIVE =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofHours(24),
          Duration.ofNanos(Long.MAX_VALUE));

  /** Lengths of the windows of the working set. */
  public static final List<Duration> WINDOWS = TIMES_TO_LIVE.subList(0, TIMES_TO_LIVE.size() - 1);

  /** Numbers of workers to choose from. */
  public static final List<Integer> WORKERS = List.of(2, 4, 8, 16, 32);

  /** What a request gains from the best worker matters from this share of its prompt on. */
  public static final double MATTERS = 0.1;

  /** Of a trace that knows blocks. */
  public static BlockReuse of(Trace trace) {
    return new Counting(trace).result();
  }

  /** What the best placement finds beyond a random one, as a share of known input tokens. */
  public double upside(int worker) {
    return acrossSessions - placed[worker];
  }

  /** Two passes over the prompts: by time inside a scope, and in the trace's order. */
  private static final class Counting {
    private static final long NEVER = -1;

    private final Trace trace;
    private final long[] limits;
    private final double[] hitTokens;
    private final ExactSum[] residence;
    private final LongColumn perTree = new LongColumn();
    private double[] workingSet = {};
    private double input;
    private int requests;

    Counting(Trace trace) {
      this.trace = trace;
      limits = TIMES_TO_LIVE.stream().mapToLong(Duration::toNanos).toArray();
      hitTokens = new double[limits.length];
      residence = new ExactSum[limits.length - 1];
      Arrays.setAll(residence, w -> new ExactSum());
    }

    BlockReuse result() {
      for (int r = 0; r < trace.requestCount(); r++) {
        int known = trace.inputTokens(r) - trace.unidentifiedTokens(r);
        input += known;
        requests += known > 0 ? 1 : 0;
      }
      byTime();
      double[] hits = new double[limits.length];
      double sum = 0;
      for (int i = 0; i < hits.length; i++) {
        sum += hitTokens[i];
        hits[i] = sum / input;
      }
      return placement(hits);
    }

    private void byTime() {
      LongColumn starts = Starts.of(trace);
      IntColumn order = StableOrder.of(starts);
      IntColumn byRoot = byRoot(order);
      int blocks = Math.toIntExact(trace.blockCount());
      LongColumn last = LongColumn.filled(blocks, NEVER);
      IntColumn scope = IntColumn.filled(blocks, 0);
      IntColumn walk = trace.sharedClock() ? order : byRoot;
      for (int i = 0; i < walk.size(); i++) {
        int r = walk.get(i);
        touch(r, trace.sharedClock() ? 0 : root(r), starts.get(r), last, scope);
      }
      if (trace.sharedClock()) {
        finishWorkingSet(starts.get(order.last()), last);
      }
      starts.release();
      order.release();
      last.release();
      countTrees(byRoot, scope);
      byRoot.release();
      scope.release();
    }

    /** Distinct blocks of each tree, whose requests come one after the other. */
    private void countTrees(IntColumn byRoot, IntColumn scope) {
      for (int id = 0; id < scope.size(); id++) {
        scope.set(id, -1);
      }
      LongColumn distinct = LongColumn.filled(trace.sessionCount(), 0);
      for (int i = 0; i < byRoot.size(); i++) {
        int r = byRoot.get(i);
        int root = root(r);
        for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
          for (int k = 0; k < trace.runLength(run); k++) {
            int id = trace.runFirst(run) + k;
            if (scope.get(id) != root) {
              distinct.increase(root, 1);
              scope.set(id, root);
            }
          }
        }
      }
      for (int s = 0; s < distinct.size(); s++) {
        if (trace.parentSession(s) < 0) {
          perTree.add(distinct.get(s) * trace.blockSize());
        }
      }
    }

    private int root(int r) {
      return trace.rootSession(trace.session(r));
    }

    private IntColumn byRoot(IntColumn order) {
      LongColumn keys = new LongColumn();
      for (int i = 0; i < order.size(); i++) {
        keys.add(root(order.get(i)));
      }
      IntColumn places = StableOrder.of(keys);
      keys.release();
      for (int i = 0; i < places.size(); i++) {
        places.set(i, order.get(places.get(i)));
      }
      return places;
    }

    private void touch(int r, int owner, long now, LongColumn last, IntColumn scope) {
      boolean found = true;
      int bin = 0;
      for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
        for (int i = 0; i < trace.runLength(run); i++) {
          int id = trace.runFirst(run) + i;
          boolean known = last.get(id) != NEVER && scope.get(id) == owner;
          found &= known;
          if (known) {
            long age = Math.max(0, now - last.get(id));
            if (found) {
              while (age > limits[bin]) {
                bin++;
              }
              hitTokens[bin] += trace.blockSize();
            }
            stay(age);
          }
          last.set(id, now);
          scope.set(id, owner);
        }
      }
      int partial = trace.partialBlock(r);
      if (partial >= 0) {
        boolean known = last.get(partial) != NEVER && scope.get(partial) == owner;
        if (known && found) {
          long age = Math.max(0, now - last.get(partial));
          while (age > limits[bin]) {
            bin++;
          }
          hitTokens[bin] += trace.inputTokens(r) % trace.blockSize();
        }
        last.set(partial, now);
        scope.set(partial, owner);
      }
    }

    /** A block that is touched again after so long was in a window's set until then, or for it. */
    private void stay(long age) {
      for (int w = 0; w < residence.length; w++) {
        residence[w].add(Math.min(age, limits[w]));
      }
    }

    private void finishWorkingSet(long end, LongColumn last) {
      BitSet whole = new BitSet();
      for (int run = 0; run < trace.runCount(); run++) {
        whole.set(trace.runFirst(run), trace.runFirst(run) + trace.runLength(run));
      }
      for (int id = 0; id < last.size(); id++) {
        if (whole.get(id) && last.get(id) != NEVER) {
          stay(end - last.get(id));
        }
      }
      workingSet = workingSet(end);
    }

    private double[] workingSet(long end) {
      double[] tokens = new double[residence.length];
      for (int w = 0; w < tokens.length; w++) {
        tokens[w] = residence[w].value() * trace.blockSize() / Math.max(1, end);
      }
      return tokens;
    }

    private BlockReuse placement(double[] hits) {
      int blocks = Math.toIntExact(trace.blockCount());
      IntColumn touches = IntColumn.filled(blocks, 0);
      PlacementChance chance = new PlacementChance();
      ExactSum[] placed = new ExactSum[WORKERS.size()];
      Arrays.setAll(placed, w -> new ExactSum());
      long[] placedHere = new long[placed.length];
      long reused = 0;
      double[] withChoice = new double[WORKERS.size()];
      for (int r = 0; r < trace.requestCount(); r++) {
        long before = reused;
        Arrays.fill(placedHere, 0);
        boolean known = true;
        for (int run = trace.runStart(r); run < trace.promptRunEnd(r); run++) {
          for (int i = 0; i < trace.runLength(run); i++) {
            int id = trace.runFirst(run) + i;
            known &= touches.get(id) > 0;
            if (known) {
              reused += trace.blockSize();
              add(placedHere, chance, touches.get(id), trace.blockSize());
            }
            touches.increase(id, 1);
          }
        }
        int partial = trace.partialBlock(r);
        if (partial >= 0) {
          if (known && touches.get(partial) > 0) {
            int tokens = trace.inputTokens(r) % trace.blockSize();
            reused += tokens;
            add(placedHere, chance, touches.get(partial), tokens);
          }
          touches.increase(partial, 1);
        }
        for (int w = 0; w < placed.length; w++) {
          long gain = (reused - before) * PlacementChance.ONE - placedHere[w];
          withChoice[w] += matters(gain, trace.inputTokens(r)) ? 1 : 0;
          placed[w].add(placedHere[w]);
        }
      }
      double[] placedShares = new double[placed.length];
      for (int w = 0; w < placed.length; w++) {
        placedShares[w] = placed[w].value() / PlacementChance.ONE / input;
        withChoice[w] /= requests;
      }
      return new BlockReuse(
          hits, workingSet, perTree, (double) reused / input, withChoice, placedShares);
    }

    private static void add(long[] placed, PlacementChance chance, int touches, int tokens) {
      for (int w = 0; w < placed.length; w++) {
        placed[w] += tokens * chance.of(w, touches);
      }
    }
  }

  /**
   * Whether a request of so many tokens gains enough from the best worker.
   *
   * @param gain tokens in units of {@link PlacementChance#ONE}
   */
  public static boolean matters(long gain, int inputTokens) {
    return gain >= MATTERS * inputTokens * PlacementChance.ONE;
  }
}
