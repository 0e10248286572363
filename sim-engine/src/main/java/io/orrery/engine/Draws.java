package io.orrery.engine;

/**
 * Random numbers by what they decide: (seed, source name, two numbers such as a request and a
 * token) always give the same draw, whatever was drawn before. Two policies that face the same
 * request so face the same luck.
 *
 * <p>Values come from SplitMix64's finaliser (Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014) over the keyed state.
 */
public final class Draws {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private final long state;

  /**
   * @param seed the run's seed
   * @param source names the decision, such as {@code "routing.random"}
   */
  public Draws(long seed, String source) {
    long s = mix(seed + GAMMA);
    for (int i = 0; i < source.length(); i++) {
      s = mix(s * GAMMA + source.charAt(i) + 1);
    }
    state = s;
  }

  /** 64 random bits. */
  public long bits(long a, long b) {
    return mix(mix(mix(state + a * GAMMA) + b * GAMMA) + GAMMA);
  }

  /** A number uniform in [0, 1), a multiple of 2^-53. */
  public double uniform(long a, long b) {
    return (bits(a, b) >>> 11) * 0x1.0p-53;
  }

  /** A whole number uniform in [0, bound), without bias beyond 2^-31. */
  public int below(int bound, long a, long b) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound: found " + bound + ", expected a positive number");
    }
    return (int) Math.multiplyHigh(bits(a, b) >>> 1, (long) bound << 1);
  }

  private static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
