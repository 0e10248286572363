package io.orrery.traces.analysis;

import io.orrery.traces.Trace;
import io.orrery.traces.columns.LongColumn;
import java.time.Duration;
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
    double input = 0;
    int requests = 0;
    for (int r = 0; r < trace.requestCount(); r++) {
      int known = trace.inputTokens(r) - trace.unidentifiedTokens(r);
      input += known;
      requests += known > 0 ? 1 : 0;
    }
    ReuseOverTime overTime = new ReuseOverTime(trace);
    PlacedReuse placed = new PlacedReuse(trace);
    return new BlockReuse(
        overTime.hitShares(input),
        overTime.workingSetTokens(),
        overTime.sessionTokens(),
        (double) placed.reusedTokens() / input,
        placed.choice(requests),
        placed.shares(input));
  }

  /** What the best placement finds beyond a random one, as a share of known input tokens. */
  public double upside(int worker) {
    return acrossSessions - placed[worker];
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
