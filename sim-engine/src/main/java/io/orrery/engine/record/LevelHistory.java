package io.orrery.engine.record;

/**
 * How a level went over time: its exact integral in each of a bounded number of equal stretches.
 * When time outgrows them, neighbours are joined and stretches become twice as long.
 */
public final class LevelHistory {
  /** Most stretches that are kept. */
  public static final int STRETCHES = 512;

  private static final long FIRST_WIDTH = 1 << 20;

  private final long[] integrals = new long[STRETCHES];
  private long width = FIRST_WIDTH;

  /** From {@code from} to {@code to}, in nanoseconds, the level was {@code level}. */
  void add(long from, long to, long level) {
    if (level == 0 || from >= to) {
      return;
    }
    while (to > width * STRETCHES) {
      join();
    }
    int first = (int) (from / width);
    int last = (int) ((to - 1) / width);
    if (first == last) {
      integrals[first] += level * (to - from);
      return;
    }
    integrals[first] += level * ((first + 1) * width - from);
    for (int i = first + 1; i < last; i++) {
      integrals[i] += level * width;
    }
    integrals[last] += level * (to - last * width);
  }

  private void join() {
    for (int i = 0; i < STRETCHES / 2; i++) {
      integrals[i] = integrals[2 * i] + integrals[2 * i + 1];
    }
    for (int i = STRETCHES / 2; i < STRETCHES; i++) {
      integrals[i] = 0;
    }
    width *= 2;
  }

  /** Length of a stretch, in nanoseconds. */
  public long stretchNanos() {
    return width;
  }

  /** Integral of the level over a stretch, in nanoseconds. */
  public long integral(int stretch) {
    return integrals[stretch];
  }
}
