package io.orrery.traces.synthesis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Samples of something, in the order of their adding. */
final class Samples {
  private double[] values = new double[16];
  private int size;

  void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  double get(int index) {
    return values[index];
  }

  double[] all() {
    return Arrays.copyOf(values, size);
  }

  /** Their distribution; null where there is none. */
  @Nullable Knots knots() {
    return size == 0 ? null : Knots.of(all());
  }

  /** The distribution of samples of which there is at least one. */
  Knots some() {
    return Knots.of(all());
  }
}
