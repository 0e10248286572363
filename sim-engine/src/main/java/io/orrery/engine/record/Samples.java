package io.orrery.engine.record;

/**
 * Weighted samples of a non-negative {@code long}, and their quantiles. Up to {@value #EXACT_LIMIT}
 * samples (by weight) are kept as they are; beyond that they are counted in log-linear buckets with
 * a relative error of at most 2<sup>-{@value LogBuckets#SUB_BITS}</sup>. Count, sum, least and
 * greatest value stay exact.
 *
 * <p>The result depends on the samples only, never on their order.
 */
public final class Samples {
  /** Samples kept exactly. */
  public static final long EXACT_LIMIT = 1_000_000;

  /** Numbers of a state before the samples themselves. */
  private static final int HEAD = 6;

  private ExactSamples kept = new ExactSamples();
  private long[] buckets = {};
  private long count;
  private long min = Long.MAX_VALUE;
  private long max;
  // A 128-bit sum keeps the mean exact and independent of the order.
  private long sumHigh;
  private long sumLow;

  /** Adds {@code weight} samples of {@code value}. */
  public void add(long value, long weight) {
    if (value < 0 || weight <= 0) {
      throw new IllegalArgumentException("sample " + value + " with weight " + weight);
    }
    count += weight;
    addToSum(value, weight);
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (buckets.length == 0) {
      if (count <= EXACT_LIMIT) {
        kept.add(value, weight);
        return;
      }
      toBuckets();
    }
    buckets[LogBuckets.of(value)] += weight;
  }

  /**
   * Adds {@code weight} samples of each gap between neighbours of {@code times[from]}, …, {@code
   * times[to]}. Times never decrease.
   */
  public void addGaps(long[] times, int from, int to, long weight) {
    if (to <= from) {
      return;
    }
    int i = from + 1;
    while (i <= to && buckets.length == 0) {
      add(times[i] - times[i - 1], weight);
      i++;
    }
    if (i > to) {
      return;
    }
    long least = min;
    long most = max;
    addToSum(times[to] - times[i - 1], weight);
    count += weight * (to - i + 1);
    for (; i <= to; i++) {
      long gap = times[i] - times[i - 1];
      least = Math.min(least, gap);
      most = Math.max(most, gap);
      buckets[LogBuckets.of(gap)] += weight;
    }
    min = least;
    max = most;
  }

  private void addToSum(long value, long weight) {
    long high = Math.multiplyHigh(value, weight);
    long low = value * weight;
    long before = sumLow;
    sumLow += low;
    if (Long.compareUnsigned(sumLow, before) < 0) {
      sumHigh++;
    }
    sumHigh += high;
  }

  private void toBuckets() {
    buckets = new long[LogBuckets.COUNT];
    for (int i = 0; i < kept.entries(); i++) {
      buckets[LogBuckets.of(kept.value(i))] += kept.weight(i);
    }
    kept.release();
    kept = new ExactSamples();
  }

  /** Number of samples. */
  public long count() {
    return count;
  }

  /** Mean of the samples, exact but for rounding; NaN without samples. */
  public double mean() {
    double low = sumLow >= 0 ? sumLow : (sumLow >>> 1) * 2.0 + (sumLow & 1);
    return count == 0 ? Double.NaN : (sumHigh * 0x1.0p64 + low) / count;
  }

  /** Least sample; there must be one. */
  public long min() {
    requireSamples();
    return min;
  }

  /** Greatest sample; there must be one. */
  public long max() {
    requireSamples();
    return max;
  }

  /** Whether quantiles are exact rather than read from buckets. */
  public boolean exact() {
    return buckets.length == 0;
  }

  /** Bound of the relative error of quantiles: 0 when exact. */
  public double relativeError() {
    return exact() ? 0 : 1.0 / LogBuckets.SUB;
  }

  /**
   * The sample at rank ⌈q · count⌉ (nearest rank).
   *
   * @param q in (0, 1]
   */
  public double quantile(double q) {
    requireSamples();
    long rank = Math.max(1, (long) Math.ceil(q * count));
    if (exact()) {
      return kept.ranked(rank);
    }
    long seen = 0;
    for (int i = 0; i < buckets.length; i++) {
      seen += buckets[i];
      if (seen >= rank) {
        return Math.min(max, Math.max(min, LogBuckets.middle(i)));
      }
    }
    return max;
  }

  /** Adds all samples of {@code other}. */
  public void addAll(Samples other) {
    if (!other.exact() && exact()) {
      toBuckets();
    }
    if (other.exact()) {
      for (int i = 0; i < other.kept.entries(); i++) {
        add(other.kept.value(i), other.kept.weight(i));
      }
      return;
    }
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] += other.buckets[i];
    }
    count += other.count;
    long before = sumLow;
    sumLow += other.sumLow;
    sumHigh += other.sumHigh + (Long.compareUnsigned(sumLow, before) < 0 ? 1 : 0);
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  /** All of it as numbers, for {@link #of}: a head of six, then values with weights, or buckets. */
  public long[] state() {
    kept.sort();
    int entries = exact() ? kept.entries() : 0;
    long[] state = new long[HEAD + (exact() ? 2 * entries : buckets.length)];
    state[0] = exact() ? 1 : 0;
    state[1] = count;
    state[2] = min;
    state[3] = max;
    state[4] = sumHigh;
    state[5] = sumLow;
    if (exact()) {
      for (int i = 0; i < entries; i++) {
        state[HEAD + i] = kept.value(i);
        state[HEAD + entries + i] = kept.weight(i);
      }
    } else {
      System.arraycopy(buckets, 0, state, HEAD, buckets.length);
    }
    return state;
  }

  /** Samples with this {@link #state}. */
  public static Samples of(long[] state) {
    Samples samples = new Samples();
    samples.count = state[1];
    samples.min = state[2];
    samples.max = state[3];
    samples.sumHigh = state[4];
    samples.sumLow = state[5];
    if (state[0] == 0) {
      samples.toBuckets();
      System.arraycopy(state, HEAD, samples.buckets, 0, samples.buckets.length);
      return samples;
    }
    samples.kept = ExactSamples.of(state, HEAD, (state.length - HEAD) / 2);
    return samples;
  }

  /** Distinct values with their weights while exact: pairs {value, weight} by increasing value. */
  public long[][] exactSamples() {
    if (!exact()) {
      throw new IllegalStateException("samples are no longer kept one by one");
    }
    kept.sort();
    long[][] out = new long[kept.entries()][];
    for (int i = 0; i < out.length; i++) {
      out[i] = new long[] {kept.value(i), kept.weight(i)};
    }
    return out;
  }

  private void requireSamples() {
    if (count == 0) {
      throw new IllegalStateException("no samples");
    }
  }
}
