package io.orrery.traces.synthesis;

/**
 * A stream of random numbers, keyed by what it is for: (seed, purpose, index) always give the same
 * stream, whatever was drawn elsewhere. Waits do not change because outputs are drawn differently,
 * nor a session because there is one more before it.
 *
 * <p>It is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014), written out here: keys need its mixer anyway, and shipped files are compared byte
 * for byte, so the numbers must not depend on which algorithms a Java runtime provides.
 */
public final class RandomStream {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  /**
   * @param purpose what the numbers decide, such as {@code "outputs"}
   * @param index which of the things of that purpose, such as the session's number
   */
  public RandomStream(long seed, String purpose, long index) {
    long key = mixed(seed + GAMMA);
    for (int i = 0; i < purpose.length(); i++) {
      key = mixed(key * GAMMA + purpose.charAt(i) + 1);
    }
    state = mixed(key + index * GAMMA);
  }

  private long next() {
    state += GAMMA;
    return mixed(state);
  }

  /** Uniform in [0, 1), a multiple of 2^-53. */
  public double uniform() {
    return (next() >>> 11) * 0x1.0p-53;
  }

  /** Uniform in 0 .. bound − 1, without bias beyond 2^-31. */
  public int below(int bound) {
    return (int) Math.multiplyHigh(next() >>> 1, (long) bound << 1);
  }

  /** Standard normal (Box and Muller, Annals of Mathematical Statistics 29(2), 1958). */
  double normal() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - uniform()));
    return radius * StrictMath.cos(2 * Math.PI * uniform());
  }

  /** True with the given probability. */
  public boolean chance(double probability) {
    return uniform() < probability;
  }

  private static long mixed(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
